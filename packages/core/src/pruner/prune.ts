import { CHAR_CAP, INDICATOR_RESERVE } from '../protocol/limits.ts';
import type { PrunedText, PruneOptions } from '../protocol/tool-result.ts';
import { countCodePoints, countUnits, isWithinUnits, takeFirstUnits, takeLastUnits } from '../text-size/text-size.ts';
import { describeRemoved, formatNotice, formatRest, replaceByNotice, type PruneLimits } from './notice.ts';
import { parseOutline, splitTextLines, type OutlinedText } from './outline.ts';
import { divideCap, selectLines, shortenLine, type Selection } from './select-lines.ts';

/** Shares of the cap for the start and the end of a line. */
const HEAD_SHARE = 13 / 20;
const TAIL_SHARE = 5 / 20;

/**
 * Shortens a text of more than `cap` units so that its structure stays readable: keeps headings, the heads of tables,
 * the first items of every section, and the last line, which often holds a sum or conclusion. A line at the end reports
 * what was removed. Takes time in proportion to the length of the text.
 */
export function prune(text: string, options: PruneOptions = {}): PrunedText {
  return pruneText(text, options, false);
}

/** Shortens a text as `prune` does, with a tag for what is missing besides that for the whole text. */
export function pruneWithRest(text: string, options: PruneOptions): PrunedText {
  return pruneText(text, options, true);
}

function pruneText(
  text: string,
  { cap = CHAR_CAP, format = 'markdown', ref }: PruneOptions,
  offersRest: boolean,
): PrunedText {
  if (isWithinUnits(text, cap)) return { text };
  const limits = { cap, ref, offersRest };
  const source = splitTextLines(text);
  const [only] = source.lines;
  if (only === undefined) return replaceByNotice(source.lost, 0, limits);
  if (source.lines.length === 1) return pruneOneLine(only, source.leading + 1, limits);
  return pruneLines({ ...source, ...parseOutline(source.lines, format) }, limits);
}

type SourceText = OutlinedText & { readonly leading: number };
type Limits = PruneLimits & { readonly offersRest: boolean };

function pruneLines(source: SourceText, limits: Limits): PrunedText {
  const { cap } = limits;
  let reserve = INDICATOR_RESERVE;
  for (;;) {
    const selection = selectLines(source, divideCap(cap), reserve);
    const removesOnlyBlanks = source.lines.every((line, index) => selection.kept.has(index) || line.trim() === '');
    if (removesOnlyBlanks) {
      // The blank lines may be kept as well, if there is room.
      const whole = renderSelection(source, { ...selection, kept: new Set(source.lines.keys()) }, limits);
      if (isWithinUnits(whole.text, cap)) return whole;
    }
    const pruned = renderSelection(source, selection, limits);
    if (isWithinUnits(pruned.text, cap)) return pruned;
    const { indicator, total } = pruned.report;
    if (countUnits(indicator) <= reserve) return replaceByNotice(`${total} -> 0 items`, total, limits);
    // The notice is longer than usual: select again with room for it.
    reserve = countUnits(indicator);
  }
}

function renderSelection(
  source: SourceText,
  selection: Selection,
  { cap, ref, offersRest }: Limits,
): Required<PrunedText> {
  const { kept, last } = selection;
  const items = source.sections.flatMap((section) => section.items);
  const headings = source.structure.filter(({ isHeading }) => isHeading);
  const { output, clipped } = shortenLines(source, kept, cap);
  const beforeLast = items.at(-2);
  // The last line of the text is also the last of the output.
  if (last !== undefined && beforeLast !== undefined && !kept.has(beforeLast)) output.splice(-1, 0, '…');
  const counts = {
    items: { total: items.length, shown: items.filter((index) => kept.has(index)).length },
    headings: { total: headings.length, shown: headings.filter(({ index }) => kept.has(index)).length },
    clipped,
  };
  const rest = offersRest ? formatRest({ ...source, isShown: (index) => kept.has(index) }, ref) : '';
  const indicator = formatNotice((describeRemoved(counts) || source.lost) + rest, ref);
  return { text: [...output, indicator].join('\n'), report: { ...counts.items, indicator } };
}

/** Shortens the selected lines, and puts a blank line above every section. */
function shortenLines(source: OutlinedText, kept: ReadonlySet<number>, cap: number) {
  const { headLine, itemLine } = divideCap(cap);
  const structural = new Set(source.structure.map(({ index }) => index));
  const starts = new Set(source.sections.map(({ heading }) => heading));
  const output: string[] = [];
  let clipped = 0;
  for (const [index, line] of source.lines.entries()) {
    if (!kept.has(index)) continue;
    const short = shortenLine(line, structural.has(index) ? headLine : itemLine);
    if (short !== line) clipped++;
    if (starts.has(index) && output.length > 0 && output.at(-1)?.trim() !== '') output.push('');
    output.push(short);
  }
  return { output, clipped };
}

/** Shortens a text of one line to its start, the number of removed characters, and its end. */
function pruneOneLine(line: string, number: number, limits: Limits): PrunedText {
  const { cap, ref, offersRest } = limits;
  const total = countCodePoints(line);
  const onlyBlanks = formatNotice('blank lines', ref);
  const whole = `${line}\n${onlyBlanks}`;
  if (isWithinUnits(whole, cap)) return { text: whole, report: { total, shown: total, indicator: onlyBlanks } };
  const describe = (shown: number, from: number): string => {
    const rest = offersRest && ref !== undefined ? `; rest: <R:${ref}:${number}@${from}>` : '';
    return formatNotice(`${total} -> ${shown} chars${rest}`, ref);
  };
  const cutMiddle = (headUnits: number, tailUnits: number) => {
    const start = takeFirstUnits(line, headUnits);
    const end = takeLastUnits(line, tailUnits);
    const shown = countCodePoints(start) + countCodePoints(end);
    const indicator = describe(shown, start.length + 1);
    return {
      text: `${start}\n${describeGap(total - shown)}\n${end}\n${indicator}`,
      report: { total, shown, indicator },
    };
  };
  const usual = cutMiddle(cap * HEAD_SHARE, cap * TAIL_SHARE);
  if (isWithinUnits(usual.text, cap)) return usual;
  const longestNotice = describe(total, line.length);
  const room = cap - countUnits(`\n${describeGap(total)}\n${longestNotice}`);
  // A long word cut in two may measure slightly more than in one piece.
  for (let left = room; left > 0; left--) {
    const head = (left * HEAD_SHARE) / (HEAD_SHARE + TAIL_SHARE);
    const cut = cutMiddle(head, left - head);
    if (isWithinUnits(cut.text, cap)) return cut;
  }
  return replaceByNotice(`${total} -> 0 chars`, total, limits);
}

function describeGap(removed: number): string {
  return `… [+${removed} chars] …`;
}
