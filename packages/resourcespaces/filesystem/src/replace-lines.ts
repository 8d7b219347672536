import { LineRangeError, type LineRange } from '@bae/core';
import { counted, splitLines, EditError } from '@bae/workspace';
import type { TextChange } from './text-change.ts';

/** A text, and which of its lines are to become what. */
export interface LineEdit {
  readonly text: string;
  readonly range: LineRange;
  /** New lines, separated by line feeds; empty to delete. */
  readonly body: string;
  /** The file as it is written in messages. */
  readonly path: string;
}

/**
 * Replaces whole lines; the line after the last one appends.
 *
 * New lines end as the lines they replace do. Every other byte stays, also a missing line break at the end.
 *
 * @throws LineRangeError when the range reaches beyond the file; EditError when there is nothing to append
 */
export function replaceLines({ text, range, body, path }: LineEdit): TextChange {
  const lines = splitLines(text);
  const [first, end] = range;
  const last = end ?? Math.max(lines.length, first);
  if (first === lines.length + 1) return append(text, lines, { body, path });
  if (last > lines.length) throw beyond(range, lines.length, path);
  const replaced = lines.slice(first - 1, last);
  const inserted = body === '' ? [] : body.split(/\r?\n/);
  const ending = endingOf(replaced[0]) ?? endingOf(lines[first - 2]) ?? '\n';
  const tail = endingOf(replaced.at(-1)) ?? '';
  const middle = inserted.length === 0 ? '' : inserted.join(ending) + tail;
  return {
    text: lines.slice(0, first - 1).join('') + middle + lines.slice(last).join(''),
    first,
    removed: replaced.length,
    added: inserted.length,
    patches: [{ first, removed: replaced.length, added: inserted.length }],
  };
}

function append(text: string, lines: readonly string[], { body, path }: Pick<LineEdit, 'body' | 'path'>): TextChange {
  const first = lines.length + 1;
  if (body === '') throw new EditError('there is nothing to append: the body is empty.', [`<R:${path}>`]);
  const inserted = body.split(/\r?\n/);
  const ending = endingOf(lines.at(-1)) ?? endingOf(lines.at(-2)) ?? '\n';
  const gap = lines.length > 0 && endingOf(lines.at(-1)) === undefined ? ending : '';
  const added = inserted.length;
  const patches = [{ first, removed: 0, added }];
  return { text: text + gap + inserted.join(ending) + ending, first, removed: 0, added, patches };
}

/** The line break that ends a line; undefined when none does. */
function endingOf(line: string | undefined): string | undefined {
  if (line === undefined || !line.endsWith('\n')) return undefined;
  return line.endsWith('\r\n') ? '\r\n' : '\n';
}

/** The refusal of lines that a file does not have. */
export function beyond([first, end]: LineRange, total: number, path: string): LineRangeError {
  const asked = end === null ? `${first}-` : first === end ? `${first}` : `${first}-${end}`;
  return new LineRangeError(`${path} has ${counted(total, 'line')}; asked for ${asked}.`, [
    `<E:${path}:${total + 1}>`,
    `<R:${path}>`,
  ]);
}
