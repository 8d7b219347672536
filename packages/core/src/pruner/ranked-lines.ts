import { INDICATOR_RESERVE, LINE_CAP } from '../protocol/limits.ts';
import type { PrunedText } from '../protocol/tool-result.ts';
import { countUnits, formatCount, isWithinUnits, takeFirstUnits, takeLastUnits } from '../text-size/text-size.ts';
import { describeRemoved, formatNotice, formatRest, replaceByNotice, type PruneLimits } from './notice.ts';
import { shortenLine } from './select-lines.ts';

/** Lines of a text, ranked by which of them are kept if not all fit. */
export interface RankedLines {
  readonly lines: readonly string[];
  /** Number of lines of the text before these. Default: 0 */
  readonly leading?: number;
  /** Rank of each line: lines with the lowest rank are kept first, and of the same rank the first in the text. */
  readonly ranks: readonly number[];
  /** Number of consecutive repetitions of a line, by the index of the first; the others have the rank Infinity. */
  readonly repeats?: ReadonlyMap<number, number>;
  /**
   * Alternative to marks at gaps: `numbers` before all lines, `none`, or for a text with one gap a `tag` that shows what
   * is missing, instead of a notice at the end. Default: gaps are marked.
   */
  readonly gaps?: 'numbers' | 'none' | 'tag';
  /**
   * Path at the start of each line that is a row of a search: it is shown once for consecutive rows. Rows are counted
   * without the notes between them, which have none.
   */
  readonly paths?: readonly (string | undefined)[];
  /** Words in lower case, of which the first that is in a row stays when the row is shortened. */
  readonly words?: readonly string[];
  /** What is shown at gaps when there is little room. Default: `numbers` */
  readonly shortGaps?: 'numbers' | 'none';
  /** Returns a line without its time or the folder in it, for when there is little room. */
  readonly shorten?: (line: string) => string;
  /** Returns what is added to lines, by index, given the indexes of the lines that are kept. */
  readonly describeAlike?: (kept: ReadonlySet<number>) => ReadonlyMap<number, string>;
  /** Returns a line about what is missing, given the indexes of the lines that are kept. */
  readonly describeLost?: (kept: ReadonlySet<number>) => string | undefined;
}

/** Maximum rank of the lines that must be kept; they are shortened to `SHORT_LINE` units if necessary. */
export const MUST_STAY = 1;
/** Maximum rank of the lines for which all lines are shortened, and their times left out. */
export const SHOULD_STAY = 1.1;
/** Rank of why a test failed: after the totals, and before other failures than the first ones, which have the next. */
export const REASON_RANK = 1.35;
export const NEXT_ERROR_RANK = 2.5;

/** Number of units by which the room for the notice grows at least when it is too small. */
const LEAST_STEP = 16;

const SHORT_LINE = 90;
/** Lengths that are tried next, with numbers instead of marks at gaps; of shorter lines too little can be read. */
const SHORTER_LINES = [90, 60];
/** Lengths to which the rows of a search are shortened before any is left out, without their paths, in units. */
const ROW_LENGTHS = [160, 120, 90, 60];
/** Length of what is kept before the word that a row was found by, in characters. */
const BEFORE_WORD = 16;
/** Number of gaps between rows that are named at least, and the units of the limit from which there is one more. */
const LEAST_GAPS = 3;
const UNITS_PER_GAP = 300;
/** Length of a gap mark, `… lines 1200-3400`, in units. */
const GAP_COST = 22;
/** Length of the number before a line, in units. */
const NUMBER_COST = 6;

/**
 * Keeps the lines with the lowest ranks, in order, with line numbers or with marks that give the numbers of the lines
 * in between.
 */
export function pruneRankedLines(text: RankedLines, limits: PruneLimits): PrunedText {
  const { cap, ref } = limits;
  const total = text.lines.length;
  for (let reserve = INDICATOR_RESERVE; reserve < cap;) {
    const { kept, longest, form = text } = selectRanked(text, cap - reserve);
    const { output, clipped, mark } = renderKept(form, kept, { longest, ref });
    const items = text.paths !== undefined ? countRows(text, kept) : { total, shown: kept.size };
    const removed =
      describeRemoved({ items, headings: { total: 0, shown: 0 }, clipped }) ||
      (text.paths === undefined ? 'repeated lines' : 'repeated names of files');
    const named = text.paths !== undefined ? removed.replace(' items', ' rows') : removed;
    const shown = listShown(text, kept);
    const rest =
      mark === undefined
        ? formatRest(
            { ...text, isShown: (index) => shown.has(index) },
            ref,
            text.paths && Math.max(LEAST_GAPS, Math.floor(cap / UNITS_PER_GAP)),
          )
        : '';
    const notice = formatNext(text, kept, ref) ?? formatNotice(named + rest, ref);
    const lost = text.describeLost?.(kept);
    const isMarked = mark !== undefined && clipped === 0;
    const pruned = [...output, ...(lost === undefined ? [] : [lost]), ...(isMarked ? [] : [notice])].join('\n');
    const indicator = isMarked ? mark : notice;
    const excess = countUnits(pruned) - cap;
    if (excess <= 0) return { text: pruned, report: { ...items, indicator } };
    reserve += Math.max(excess, LEAST_STEP);
  }
  return replaceByNotice(`${total} -> 0 items`, total, limits);
}

function isRow({ ranks }: RankedLines, index: number): boolean {
  return ranks[index]! > MUST_STAY;
}

function countRows(text: RankedLines, kept: ReadonlySet<number>) {
  const rows = [...text.lines.keys()].filter((index) => isRow(text, index));
  return { total: rows.length, shown: rows.filter((index) => kept.has(index)).length };
}

/** Formats `[38 of 67 rows; next: <R:result:1:39-67>]` if the rows that are kept are the first ones. */
function formatNext(text: RankedLines, kept: ReadonlySet<number>, ref: string | undefined): string | undefined {
  if (text.paths === undefined || ref === undefined) return undefined;
  const { total, shown } = countRows(text, kept);
  for (let index = 0; index < total; index++) {
    if (!isRow(text, index) || kept.has(index) !== index < shown) return undefined;
  }
  return shown === 0 || shown === total
    ? undefined
    : `[${shown} of ${total} rows; next: <R:${ref}:${shown + 1}-${total}>]`;
}

/** Returns the indexes of the lines that are kept, and of those that a kept line stands for. */
function listShown({ repeats }: RankedLines, kept: ReadonlySet<number>): ReadonlySet<number> {
  if (repeats === undefined || repeats.size === 0) return kept;
  const shown = new Set(kept);
  for (const index of kept) for (let more = (repeats.get(index) ?? 1) - 1; more > 0; more--) shown.add(index + more);
  return shown;
}

/**
 * Selects the lines to keep, and the maximum length of a line: long lines are shortened more if that makes room for
 * lines that must be kept.
 */
function selectRanked(text: RankedLines, budget: number): SelectedLines {
  const longest = text.gaps === 'tag' ? Math.floor(budget / 4) : Math.min(LINE_CAP, Math.floor(budget / 4));
  const kept = selectWithin(text, budget, longest);
  if (text.paths !== undefined) {
    let rows: SelectedLines = { kept, longest };
    // The beginnings of more rows say more than fewer rows in full.
    for (const units of ROW_LENGTHS.filter((length) => length < longest)) {
      if (rows.kept.size === text.lines.length) break;
      const more = selectWithin(text, budget, units);
      if (more.size > rows.kept.size) rows = { kept: more, longest: units };
    }
    return rows;
  }
  const areAllKept = (some: ReadonlySet<number>) =>
    text.ranks.every((rank, index) => rank > SHOULD_STAY || some.has(index));
  if (areAllKept(kept)) return { kept, longest };
  const shorter = Math.min(SHORT_LINE, longest);
  const short = { kept: selectWithin(text, budget, shorter), longest: shorter };
  if (text.gaps !== undefined || areAllKept(short.kept)) return short;
  // The number of a line, or nothing, takes less room than a mark at each gap.
  const { lines, shorten = (line) => line, shortGaps = 'numbers' } = text;
  const form: RankedLines = { ...text, lines: lines.map(shorten), gaps: shortGaps };
  const numbered = SHORTER_LINES.filter((units) => units < longest).map((units): SelectedLines => {
    return { kept: selectWithin(form, budget, units), longest: units, form };
  });
  return numbered.find((one) => areAllKept(one.kept)) ?? numbered.at(-1) ?? short;
}

interface SelectedLines {
  readonly kept: ReadonlySet<number>;
  /** Maximum length of a line, in units. */
  readonly longest: number;
  /** Form of the text from which they are taken, if it is not the text itself. */
  readonly form?: RankedLines;
}

function selectWithin(text: RankedLines, budget: number, longest: number): Set<number> {
  const { lines, ranks, gaps } = text;
  const kept = new Set<number>();
  const named = new Set<string>();
  const isEdge = (index: number) => index < 0 || index >= lines.length || kept.has(index);
  const order = [...lines.keys()]
    .filter((index) => ranks[index] !== Infinity)
    .toSorted((a, b) => ranks[a]! - ranks[b]!);
  let left = budget - GAP_COST;
  for (const index of order) {
    const newGaps = 1 - Number(isEdge(index - 1)) - Number(isEdge(index + 1));
    const place = gaps === undefined ? newGaps * GAP_COST : gaps === 'numbers' ? NUMBER_COST : 0;
    const path = text.paths?.[index];
    const isNamed = path !== undefined && named.has(path);
    left -= countUnits(renderLine(text, index, { longest, isNamed })) + 1 + place;
    if (left < 0) break;
    kept.add(index);
    if (path !== undefined) named.add(path);
  }
  if ((gaps === undefined || gaps === 'tag') && kept.size > 0) fillShortGaps(text, kept, longest);
  return kept;
}

/** Keeps the lines of a gap that take no more room than was reserved for its mark. */
function fillShortGaps(text: RankedLines, kept: Set<number>, longest: number): void {
  for (let start = 0, end = 0; start < text.lines.length; start = end + 1) {
    let size = 0;
    for (end = start; end < text.lines.length && !kept.has(end); end++)
      if (size <= GAP_COST && text.ranks[end] !== Infinity) size += countUnits(renderLine(text, end, { longest })) + 1;
    if (size > GAP_COST) continue;
    for (let index = start; index < end; index++) if (text.ranks[index] !== Infinity) kept.add(index);
  }
}

/**
 * Renders a line as it is shown. A line between the rows of a search that is not a row is a note, which may have up to
 * `LINE_CAP` units. The path of a row is no part of its length, and is left out after a row of the same file.
 */
function renderLine(
  { lines, ranks, repeats, gaps, paths, words }: RankedLines,
  index: number,
  { longest, isNamed = false }: { readonly longest: number; readonly isNamed?: boolean },
): string {
  const line = lines[index]!;
  const { length } = paths?.[index] ?? '';
  // Without its path and number, a row says nothing.
  if (length > 0 && length <= LINE_CAP) {
    const row = cutAround(line.slice(length + 1), longest, words);
    return isNamed ? `  ${row}` : `${line.slice(0, length + 1)}${row}`;
  }
  const isNote = gaps === 'none' && ranks[index]! <= MUST_STAY;
  const short = cutShort(line, isNote ? LINE_CAP : longest);
  const times = repeats?.get(index) ?? 1;
  return times === 1 ? short : `${short} [×${times}]`;
}

/** Shortens a row, `12: const …found = search(…`, so that its number and the first of the words stay. */
function cutAround(row: string, most: number, words: readonly string[] = []): string {
  if (isWithinUnits(row, most)) return row;
  const start = row.indexOf(': ') + 2;
  const low = row.toLowerCase();
  const at = words.map((word) => low.indexOf(word, start)).find((found) => found !== -1) ?? 0;
  // What is behind the word may leave room for more before it.
  const room = most - countUnits(`${row.slice(0, start)}…`);
  const from = Math.min(at - BEFORE_WORD, row.length - takeLastUnits(row, room).length);
  const isNear = from <= start || isWithinUnits(row.slice(0, at + BEFORE_WORD), most);
  if (isNear) return cutShort(row, most);
  // The cut may leave the half of a surrogate pair.
  const rest = row.slice(from).replace(/^[\udc00-\udfff]/, '');
  return cutShort(`${row.slice(0, start)}…${rest}`, most);
}

/** Shortens a line; a very short one has no room for the number of characters that are left out. */
function cutShort(line: string, most: number): string {
  if (most > SHORT_LINE || isWithinUnits(line, most)) return shortenLine(line, most);
  return `${takeFirstUnits(line, most - 1)}…`;
}

function renderKept(
  text: RankedLines,
  kept: ReadonlySet<number>,
  { longest, ref }: { readonly longest: number; readonly ref: string | undefined },
) {
  const { lines, leading = 0, repeats, gaps } = text;
  const output: string[] = [];
  let mark: string | undefined;
  const alike = text.describeAlike?.(kept);
  let clipped = 0;
  let next = 0;
  let above: string | undefined;
  const markGap = (end: number) => {
    if (gaps === 'numbers' || gaps === 'none' || end <= next) return;
    if (gaps === 'tag') {
      const tag = ref === undefined ? '' : `: <R:${ref}:${leading + next + 1}-${leading + end}>`;
      mark = `[… ${end - next} of ${formatCount(lines.length, 'line')} left out${tag}]`;
      output.push(mark);
      return;
    }
    // Blank lines are no loss.
    if (lines.slice(next, end).every((line) => line.trim() === '')) output.push('');
    else output.push(end === next + 1 ? `… line ${leading + end}` : `… lines ${leading + next + 1}-${leading + end}`);
  };
  for (const index of [...kept].toSorted((a, b) => a - b)) {
    markGap(index);
    const path = text.paths?.[index];
    const short = renderLine(text, index, { longest, isNamed: path !== undefined && path === above });
    above = path;
    if (!short.includes(path === undefined ? lines[index]! : lines[index]!.slice(path.length + 1))) clipped++;
    const line = short + (alike?.get(index) ?? '');
    output.push(gaps === 'numbers' ? `${leading + index + 1}: ${line}` : line);
    next = index + (repeats?.get(index) ?? 1);
  }
  markGap(lines.length);
  return { output, clipped, mark };
}
