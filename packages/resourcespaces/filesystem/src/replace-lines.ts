import { type LineRange, LineRangeError } from '@bae/core';
import { formatQuantity, EditError, splitLines } from '@bae/workspace';
import type { TextChange } from './replace-text.ts';

/** A text, and which of its lines are to become what; an empty body deletes them. */
interface LineEdit extends LinesGiven {
  readonly text: string;
  readonly range: LineRange;
  /** The file as it is written in messages. */
  readonly path: string;
}

/**
 * Replaces whole lines; the line after the last one appends.
 *
 * New lines end as the lines they replace do; where those do not all end alike, lines that came with their line
 * breaks keep them. Every other byte stays, also a missing line break at the end.
 *
 * @throws LineRangeError when the range reaches beyond the file; EditError when there is nothing to append
 */
export function replaceLines(edit: LineEdit): TextChange {
  const { text, range, path } = edit;
  const lines = splitLines(text);
  const [first, end] = range;
  const last = end ?? Math.max(lines.length, first);
  const inserted = parseNewLines(completeBody(edit, lines[Math.min(last, lines.length) - 1]));
  if (first === lines.length + 1) return appendLines(lines, inserted, edit);
  if (last > lines.length) throw createBeyondError(range, lines.length, path);
  const replaced = lines.slice(first - 1, last);
  const ending = getLineBreak(replaced[0]) ?? getLineBreak(lines[first - 2]) ?? '\n';
  const middle = renderReplacement(replaced, inserted, ending);
  return {
    text: lines.slice(0, first - 1).join('') + middle + lines.slice(last).join(''),
    first,
    removed: replaced.length,
    added: inserted.length,
    patches: [{ first, removed: replaced.length, added: inserted.length }],
  };
}

function renderReplacement(replaced: readonly string[], inserted: readonly NewLine[], ending: string): string {
  const tail = getLineBreak(replaced.at(-1));
  const isMixed = new Set(replaced.map(getLineBreak).filter((one) => one !== undefined)).size > 1;
  return inserted
    .map((line, index) => {
      const own = isMixed ? line.ending : undefined;
      if (index < inserted.length - 1) return line.text + (own ?? ending);
      // An empty line that is meant to be one needs a line break to be there at all.
      if (tail === undefined) return line.text === '' && line.ending !== undefined ? ending : line.text;
      return line.text + (own ?? tail);
    })
    .join('');
}

/** Lines that were divided at line feeds, without the last one, end with half of a CRLF. */
function completeBody({ body, form }: LineEdit, last: string | undefined): LinesGiven {
  const isHalf = form === 'ended' && body.endsWith('\r') && getLineBreak(last) === '\r\n';
  return { body: isHalf ? `${body}\n` : body, form };
}

function appendLines(lines: readonly string[], inserted: readonly NewLine[], { text, path }: LineEdit): TextChange {
  const first = lines.length + 1;
  const added = inserted.length;
  if (added === 0) throw new EditError('there is nothing to append: the body is empty.', [`<R:${path}>`]);
  const ending = getLineBreak(lines.at(-1)) ?? getLineBreak(lines.at(-2)) ?? '\n';
  const gap = lines.length > 0 && getLineBreak(lines.at(-1)) === undefined ? ending : '';
  const end = inserted.map((line) => line.text + ending).join('');
  const patches = [{ first, removed: 0, added }];
  return { text: text + gap + end, first, removed: 0, added, patches };
}

export function createBeyondError([first, end]: LineRange, total: number, path: string): LineRangeError {
  const asked = end === null ? `${first}-` : first === end ? `${first}` : `${first}-${end}`;
  return new LineRangeError(`${path} has ${formatQuantity(total, 'line')}; asked for ${asked}.`, [
    `<E:${path}:${total + 1}>`,
    `<R:${path}>`,
  ]);
}

/** What takes the place of lines, as it came. */
export interface LinesGiven {
  readonly body: string;
  /**
   * How the body is taken apart. `separated`: its lines stand between line feeds, so that one at its end is followed
   * by an empty line. `ended`: every line has its own, as in a file, so that one alone is an empty line.
   */
  readonly form: 'separated' | 'ended';
}

interface NewLine {
  readonly text: string;
  /** The line break it came with, where that decides how it ends. */
  readonly ending?: string;
}

function parseNewLines({ body, form }: LinesGiven): readonly NewLine[] {
  if (form === 'ended')
    return splitLines(body).map((line) => {
      const ending = getLineBreak(line);
      return ending === undefined ? { text: line } : { text: line.slice(0, -ending.length), ending };
    });
  return body === '' ? [] : body.split(/\r?\n/).map((text) => ({ text }));
}

/** The line break that ends a line; undefined when none does. */
function getLineBreak(line: string | undefined): string | undefined {
  return line === undefined ? undefined : /\r?\n$/.exec(line)?.[0];
}
