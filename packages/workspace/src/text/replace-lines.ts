import { type LineRange, LineRangeError } from '@bae/core';
import { EditError } from '../errors.ts';
import type { LinePatch } from '../file/seen-files.ts';
import { formatQuantity, splitLines } from './text-lines.ts';

/** A text after a change, and its changed lines. */
export interface TextChange {
  readonly text: string;
  readonly first: number;
  readonly removed: number;
  readonly added: number;
  /** Line numbers of all changes, if there were several. */
  readonly places?: readonly number[];
  /** Line numbers at which trailing blanks or the common indentation differed from the text to replace. */
  readonly forgiven?: readonly number[];
  /** True if the new lines were sent with line numbers, which were left out. */
  readonly unnumbered?: true;
  /** Number of the first line in the request, if earlier edits of the same response have shifted it. */
  readonly sentFirst?: number;
  /** All changed places, in order; line numbers refer to the text before the change. */
  readonly patches: readonly LinePatch[];
}

/** A text, the lines to replace, and the body that replaces them; an empty body deletes them. */
export interface LineEdit {
  readonly text: string;
  readonly range: LineRange;
  readonly name: string;
  readonly body: string;
  /**
   * The way the body is split into lines. `separated`: line feeds separate lines, so that an empty line follows one at
   * the end. `ended`: a line feed ends every line, as in a file, so that a single one is an empty line.
   */
  readonly form: 'separated' | 'ended';
}

/**
 * Replaces whole lines; the line after the last one appends.
 *
 * New lines get the line break of the lines they replace; if those have different ones, lines that came with their own
 * line breaks keep them. Every other byte stays the same, and so does a missing line break at the end.
 *
 * @throws LineRangeError when the range reaches beyond the file; EditError when there is nothing to append
 */
export function replaceLines({ text, range, name, body, form }: LineEdit): TextChange {
  const lines = splitLines(text);
  const [first, end] = range;
  const last = end ?? Math.max(lines.length, first);
  // Lines that were split at line feeds, without the last one, end with half of a CRLF.
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

/**
 * Inserts lines before the first line of a range, or after its last one; beside the line after the last one, appends.
 *
 * @throws the same errors as `replaceLines`
 */
export function insertAround(edit: LineEdit, side: 'before' | 'after'): TextChange {
  const { text, range, name, body, form } = edit;
  const lines = splitLines(text);
  const [first, end] = range;
  const last = end ?? Math.max(lines.length, first);
  const inserted = form === 'ended' ? parseLines(body) : splitBody(body);
  // A file whose last line ends with a line break seems to have an empty line after it.
  if (first === lines.length + 1 && last === first) return insertLines({ lines, at: first, inserted, name });
  if (first < 1 || last > lines.length) throw createBeyondError(range, lines.length, name);
  return insertLines({ lines, at: side === 'before' ? first : last + 1, inserted, name });
}

interface Insertion {
  readonly lines: readonly string[];
  /** Number of the line before which they are inserted; the number of lines plus one for the end. */
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
      // An intended empty line exists only if it has a line break.
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
  /** The original line break, if it determines how the line ends. */
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

/** Returns the line break at the end of a line; undefined when it has none. */
function getLineBreak(line: string | undefined): string | undefined {
  return line === undefined ? undefined : /\r?\n$/.exec(line)?.[0];
}
