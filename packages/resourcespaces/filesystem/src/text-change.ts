import { findNearestName, type LineRange, LineRangeError } from '@bae/core';
import { EditError, formatQuantity, type LinePatch, splitLines } from '@bae/workspace';

/** A text after a change, and which of its lines changed. */
export interface TextChange {
  readonly text: string;
  readonly first: number;
  readonly removed: number;
  readonly added: number;
  /** Lines of all the changes, when there were several. */
  readonly places?: readonly number[];
  /** Number of the first line as it was sent, when earlier edits of the same response have moved it. */
  readonly sentFirst?: number;
  /** Every place that changed, in order; line numbers are those of the text before. */
  readonly patches: readonly LinePatch[];
}

interface TextEdit {
  readonly text: string;
  readonly old: string;
  readonly replacement: string;
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
  const { old, replacement } = adaptLineBreaks(edit);
  // What overlaps itself is there more than once, but can be replaced only where it does not.
  const starts = findStarts(text, old, all ? old.length : 1);
  const [start] = starts;
  const places = starts.map(createLineCounter(text));
  if (start === undefined) throw createNotFoundError(edit);
  if (starts.length > 1 && !all) throw createAmbiguousError(places, path);
  const changed = text.split(old).join(replacement);
  const first = places[0]!;
  const removed = createLineCounter(text)(start + old.length - 1) - first + 1;
  const added = removed + (splitLines(changed).length - splitLines(text).length);
  return {
    text: changed,
    first,
    removed,
    added,
    ...(starts.length > 1 && { places }),
    patches: computePatches(text, starts, { old, replacement }),
  };
}

function adaptLineBreaks({ text, old, replacement }: TextEdit): Replacing {
  if (text.includes(old) || !text.includes('\r\n')) return { old, replacement };
  return { old: toCrlf(old), replacement: toCrlf(replacement) };
}

function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

function findStarts(text: string, part: string, step: number): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + step)) starts.push(at);
  return starts;
}

function createNotFoundError({ text, old, path }: TextEdit): EditError {
  const fact = `text not found in ${path}`;
  const wanted = old.trim().split('\n', 1)[0]!.trim();
  const lines = splitLines(text)
    .slice(0, COMPARED)
    .map((line) => line.trim());
  const nearest = findNearestName(wanted, lines);
  if (nearest === undefined) return new EditError(`${fact}.`, [`<R:${path}>`]);
  const line = lines.indexOf(nearest) + 1;
  return new EditError(`${fact}. Nearest is line ${line}: ${nearest}`, [
    `<R:${path}:${Math.max(1, line - 2)}-${line + 2}>`,
  ]);
}

function createAmbiguousError(lines: readonly number[], path: string): EditError {
  const named = lines.slice(0, NAMED_LINES).join(', ') + (lines.length > NAMED_LINES ? ', …' : '');
  return new EditError(`text found ${lines.length} times (lines ${named}); add context or all=true`, [
    `<R:${path}:${lines[0]}>`,
  ]);
}

type Replacing = Pick<TextEdit, 'old' | 'replacement'>;

/** Which lines are touched when a text is replaced at ascending indices, also where only a part of a line is. */
function computePatches(text: string, starts: readonly number[], replacing: Replacing): readonly LinePatch[] {
  const grown = countBreaks(replacing.replacement) - countBreaks(replacing.old);
  const countLine = createLineCounter(text);
  const patches: LinePatch[] = [];
  let [moved, end] = [0, 0];
  for (const start of starts) {
    const first = countLine(start);
    const last = countLine(start + replacing.old.length) - (isAtLineEnd(text, start, replacing) ? 1 : 0);
    const before = first > end ? undefined : patches.pop();
    const removed = before === undefined ? last - first + 1 : before.removed + last - end;
    const added = removed + grown + (before === undefined ? 0 : before.added - before.removed);
    patches.push({ first: before?.first ?? first + moved, removed, added });
    moved += grown;
    end = last;
  }
  return patches;
}

/** True when what is replaced, and what takes its place, ends where a line ends. */
function isAtLineEnd(text: string, start: number, { old, replacement }: Replacing): boolean {
  if (!old.endsWith('\n')) return false;
  const isWholeLine = start === 0 || text[start - 1] === '\n';
  return start + old.length === text.length || replacement.endsWith('\n') || (replacement === '' && isWholeLine);
}

/** Counts lines up to an index, for indices that only grow. */
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

/** A text, and which of its lines are to become what; an empty body deletes them. */
interface LineEdit {
  readonly text: string;
  readonly range: LineRange;
  readonly path: string;
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
export function replaceLines({ text, range, path, body, form }: LineEdit): TextChange {
  const lines = splitLines(text);
  const [first, end] = range;
  const last = end ?? Math.max(lines.length, first);
  // Lines that were divided at line feeds, without the last one, end with half of a CRLF.
  const isHalf = body.endsWith('\r') && getLineBreak(lines[Math.min(last, lines.length) - 1]) === '\r\n';
  const inserted = form === 'ended' ? parseLines(isHalf ? `${body}\n` : body) : splitBody(body);
  if (first === lines.length + 1) {
    if (inserted.length === 0) throw new EditError('there is nothing to append: the body is empty.', [`<R:${path}>`]);
    const own = getLineBreak(lines.at(-1));
    const ending = own ?? getLineBreak(lines.at(-2)) ?? '\n';
    const gap = lines.length > 0 && own === undefined ? ending : '';
    const end = inserted.map((line) => line.text + ending).join('');
    return createLineChange(text + gap + end, { first, removed: 0, added: inserted.length });
  }
  if (last > lines.length) throw createBeyondError(range, lines.length, path);
  const replaced = lines.slice(first - 1, last);
  const ending = getLineBreak(replaced[0]) ?? getLineBreak(lines[first - 2]) ?? '\n';
  const middle = renderReplacement(replaced, inserted, ending);
  const changed = lines.slice(0, first - 1).join('') + middle + lines.slice(last).join('');
  return createLineChange(changed, { first, removed: replaced.length, added: inserted.length });
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

export function createBeyondError([first, end]: LineRange, total: number, path: string): LineRangeError {
  const asked = end === null ? `${first}-` : first === end ? `${first}` : `${first}-${end}`;
  return new LineRangeError(`${path} has ${formatQuantity(total, 'line')}; asked for ${asked}.`, [
    `<E:${path}:${total + 1}>`,
    `<R:${path}>`,
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
