import type { EditBlock } from './edit-blocks.ts';
import { splitLines } from './text-lines.ts';

/** A part of a text, and the text that replaces it. */
export interface Replacement extends EditBlock {
  readonly start: number;
  /** True when the part was found only by ignoring blanks. */
  readonly forgiven?: boolean;
}

/**
 * Finds whole lines that equal the given ones except for trailing blanks and their indentation: all may be moved by the
 * same, or else the levels of indentation may be others, or none. The new lines get the indentation of the text.
 */
export function findWithoutBlanks(text: string, block: EditBlock): readonly Replacement[] {
  const wanted = splitLines(block.old).map((line) => line.trimEnd());
  while (wanted.at(-1) === '') wanted.pop();
  if (wanted.length === 0) return [];
  const by = splitLines(block.new).map((line) => (line.trim() === '' ? '' : line.replace(/\r?\n$/, '')));
  const lines = splitLines(text);
  const bare = wanted.map((line) => line.trim());
  const found: { readonly part: Replacement; readonly areMoved: boolean }[] = [];
  let start = 0;
  for (const [at, line] of lines.entries()) {
    if (line.trim() === bare[0]) {
      const part = lines.slice(at, at + bare.length);
      const isSame = part.length === bare.length && part.every((own, index) => own.trim() === bare[index]);
      const indented = isSame ? indentLike(by, { wanted, part, text }) : undefined;
      if (indented !== undefined) {
        const old = part.join('');
        const ending = /\r?\n$/.exec(line)?.[0] ?? '\n';
        const end = by.length > 0 && old.endsWith('\n') ? ending : '';
        const replaced = { start, old, new: indented.by.join(ending) + end, forgiven: true };
        found.push({ part: replaced, areMoved: indented.areMoved });
      }
    }
    start += line.length;
  }
  const moved = found.filter(({ areMoved }) => areMoved);
  return (moved.length > 0 ? moved : found).map(({ part }) => part);
}

/** Lines as they were sent, and as the text has them. */
interface MatchedLines {
  readonly wanted: readonly string[];
  readonly part: readonly string[];
  readonly text: string;
}

/** New lines with the indentation of a text. */
interface IndentedLines {
  readonly by: readonly string[];
  /** True if the lines of the text differ from those that were sent by one indentation before all of them. */
  readonly areMoved: boolean;
}

/**
 * Returns new lines with the indentation that they would have in a text; undefined if what was sent does not tell.
 */
function indentLike(by: readonly string[], { wanted, part, text }: MatchedLines): IndentedLines | undefined {
  const pairs = wanted.flatMap((line, index) =>
    line === '' ? [] : [{ from: takeIndent(line), to: takeIndent(part[index]!) }],
  );
  const least = pairs.reduce((a, b) => (b.from.length < a.from.length ? b : a));
  const areMoved = pairs.every(({ from, to }) => to === least.to + from.slice(least.from.length));
  const levels = new Map(pairs.map(({ from, to }) => [from, to]));
  if (pairs.every(({ from, to }) => levels.get(from) === to) && areInOrder(levels)) {
    return { by: by.map((line) => indentLine(line, levels, text)), areMoved };
  }
  // Lines of several levels were sent at one, as a search shows them: only lines that stay where they are have a level.
  const areFlat = levels.size === 1 && by.every((line) => line === '' || takeIndent(line) === least.from);
  if (!areFlat || by.length !== wanted.length) return undefined;
  return { by: by.map((line, index) => line && takeIndent(part[index]!) + line.trimStart()), areMoved: false };
}

/** Tests whether of two levels the deeper one is the deeper one in the text, too. */
function areInOrder(levels: ReadonlyMap<string, string>): boolean {
  const sorted = [...levels].toSorted(([a], [b]) => a.length - b.length);
  return sorted.every(([, to], index) => index === 0 || to.length > sorted[index - 1]![1].length);
}

/** Moves a line to the level that its indentation has in the text, and by what it is deeper than the nearest such. */
function indentLine(line: string, levels: ReadonlyMap<string, string>, text: string): string {
  if (line === '') return '';
  const indent = takeIndent(line);
  const nearest = [...levels.keys()]
    .filter((from) => indent.startsWith(from))
    .toSorted((a, b) => b.length - a.length)[0];
  if (nearest === undefined) return line;
  const deeper = indent.slice(nearest.length);
  return levels.get(nearest)! + adaptTabs(deeper, text) + line.slice(indent.length);
}

/** Number of spaces for a tab where the lines do not tell. */
const TAB_WIDTH = 4;

/** Writes an indentation with tabs where the text has only these, and with spaces where it has only spaces. */
function adaptTabs(indent: string, text: string): string {
  const [hasTabs, hasSpaces] = [/^\t+\S/m.test(text), /^ {2,}\S/m.test(text)];
  if (hasTabs && !hasSpaces) return indent.replaceAll(' '.repeat(TAB_WIDTH), '\t');
  return hasSpaces && !hasTabs ? indent.replaceAll('\t', ' '.repeat(TAB_WIDTH)) : indent;
}

function takeIndent(line: string): string {
  return /^[^\S\r\n]*/.exec(line)![0];
}
