import { MUST_STAY, SHOULD_STAY, type RankedLines } from './ranked-lines.ts';

/** Rank of the lines of a diff that are far from any change, above that of any hunk. */
const FAR_FROM_CHANGE = 1e9;
/** Added to the rank of the lines around a change: first come the changes of every file. */
const AROUND_CHANGE = 1e6;
/** Length of a line of a diff when there is little room, in characters. */
const SHORT_CHANGE = 16;
/** Number of changed lines of a hunk after which other files have their turn. */
const HUNK_PART = 30;
/** Number of lines around a change that belong to it. */
const DIFF_CONTEXT = 3;

/**
 * Ranks file names first, then the first change of every file, then whole hunks: the first of every file, then the second
 * of every file, and in each its changed lines before those around them. A part of a long hunk counts as a hunk. Lines
 * far from any change come last.
 */
export function rankDiff(lines: readonly string[]): RankedLines {
  const files = lines.filter((_, index) => isFileName(lines, index)).length + 1;
  const changed = new Set<number>();
  /** Number of the file. */
  let file = 0;
  /** Number of the hunk in the file. */
  let turn = -1;
  let inPart = 0;
  const places = lines.map((line, index) => {
    const isHeader = isDiffHeader(lines, index);
    if (isFileName(lines, index)) file++;
    if (isHeader) turn = -1;
    if (line.startsWith('@@')) {
      turn++;
      inPart = 0;
    } else if (!isHeader && turn >= 0 && /^[+-]/.test(line)) {
      changed.add(index);
      inPart++;
      if (inPart > HUNK_PART) {
        turn++;
        inPart = 1;
      }
    }
    return turn < 0 ? undefined : 2 + turn + file / files;
  });
  const first = findFirstChanges(lines, changed);
  const ranks = lines.map((line, index) => {
    const place = places[index];
    if (isFileName(lines, index)) return MUST_STAY;
    // One change says more about a file than its name alone.
    if (first.has(index)) return SHOULD_STAY;
    if (place === undefined) return FAR_FROM_CHANGE + 1;
    if (line.startsWith('@@') || changed.has(index)) return place;
    for (let near = 1; near <= DIFF_CONTEXT; near++)
      if (changed.has(index - near) || changed.has(index + near)) return AROUND_CHANGE + place;
    return FAR_FROM_CHANGE;
  });
  return { lines, ranks, shortGaps: 'none', shorten: shortenDiffLine };
}

/** Finds the first line that is added to each file of a diff, or else the first that is removed. */
function findFirstChanges(lines: readonly string[], changed: ReadonlySet<number>): ReadonlySet<number> {
  const first = new Set<number>();
  let last: number | undefined;
  lines.forEach((line, index) => {
    if (isFileName(lines, index)) last = undefined;
    else if (changed.has(index) && (last === undefined || (lines[last]!.startsWith('-') && line.startsWith('+')))) {
      if (last !== undefined) first.delete(last);
      first.add(index);
      last = index;
    }
  });
  return first;
}

/** Leaves the name of a file without its folder, and the beginning of a changed line. */
function shortenDiffLine(line: string): string {
  const name = line.replace(/^(?:\+\+\+|---) (?:\S*\/)?(?=[^/]+$)/, '');
  if (name !== line) return name;
  const change = line.replace(/^([+-])[ \t]+/, '$1');
  return change.length > SHORT_CHANGE ? `${change.slice(0, SHORT_CHANGE)}…` : change;
}

function isDiffHeader(lines: readonly string[], index: number): boolean {
  const line = lines[index]!;
  if (/^(?:diff --git|index|old mode|new mode|similarity|rename|Binary files) /.test(line)) return true;
  if (line.startsWith('--- ')) return lines[index + 1]?.startsWith('+++ ') === true;
  return line.startsWith('+++ ') && lines[index - 1]?.startsWith('--- ') === true;
}

/** Returns true for the one header that names a file of a diff: the new name, or the old name of a deleted file. */
function isFileName(lines: readonly string[], index: number): boolean {
  const line = lines[index]!;
  if (line.startsWith('+++ ')) return !line.includes('/dev/null');
  if (line.startsWith('--- ')) return lines[index + 1]?.startsWith('+++ /dev/null') === true;
  return /^(?:rename to|Binary files) /.test(line);
}
