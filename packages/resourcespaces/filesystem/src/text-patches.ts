import type { LinePatch } from '@bae/workspace';

/** Lines of the old text that are touched, and how many more there are afterwards. */
interface Region {
  readonly first: number;
  readonly last: number;
  readonly grown: number;
}

/** A text and what takes its place. */
interface Replacing {
  readonly old: string;
  readonly replacement: string;
}

/**
 * Which lines are touched when a text is replaced in places. A line of which only a part is replaced is touched.
 *
 * @param starts indices of the places, ascending
 */
export function textPatches(text: string, starts: readonly number[], replacing: Replacing): readonly LinePatch[] {
  const grown = breaksIn(replacing.replacement) - breaksIn(replacing.old);
  const lineAt = lineCounter(text);
  const regions: Region[] = [];
  for (const start of starts) {
    const end = start + replacing.old.length;
    const first = lineAt(start);
    const last = lineAt(end) - (endsWithLine(text, start, replacing) ? 1 : 0);
    const before = regions.at(-1);
    if (before === undefined || first > before.last) regions.push({ first, last, grown });
    else regions.splice(-1, 1, { first: before.first, last, grown: before.grown + grown });
  }
  let moved = 0;
  return regions.map(({ first, last, grown }) => {
    const removed = last - first + 1;
    const patch = { first: first + moved, removed, added: removed + grown };
    moved += grown;
    return patch;
  });
}

/** True when what is replaced, and what takes its place, ends where a line ends. */
function endsWithLine(text: string, start: number, { old, replacement }: Replacing): boolean {
  if (!old.endsWith('\n')) return false;
  if (start + old.length === text.length) return true;
  if (replacement.endsWith('\n')) return true;
  return replacement === '' && (start === 0 || text[start - 1] === '\n');
}

/** Tells the line of an index, for indices that only grow. */
function lineCounter(text: string): (index: number) => number {
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

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}
