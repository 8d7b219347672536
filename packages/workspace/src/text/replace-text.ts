import { findNearestName, type LineRange } from '@bae/core';
import { EditError } from '../errors.ts';
import type { LinePatch } from '../file/seen-files.ts';
import type { EditBlock } from './edit-blocks.ts';
import { findWithoutBlanks, type Replacement } from './match-lines.ts';
import { createBeyondError, type TextChange } from './replace-lines.ts';
import { renderRange, splitLines } from './text-lines.ts';

interface Replacements {
  readonly text: string;
  readonly blocks: readonly EditBlock[];
  readonly every: boolean;
  /** The name of the text in messages. */
  readonly name: string;
  /** Lines in which the texts occur. Default: all lines */
  readonly within?: LineRange | undefined;
}

/** Maximum number of lines that are compared to find the nearest one. */
const COMPARED = 5000;
const NAMED_LINES = 20;

/**
 * Replaces the only occurrence of each of some texts, or every occurrence; all of them or none. In a text with CRLF,
 * line breaks in the given texts match CRLF if necessary; differences in trailing blanks and in the common indentation
 * are ignored.
 *
 * @throws EditError when a text does not occur, or occurs more than once without `every`, or two of them overlap
 */
export function replaceText({ blocks, ...where }: Replacements): TextChange {
  const { text, name } = where;
  const found = blocks.flatMap((block) => findReplacements({ ...where, block })).toSorted((a, b) => a.start - b.start);
  const places = found.map(({ start }) => start).map(createLineCounter(text));
  for (const [index, { start, old }] of found.entries()) {
    const next = found[index + 1];
    if (next === undefined || start + old.length <= next.start) continue;
    const lines = `${places[index]} and ${places[index + 1]}`;
    throw new EditError(`two of the parts overlap (lines ${lines}). Send them as one. Nothing was changed.`, [
      `<R:${name}>`,
    ]);
  }
  let changed = '';
  let at = 0;
  for (const part of found) {
    changed += text.slice(at, part.start) + part.new;
    at = part.start + part.old.length;
  }
  changed += text.slice(at);
  const last = found.at(-1)!;
  const first = places[0]!;
  const removed = createLineCounter(text)(last.start + last.old.length - 1) - first + 1;
  const added = removed + (splitLines(changed).length - splitLines(text).length);
  const forgiven = places.filter((_, index) => found[index]!.forgiven === true);
  return {
    text: changed,
    first,
    removed,
    added,
    ...(found.length > 1 && { places }),
    ...(forgiven.length > 0 && { forgiven }),
    patches: computePatches(text, found),
  };
}

/**
 * Returns the first and the last line, 1-based, of the only occurrence of a text; blanks may differ as for a
 * replacement.
 *
 * @throws EditError when the text does not occur, or occurs more than once
 */
export function findLinesOf(wanted: Omit<WantedBlock, 'every'>): readonly [number, number] {
  const [{ start, old }] = findReplacements({ ...wanted, every: false }) as [Replacement];
  const countLine = createLineCounter(wanted.text);
  return [countLine(start), countLine(start + old.replace(/\r?\n$/, '').length)];
}

interface WantedBlock extends Omit<Replacements, 'blocks'> {
  readonly block: EditBlock;
}

function findReplacements({ text, block, every, name, within }: WantedBlock): readonly Replacement[] {
  if (block.old === '') throw new EditError('old is empty. Give the text to replace.', [`<R:${name}>`]);
  const exact = adaptLineBreaks(text, block);
  // Overlapping occurrences count as several, but only those that do not overlap can all be replaced.
  const [from, to] = within === undefined ? [0, text.length] : findLines(text, within, name);
  const isWithin = (start: number, old: string): boolean => start >= from && start + old.length <= to;
  const starts = findStarts(text, exact.old, every ? exact.old.length : 1).filter((at) => isWithin(at, exact.old));
  const isLineStart = (at: number): boolean => at === 0 || text[at - 1] === '\n';
  const whole = (): readonly Replacement[] =>
    findWithoutBlanks(text, block).filter(({ start, old }) => isWithin(start, old));
  const exactly = starts.map((start) => ({ start, ...exact }));
  // Lines that were sent without their indentation are found as the rest of a line, too, and their new text lacks it.
  const mayLackIndent = block.areLines === true && starts.length > 0 && !starts.some(isLineStart);
  const indented = mayLackIndent ? whole() : [];
  const isIndented =
    indented.length === starts.length && starts.every((at) => indented.some((one) => holdsOffset(one, at)));
  const found = starts.length === 0 ? whole() : isIndented ? indented : exactly;
  if (found.length === 0) throw createNotFoundError(text, block.old, { name, within });
  if (found.length > 1 && !every) {
    const lines = found.map(({ start }) => start).map(createLineCounter(text));
    throw createRepeatedTextError(lines, name);
  }
  return block.areLines === true && block.new === '' ? found.map((part) => takeLineBreak(text, part, block)) : found;
}

/** Lets the line break after whole lines go with them. */
function takeLineBreak(text: string, part: Replacement, { lacksBreak = false }: EditBlock): Replacement {
  const end = part.start + part.old.length;
  const isWhole = (lacksBreak || !part.old.endsWith('\n')) && (part.start === 0 || text[part.start - 1] === '\n');
  const [lineBreak = ''] = /^\r?\n/.exec(text.slice(end, end + 2)) ?? [];
  return isWhole ? { ...part, old: part.old + lineBreak } : part;
}

/** Returns the offsets at which lines begin and end. */
function findLines(text: string, range: LineRange, name: string): readonly [number, number] {
  const lines = splitLines(text);
  const [first, last] = [range[0], range[1] ?? lines.length];
  if (Math.max(first, last) > lines.length) throw createBeyondError(range, lines.length, name);
  const from = lines.slice(0, first - 1).join('').length;
  return [from, from + lines.slice(first - 1, last).join('').length];
}

function adaptLineBreaks(text: string, { old, new: by }: EditBlock): EditBlock {
  if (text.includes(old) || !text.includes('\r\n')) return { old, new: by };
  return { old: toCrlf(old), new: toCrlf(by) };
}

function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

function holdsOffset({ start, old }: Replacement, at: number): boolean {
  return at >= start && at < start + old.length;
}

function findStarts(text: string, part: string, step: number): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + step)) starts.push(at);
  return starts;
}

function createNotFoundError(
  text: string,
  old: string,
  { name, within }: Pick<WantedBlock, 'name' | 'within'>,
): EditError {
  const part =
    within === undefined ? '' : within[1] === null ? `:${within[0]}-` : `:${renderRange(within[0], within[1])}`;
  const fact = `text not found in ${name}${part}`;
  const wanted = old.trim().split('\n', 1)[0]!.trim();
  const lines = splitLines(text)
    .slice(0, COMPARED)
    .map((line) => line.trim());
  const nearest = findNearestName(wanted, lines);
  if (nearest === undefined) return new EditError(`${fact}.`, [`<R:${name}>`]);
  const line = lines.indexOf(nearest) + 1;
  return new EditError(`${fact}. Nearest is line ${line}: ${nearest}`, [
    `<R:${name}:${Math.max(1, line - 2)}-${line + 2}>`,
  ]);
}

function createRepeatedTextError(lines: readonly number[], name: string): EditError {
  const named = lines.slice(0, NAMED_LINES).join(', ') + (lines.length > NAMED_LINES ? ', …' : '');
  return new EditError(`text found ${lines.length} times (lines ${named}); add context or every=true`, [
    `<R:${name}:${lines[0]}>`,
  ]);
}

/** Computes the lines that change when parts of a text are replaced, including lines of which only a part changes. */
function computePatches(text: string, parts: readonly Replacement[]): readonly LinePatch[] {
  const countLine = createLineCounter(text);
  const patches: LinePatch[] = [];
  let [moved, end] = [0, 0];
  for (const part of parts) {
    const grown = countBreaks(part.new) - countBreaks(part.old);
    const first = countLine(part.start);
    const last = countLine(part.start + part.old.length) - (isAtLineEnd(text, part) ? 1 : 0);
    const before = first > end ? undefined : patches.pop();
    const removed = before === undefined ? last - first + 1 : before.removed + last - end;
    const added = removed + grown + (before === undefined ? 0 : before.added - before.removed);
    patches.push({ first: before?.first ?? first + moved, removed, added });
    moved += grown;
    end = last;
  }
  return patches;
}

/** Returns true when both the replaced text and its replacement end at the end of a line. */
function isAtLineEnd(text: string, { start, old, new: by }: Replacement): boolean {
  if (!old.endsWith('\n')) return false;
  const isWholeLine = start === 0 || text[start - 1] === '\n';
  return start + old.length === text.length || by.endsWith('\n') || (by === '' && isWholeLine);
}

/** Creates a function that counts the lines up to an index; indices must not decrease between calls. */
function createLineCounter(text: string): (index: number) => number {
  let line = 1;
  let from = 0;
  return (index) => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < index; at = text.indexOf('\n', from)) {
      line++;
      from = at + 1;
    }
    return line;
  };
}

function countBreaks(text: string): number {
  return text.split('\n').length - 1;
}
