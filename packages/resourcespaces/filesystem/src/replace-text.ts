import { nearestName } from '@bae/core';
import { splitLines, EditError } from '@bae/workspace';
import type { TextChange } from './text-change.ts';
import { textPatches } from './text-patches.ts';

/** A text, and what in it is to become what. */
export interface TextEdit {
  readonly text: string;
  readonly old: string;
  readonly replacement: string;
  /** True to replace every occurrence. */
  readonly all: boolean;
  /** The file as it is written in messages. */
  readonly path: string;
}

/** Lines that are compared to find the nearest one. */
const COMPARED = 5000;
const NAMED_LINES = 20;

/**
 * Replaces the one occurrence of a text, or all of them. In a file with CRLF, line breaks of the texts given
 * are taken for CRLF where that is what it takes to find them.
 *
 * @throws EditError when the text is not there, or is there more than once without `all`
 */
export function replaceText(edit: TextEdit): TextChange {
  const { text, all, path } = edit;
  if (edit.old === '') throw new EditError('old is empty. Give the text to replace.', [`<R:${path}>`]);
  const { old, replacement } = asInFile(edit);
  // What overlaps itself is there more than once, but can be replaced only where it does not.
  const starts = occurrences(text, old, all ? old.length : 1);
  const [start] = starts;
  if (start === undefined) throw notFound(edit);
  if (starts.length > 1 && !all)
    throw ambiguous(
      starts.map((at) => lineAt(text, at)),
      path,
    );
  const changed = text.split(old).join(replacement);
  const first = lineAt(text, start);
  const removed = lineAt(text, start + old.length - 1) - first + 1;
  const added = removed + (splitLines(changed).length - splitLines(text).length);
  const places = starts.length > 1 ? { places: starts.map((at) => lineAt(text, at)) } : {};
  return { text: changed, first, removed, added, ...places, patches: textPatches(text, starts, { old, replacement }) };
}

function asInFile({ text, old, replacement }: TextEdit): { readonly old: string; readonly replacement: string } {
  if (text.includes(old) || !text.includes('\r\n')) return { old, replacement };
  return { old: withCrlf(old), replacement: withCrlf(replacement) };
}

function withCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

function occurrences(text: string, part: string, step: number): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + step)) starts.push(at);
  return starts;
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

function notFound({ text, old, path }: TextEdit): EditError {
  const fact = `text not found in ${path}`;
  const wanted =
    old
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  const lines = splitLines(text)
    .slice(0, COMPARED)
    .map((line) => line.trim());
  const nearest = nearestName(wanted, lines);
  if (nearest === undefined) return new EditError(`${fact}.`, [`<R:${path}>`]);
  const line = lines.indexOf(nearest) + 1;
  return new EditError(`${fact}. Nearest is line ${line}: ${nearest}`, [
    `<R:${path}:${Math.max(1, line - 2)}-${line + 2}>`,
  ]);
}

function ambiguous(lines: readonly number[], path: string): EditError {
  const named = lines.slice(0, NAMED_LINES).join(', ') + (lines.length > NAMED_LINES ? ', …' : '');
  return new EditError(`text found ${lines.length} times (lines ${named}); add context or all=true`, [
    `<R:${path}:${lines[0]}>`,
  ]);
}
