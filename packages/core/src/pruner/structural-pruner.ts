import { CHAR_CAP, UNITS_PER_TOKEN } from '../protocol/limits.ts';
import type { PrunedText, PruneOptions, Pruner } from '../protocol/pruner.ts';
import type { TextFormat } from '../protocol/tool-definition.ts';
import { estimateOwnWords, estimateTokens, countCodePoints, isWithinUnits } from '../text-size/text-size.ts';
import { detectFormat, detectPrinted, isDiff } from './detect-format.ts';
import { extractHtmlText } from './html-text.ts';
import { formatNotice, type PruneLimits } from './notice.ts';
import { splitTextLines } from './outline.ts';
import { pruneJson } from './prune-json.ts';
import { prune, pruneWithRest } from './prune.ts';
import { rankCode, rankDiff, rankEnds, rankLog, rankPrinted } from './rank-lines.ts';
import { rankRows } from './rank-rows.ts';
import { pruneRankedLines } from './ranked-lines.ts';

const RANKINGS = { code: rankCode, log: rankLog, diff: rankDiff, csv: rankEnds, printed: rankPrinted, rows: rankRows };

/** Length below which a text is not shortened further, in units, however many tokens it has. */
const LEAST_UNITS = 200;

/** Default pruner of agents: it detects the format of a text, and keeps what matters in texts of that format. */
export const structuralPruner: Pruner = { prune: pruneToTokens };

/** Prunes to fewer and fewer units until the text has no more tokens than the cap allows. */
function pruneToTokens(text: string, options: PruneOptions = {}): PrunedText {
  const { cap = CHAR_CAP } = options;
  const tokens = cap / UNITS_PER_TOKEN;
  for (let units = cap; ;) {
    const pruned = pruneByFormat(text, { ...options, cap: units });
    const estimate = estimateTokens(pruned.text) + estimateOwnWords(pruned.text);
    if (estimate <= tokens || units <= LEAST_UNITS) return pruned;
    units = Math.max(LEAST_UNITS, Math.floor(units * Math.min(0.95, tokens / estimate)));
  }
}

// oxlint-disable-next-line no-control-regex
const COLOUR = /\x1b\[[\d;]*m/g;

function pruneByFormat(coloured: string, options: PruneOptions = {}): PrunedText {
  const { cap = CHAR_CAP, ref } = options;
  if (isWithinUnits(coloured, cap)) return { text: coloured };
  const limits = { cap, ref };
  const text = coloured.replace(COLOUR, '');
  if (text !== coloured) {
    const plain = replaceWhole(text, { limits, total: coloured.length, removed: 'colours' });
    if (plain !== undefined) return plain;
  }
  const format = options.format ?? 'markdown';
  if (format === 'plain') return pruneWithRest(text, options);
  const value = parseStructure(text);
  const json = value === undefined ? undefined : pruneJson(text, value, limits);
  if (json !== undefined) return json;
  const known = recognize(text, format);
  if (known === 'html') return pruneHtml(text, limits);
  const compact = known === 'log' ? narrowColumns(text) : text;
  if (compact !== text) {
    const plain = replaceWhole(compact, { limits, total: text.length, removed: 'spaces between columns' });
    if (plain !== undefined) return plain;
  }
  const { lines, leading } = splitTextLines(compact);
  // A place in a line would be another one in the coloured text, which is kept.
  if (lines.length < 2 && text !== coloured) return prune(text, options);
  if (!(known in RANKINGS) || lines.length < 2) return pruneWithRest(text, options);
  return pruneRankedLines({ ...RANKINGS[known as keyof typeof RANKINGS](lines), leading }, limits);
}

/** Returns the format that a text has; one of these names only says that the tool does not know it. */
function recognize(text: string, format: TextFormat): TextFormat {
  if (format === 'printed') return detectPrinted(text);
  // A command may print the changes of a project.
  if (format === 'log' && isDiff(text)) return 'diff';
  return format === 'markdown' || format === 'json' ? detectFormat(text) : format;
}

/** Code after its line number, and the marks below code: their columns belong together. */
const CODE_FRAME = /^\s*(?:\d+ {3,}\S|\d*\s*[|│┃>]|[~^])/;

/** Narrows the gaps between columns to two spaces, not those in code that has marks below it, and the last column. */
function narrowColumns(text: string): string {
  return text.includes('   ') ? text.split('\n').map(narrowLine).join('\n') : text;
}

function narrowLine(line: string): string {
  const end = /(?<! ) {3,}$/.exec(line)?.index;
  const filled = end === undefined ? line : line.slice(0, end);
  return CODE_FRAME.test(filled) ? filled : filled.replaceAll(/(\S) {3,}(?=\S)/g, '$1  ');
}

function parseStructure(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function pruneHtml(html: string, limits: PruneLimits): PrunedText {
  const text = extractHtmlText(html);
  const removed = `${countCodePoints(html)} chars of HTML -> text`;
  const whole = replaceWhole(text, { limits, total: html.length, removed });
  return whole ?? prune(text, { cap: limits.cap, ...(limits.ref !== undefined && { ref: limits.ref }) });
}

/** Returns a shorter form of a text with a notice of what was removed; undefined if that also exceeds the cap. */
function replaceWhole(
  text: string,
  { limits, total, removed }: { limits: PruneLimits; total: number; removed: string },
): PrunedText | undefined {
  const indicator = formatNotice(removed, limits.ref);
  const whole = `${text}\n${indicator}`;
  return isWithinUnits(whole, limits.cap)
    ? { text: whole, report: { total, shown: text.length, indicator } }
    : undefined;
}
