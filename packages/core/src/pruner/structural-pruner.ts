import { CHAR_CAP, UNITS_PER_TOKEN } from '../protocol/limits.ts';
import type { PrunedText, PruneOptions, Pruner } from '../protocol/tool-result.ts';
import type { TextFormat } from '../protocol/tool-definition.ts';
import {
  estimateOwnWords,
  estimateTokens,
  countCodePoints,
  isWithinUnits,
  NAMED_CHARACTERS,
} from '../text-size/text-size.ts';
import { formatNotice, type PruneLimits } from './notice.ts';
import { isDeclaration } from './declarations.ts';
import { splitTextLines } from './outline.ts';
import { pruneJson } from './prune-json.ts';
import { prune, pruneWithRest } from './prune.ts';
import { isErrorLine } from './error-lines.ts';
import { rankCode, rankEnds, rankLog, rankPrinted, SUMMARY, SUMMARY_LINES } from './rank-lines.ts';
import { rankDiff } from './rank-diff.ts';
import { rankRows, isRowText } from './rank-rows.ts';
import { pruneRankedLines } from './ranked-lines.ts';

const SAMPLE = 200;

const DIFF = /^(?:diff --git |Index: |--- )[^\n]*(?:\n(?!@@)[^\n]*){0,8}\n@@ /;
const HTML = /^\s*(?:<!doctype html\b|<html\b|<(?:head|body|div|table|main|article|section|ul|p)\b[^>]*>)/i;
/** Report in the Test Anything Protocol. */
const TEST_REPORT = /^(?:TAP version \d+\r?$|1\.\.\d+\r?\n(?:not )?ok \d)/m;
const LOG_LINE =
  /^\W{0,3}\d{4}[-/]\d\d[-/]\d\d[T ]|^\W{0,3}\d\d:\d\d:\d\d|\b(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\b|^\S+:[\w-]+: |^[$>=]{1,3} |^\[[\w-]+\] |^\s*(?:[✓✔✗✘✖×❯]|ok \d|not ok\b|PASS\b|FAIL\b|---? (?:PASS|FAIL)|npm (?:ERR|error|warn)|(?<=\s)at \S.*:\d+|File "[^"]+", line \d)/;
const CODE_LINE =
  /[{}()[\];,:]\s*$|^\s*(?:import|from|#include|use|using|return|if|for|while|elif|else|end)\b|^\s*(?:\/\/|\/?\*|#)/;

/** Markdown headings (`# x` alone may be a comment), lists and tables. */
const MARKDOWN_LINE = /^\s*[-*] \S|^\||^#{2,6} \S/;

function isDiff(text: string): boolean {
  return DIFF.test(text.slice(0, 4000));
}

/** Detects the format of a text with many lines from the form of most of them. */
function detectFormat(text: string): TextFormat {
  if (isDiff(text)) return 'diff';
  if (HTML.test(text.slice(0, 500))) return 'html';
  if (TEST_REPORT.test(text)) return 'log';
  const lines = sampleLines(text).filter((line) => line.trim() !== '');
  const share = (test: (line: string) => boolean) => lines.filter(test).length / Math.max(1, lines.length);
  if (isRowText(lines) && share(isErrorLine) < 0.3) return 'rows';
  if (isTable(lines)) return 'csv';
  if (share((line) => LOG_LINE.test(line)) >= 0.3) return 'log';
  const isMarkdown = share((line) => MARKDOWN_LINE.test(line)) > 0.15 || lines.some((line) => line.startsWith('```'));
  if (isMarkdown) return 'markdown';
  if (lines.filter(isDeclaration).length >= 2 && share((line) => CODE_LINE.test(line)) >= 0.4) return 'code';
  const hasSummary = lines.slice(-SUMMARY_LINES).some((line) => SUMMARY.test(line));
  return hasSummary || share(isErrorLine) >= 0.1 ? 'log' : 'markdown';
}

/**
 * Detects the format of what code has printed. The code chose what to print, so everything but diffs and tables is simply
 * cut in the middle.
 */
function detectPrinted(text: string): TextFormat {
  const format = detectFormat(text);
  return format === 'diff' || format === 'csv' ? format : 'printed';
}

function sampleLines(text: string): string[] {
  const start = text.slice(0, SAMPLE * 100).split('\n', SAMPLE);
  if (text.length <= SAMPLE * 100) return start;
  const [, ...end] = text.slice(-SAMPLE * 50).split('\n');
  return [...start, ...end];
}

/** Returns true for lines that all have the same number of separators as the first one: at least two, or one tab. */
function isTable(lines: readonly string[]): boolean {
  if (lines.length < 5) return false;
  return ['\t', ',', ';'].some((separator) => {
    const count = countSeparators(lines[0]!, separator);
    return count >= (separator === '\t' ? 1 : 2) && lines.every((line) => countSeparators(line, separator) === count);
  });
}

function countSeparators(line: string, separator: string): number {
  return line.replace(/"[^"]*"/g, '').split(separator).length - 1;
}

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
  return pruneRankedLines({ ...RANKINGS[known as keyof typeof RANKINGS](lines, options), leading }, limits);
}

/** Returns the format that a text has; one of these names only says that the tool does not know it. */
function recognize(text: string, format: TextFormat): TextFormat {
  if (format === 'printed') return detectPrinted(text);
  // A command may print the changes of a project.
  if (format === 'log' && isDiff(text)) return 'diff';
  return format === 'markdown' || format === 'json' ? detectFormat(text) : format;
}

/**
 * Code after its line number, and the marks below code: their columns belong together. In the lines of a difference, and
 * in quotes, spaces may be what differs.
 */
const FIXED_SPACES = /^\s*(?:\d+ {3,}\S|(?:\d+\s*)?[|│┃>]|[~^]|[-+?] )|['"`]/;
/** Line with the error of a test in pytest: the first gap is the same in all of them. */
const ERROR_LINE = /^E {2,}/;

/** Narrows the gaps between columns to two spaces, not those in code that has marks below it, and the last column. */
function narrowColumns(text: string): string {
  return text.includes('   ') ? text.split('\n').map(narrowLine).join('\n') : text;
}

function narrowLine(line: string): string {
  const end = /(?<! ) {3,}$/.exec(line)?.index;
  const filled = end === undefined ? line : line.slice(0, end);
  if (ERROR_LINE.test(line)) return line.replace(ERROR_LINE, 'E  ');
  return FIXED_SPACES.test(filled) ? filled : filled.replaceAll(/(\S) {3,}(?=\S)/g, '$1  ');
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

const HIDDEN = new Set(['script', 'style', 'svg', 'noscript', 'template', 'head']);
const BLOCK =
  /^(?:p|div|br|hr|tr|ul|ol|dl|dd|dt|table|section|article|main|header|footer|nav|aside|form|pre|blockquote|figure|title|body|html|option|button|label)$/;

/** Extracts the text of an HTML page as Markdown: headings, list items and table cells, but no scripts or styles. */
function extractHtmlText(html: string): string {
  const parts: string[] = [];
  const endless = new Set<string>();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) break;
    parts.push(html.slice(at, open));
    const comment = html.startsWith('<!--', open);
    const close = comment ? html.indexOf('-->', open) : html.indexOf('>', open);
    if (close === -1) {
      at = html.length;
      break;
    }
    at = close + (comment ? 3 : 1);
    if (comment) continue;
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z\d]*)/i.exec(html.slice(open, open + 40)) ?? [];
    const tag = name.toLowerCase();
    parts.push(renderHtmlTag(tag, slash === '/'));
    if (slash !== '' || !HIDDEN.has(tag) || endless.has(tag)) continue;
    const end = new RegExp(`</${tag}\\b[^>]*>`, 'gi');
    end.lastIndex = at;
    // An element that is never closed hides nothing, and no others of its kind are searched for.
    if (end.test(html)) at = end.lastIndex;
    else endless.add(tag);
  }
  const text = decodeEntities(parts.join('') + html.slice(at));
  return text
    .split('\n')
    .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
    .filter((line, index, lines) => line !== '' || (index > 0 && lines[index - 1] !== ''))
    .join('\n')
    .trim();
}

function renderHtmlTag(tag: string, isClosing: boolean): string {
  const heading = /^h([1-6])$/.exec(tag);
  if (heading !== null) return isClosing ? '\n' : `\n\n${'#'.repeat(Number(heading[1]))} `;
  if (tag === 'li') return isClosing ? '' : '\n- ';
  if (tag === 'td' || tag === 'th') return isClosing ? ' | ' : '';
  return BLOCK.test(tag) ? '\n' : '';
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi, (whole) => {
    const name = whole.slice(1, -1).toLowerCase();
    if (!name.startsWith('#')) return NAMED_CHARACTERS[name] ?? whole;
    const code = Number(name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
