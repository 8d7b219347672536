import { type LineRange, LineRangeError } from '@bae/core';
import { EditError } from '../errors.ts';
import type { LinePatch } from '../file/seen-files.ts';
import { formatQuantity, splitLines } from './text-lines.ts';

/** A text after a change, and which of its lines changed. */
export interface TextChange {
  readonly text: string;
  readonly first: number;
  readonly removed: number;
  readonly added: number;
  /** Lines of all the changes, when there were several. */
  readonly places?: readonly number[];
  /** Lines where blanks at the end or before all lines were not those of the text to replace. */
  readonly forgiven?: readonly number[];
  /** Number of the first line as it was sent, when earlier edits of the same response have moved it. */
  readonly sentFirst?: number;
  /** Every place that changed, in order; line numbers are those of the text before. */
  readonly patches: readonly LinePatch[];
}

/** A text, and which of its lines are to become what; an empty body deletes them. */
interface LineEdit {
  readonly text: string;
  readonly range: LineRange;
  readonly name: string;
  readonly body: string;
  /**
   * How the body is taken apart. `separated`: its lines stand between line feeds, so that one at its end is followed
   * by an empty line. `ended`: every line has its own, as in a file, so that one alone is an empty line.
   */
  readonly form: 'separated' | 'ended';
}

/**
 * Replaces whole lines; the line after the last one appends.
 *
 * New lines end as the lines they replace do; where those do not all end alike, lines that came with their line
 * breaks keep them. Every other byte stays, also a missing line break at the end.
 *
 * @throws LineRangeError when the range reaches beyond the file; EditError when there is nothing to append
 */
export function replaceLines({ text, range, name, body, form }: LineEdit): TextChange {
  const lines = splitLines(text);
  const [first, end] = range;
  const last = end ?? Math.max(lines.length, first);
  // Lines that were divided at line feeds, without the last one, end with half of a CRLF.
  const isHalf = body.endsWith('\r') && getLineBreak(lines[Math.min(last, lines.length) - 1]) === '\r\n';
  const inserted = form === 'ended' ? parseLines(isHalf ? `${body}\n` : body) : splitBody(body);
  if (first === lines.length + 1) return insertLines({ lines, at: first, inserted, name });
  if (last > lines.length) throw createBeyondError(range, lines.length, name);
  const replaced = lines.slice(first - 1, last);
  const ending = getLineBreak(replaced[0]) ?? getLineBreak(lines[first - 2]) ?? '\n';
  const middle = renderReplacement(replaced, inserted, ending);
  const changed = lines.slice(0, first - 1).join('') + middle + lines.slice(last).join('');
  return createLineChange(changed, { first, removed: replaced.length, added: inserted.length });
}

/** Inserts lines in front of the first line of a range, or behind its last one. @throws as `replaceLines` does */
export function insertAround(edit: LineEdit, side: 'before' | 'after'): TextChange {
  const { text, range, name, body, form } = edit;
  const lines = splitLines(text);
  const [first, end] = range;
  const last = end ?? Math.max(lines.length, first);
  if (first < 1 || last > lines.length) throw createBeyondError(range, lines.length, name);
  const inserted = form === 'ended' ? parseLines(body) : splitBody(body);
  return insertLines({ lines, at: side === 'before' ? first : last + 1, inserted, name });
}

interface Insertion {
  readonly lines: readonly string[];
  /** Number of the line that they are inserted in front of; one more than there are for the end. */
  readonly at: number;
  readonly inserted: readonly NewLine[];
  readonly name: string;
}

function insertLines({ lines, at, inserted, name }: Insertion): TextChange {
  if (inserted.length === 0) throw new EditError('there is nothing to append: the body is empty.', [`<R:${name}>`]);
  const above = lines.slice(0, at - 1);
  const own = getLineBreak(above.at(-1));
  const ending = own ?? getLineBreak(lines[at - 1]) ?? getLineBreak(above.at(-2)) ?? '\n';
  const gap = above.length > 0 && own === undefined ? ending : '';
  const middle = inserted.map((line) => line.text + ending).join('');
  const text = above.join('') + gap + middle + lines.slice(at - 1).join('');
  return createLineChange(text, { first: at, removed: 0, added: inserted.length });
}

function createLineChange(text: string, patch: LinePatch): TextChange {
  return { text, ...patch, patches: [patch] };
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

export function createBeyondError([first, end]: LineRange, total: number, name: string): LineRangeError {
  const asked = end === null ? `${first}-` : first === end ? `${first}` : `${first}-${end}`;
  return new LineRangeError(`${name} has ${formatQuantity(total, 'line')}; asked for ${asked}.`, [
    `<E:${name}:${total + 1}>`,
    `<R:${name}>`,
  ]);
}

interface NewLine {
  readonly text: string;
  /** The line break it came with, where that decides how it ends. */
  readonly ending?: string;
}

function parseLines(body: string): readonly NewLine[] {
  return splitLines(body).map((line) => {
    const ending = getLineBreak(line);
    return ending === undefined ? { text: line } : { text: line.slice(0, -ending.length), ending };
  });
}

function splitBody(body: string): readonly NewLine[] {
  return body === '' ? [] : body.split(/\r?\n/).map((text) => ({ text }));
}

/** The line break that ends a line; undefined when none does. */
function getLineBreak(line: string | undefined): string | undefined {
  return line === undefined ? undefined : /\r?\n$/.exec(line)?.[0];
}
