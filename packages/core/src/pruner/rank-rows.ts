import type { PruneOptions } from '../protocol/tool-result.ts';
import { formatCount, countUnits } from '../text-size/text-size.ts';
import {
  areMostlyAlike,
  countAlike,
  formatAlike,
  groupByKind,
  orderByKind,
  separateAlike,
  type LineKind,
} from './line-kinds.ts';
import { isDeclaration } from './declarations.ts';
import { MUST_STAY, type RankedLines } from './ranked-lines.ts';

/** Row of a search result: `src/a.ts:12: const port = 3000`. */
const ROW = /^(\S[^:\n]*):(\d+): /;
/** Files that a search rarely means: tests and generated files. */
const ASIDE =
  /(?:^|[/._-])(?:tests?|spec|__tests__|__snapshots__|snap|fixtures?|bench(?:marks?)?|examples?|dist|build|generated|vendor|min)(?:[/._-]|$)/i;
/** Files of prose, which come after code. */
const PROSE = /\.(?:md|mdx|markdown|rst|adoc)$/i;
/** Files with the output of programs. */
const LOG = /\.(?:log|out|err|txt)(?:\.\d+)?$/i;
/** Number of rows of each other file that precede the first row of such a file. */
const ASIDE_DELAY = 3;
/** Number of rows with the same text from which the text says little: they come after the other rows of their file. */
const COMMON = 3;
/** Length of a line that is not minified, in characters. */
const LONGEST_WRITTEN = 500;
/** Maximum length of the list of files without a row, in units. */
const NAMES = 120;
/** Maximum number of files of which it is said how many more rows each has. */
const MOST_FILES = 4;
/** Maximum number of rows of a file that are named by their line numbers: each number is a token or two. */
const MOST_NUMBERS = 8;

/** File in which a search found something. */
export interface FileMatches {
  readonly path: string;
  readonly matches: number;
  /** True when a matching line is longer than people write them. */
  readonly isMinified?: boolean;
}

function comesLate({ path, isMinified = false }: Pick<FileMatches, 'path' | 'isMinified'>): boolean {
  return isMinified || ASIDE.test(path) || PROSE.test(path);
}

/**
 * Sorts files as their rows are shown if there is not room for all: most matches first; tests, generated files and prose
 * last.
 */
export function sortFileMatches<File extends FileMatches>(files: readonly File[]): readonly File[] {
  const [first, last]: [File[], File[]] = [[], []];
  for (const file of files) (comesLate(file) ? last : first).push(file);
  return [first, last].flatMap((some) => some.toSorted((a, b) => b.matches - a.matches));
}

/** Returns true for a text in which most lines are rows of a search. */
export function isRowText(lines: readonly string[]): boolean {
  return lines.length >= 5 && lines.filter((line) => ROW.test(line)).length >= lines.length * 0.8;
}

/**
 * Ranks one row of each file first, then the second of each; rows that are left out are counted by file. In a log, the
 * first error of each kind comes first, then the first line of any other kind, and the last one that is shown of each
 * kind says how many more there are; in code, imports come last. Rows of one file of which most are alike are a log.
 */
export function rankRows(source: readonly string[], { sought = '' }: PruneOptions = {}): RankedLines {
  const words = listSoughtWords(sought);
  const paths = source.map((line) => ROW.exec(line)?.[1]);
  const indexes = Map.groupBy(source.keys(), (index) => paths[index]);
  const counts = [...indexes].map(([path = '', own]) => ({
    path,
    matches: own.length,
    isMinified: own.some((index) => source[index]!.length > LONGEST_WRITTEN),
  }));
  const logs = groupLogs(source, indexes);
  const inLogs = new Set([...logs.values()].flatMap(({ order }) => order));
  const lines = source.map((line, index) => (inLogs.has(index) ? separateAlike(line).text : line));
  const files = sortFileMatches(counts.filter(({ path }) => path !== ''));
  const late = new Set(files.filter(comesLate).map(({ path }) => path));
  const places = lines.map(() => 0);
  const texts = Map.groupBy(lines, (line) => line.replace(ROW, ''));
  const isCommon = (index: number): boolean => texts.get(lines[index]!.replace(ROW, ''))!.length >= COMMON;
  const kindOf = (index: number, path: string): RowKind => {
    if (logs.has(path) || PROSE.test(path)) return 'code';
    const kind = classifyCodeRow(lines[index]!.replace(ROW, ''));
    // Definitions of tests do not precede code.
    return kind === 'definition' && late.has(path) ? 'code' : kind;
  };
  for (const [path, own] of indexes) {
    if (path === undefined) continue;
    const kinds = new Map(own.map((index) => [index, kindOf(index, path)]));
    const ordered =
      logs.get(path)?.order ?? own.toSorted((a, b) => KINDS.indexOf(kinds.get(a)!) - KINDS.indexOf(kinds.get(b)!));
    // What a name stands for is looked for, however often it is defined.
    const defined = new Set<string>();
    const isNewDefinition = (index: number): boolean => {
      const text = lines[index]!.replace(ROW, '');
      if (kinds.get(index) !== 'definition' || defined.has(text)) return false;
      defined.add(text);
      return true;
    };
    const common = new Set(logs.has(path) ? [] : ordered.filter((row) => !isNewDefinition(row) && isCommon(row)));
    // After one row of every file come the definitions of all files, then other code, then what only names it.
    for (const [place, index] of [...ordered.filter((row) => !common.has(row)), ...common].entries()) {
      const group = common.has(index) ? KINDS.length : KINDS.indexOf(kinds.get(index)!);
      places[index] = place + (place === 0 ? 0 : group * lines.length);
    }
  }
  if (files.length === 1 && logs.size === 0) {
    // A search in one file should list its matches in order, and the remaining ones after the last that is shown.
    const ranks = paths.map((path, index) => (path === undefined ? MUST_STAY : MUST_STAY + 1 + index));
    return { lines, ranks, gaps: 'none', paths, words };
  }
  const order = new Map(files.map(({ path }, index) => [path, index / files.length]));
  const ranks = paths.map((path, index) =>
    path === undefined
      ? MUST_STAY
      : MUST_STAY + 1 + places[index]! + (late.has(path) ? ASIDE_DELAY : 0) + (order.get(path) ?? 0),
  );
  const isCounted = lines.some((line, index) => paths[index] === undefined && line.startsWith('by file: '));
  const describeLost = (kept: ReadonlySet<number>) => {
    // The notice counts the rows of a single file.
    if (isCounted || files.length === 1) return undefined;
    const lost = files
      .map(({ path }) => ({ path, rows: indexes.get(path)! }))
      .filter(({ rows }) => !rows.some((index) => kept.has(index)));
    if (lost.length === 0) return undefined;
    return `also in: ${nameLostRows(lost.map(({ path, rows }) => ({ path, numbers: rows.map((index) => lineNumberOf(lines[index]!)) })))}`;
  };
  const describeAlike = (kept: ReadonlySet<number>) =>
    new Map([...describeHiddenRows(source, { indexes, logs, kept }), ...describeKinds(logs, kept)]);
  return { lines, ranks, gaps: 'none', paths, words, describeLost, describeAlike };
}

/**
 * Lists the words of a pattern in lower case, longest first: one of them is what most rows were found by. `a\.b` is one
 * word, before its parts.
 */
function listSoughtWords(pattern: string): readonly string[] {
  const text = pattern.toLowerCase().replaceAll(/\\[a-z]/g, ' ');
  const parts = text.match(/[\p{L}\p{N}_$]{2,}/gu) ?? [];
  const joined = text.match(/[\p{L}\p{N}_$]+(?:\\\.[\p{L}\p{N}_$]*)+/gu) ?? [];
  return [...joined.map((word) => word.replaceAll('\\', '')), ...parts].toSorted((a, b) => b.length - a.length);
}

/** Rows of a log: their kinds, and their indexes in the order in which they are shown. */
interface LogRows {
  readonly kinds: readonly LineKind[];
  readonly order: readonly number[];
}

/** Indexes of the rows of each file, by its path; undefined for the lines that are no rows. */
type RowIndexes = ReadonlyMap<string | undefined, readonly number[]>;

/** Groups the rows of every log by kind, by the path of the log. */
function groupLogs(lines: readonly string[], indexes: RowIndexes): ReadonlyMap<string, LogRows> {
  const logs = new Map<string, LogRows>();
  const isOneFile = [...indexes.keys()].filter((path) => path !== undefined).length === 1;
  for (const [path, own] of indexes) {
    if (path === undefined || !(isOneFile || LOG.test(path))) continue;
    const rows = own.map((index) => separateAlike(lines[index]!.replace(ROW, '')));
    const kinds = groupByKind(rows);
    const isLog = LOG.test(path) || areMostlyAlike(rows, kinds);
    if (isLog) {
      const places = kinds.map((kind) => ({ ...kind, indexes: kind.indexes.map((index) => own[index]!) }));
      logs.set(path, { kinds: places, order: orderByKind(rows, kinds).map((index) => own[index]!) });
    }
  }
  return logs;
}

/** Describes how many more rows there are of every kind of a log. */
function describeKinds(logs: ReadonlyMap<string, LogRows>, kept: ReadonlySet<number>): ReadonlyMap<number, string> {
  const counts = [...logs.values()].flatMap(({ kinds }) => [...countAlike(kinds, kept)]);
  return new Map(counts.map(([index, count]) => [index, formatAlike(count)]));
}

/**
 * Describes, after the last row that is shown of a file, which others there are: ` [+12 rows: 399-470]`. Without it, a
 * file of which a few rows are shown seems to have no more.
 */
function describeHiddenRows(
  lines: readonly string[],
  { indexes, logs, kept }: { indexes: RowIndexes; logs: ReadonlyMap<string, LogRows>; kept: ReadonlySet<number> },
): readonly (readonly [number, string])[] {
  const files = [...indexes].filter(([path, own]) => path !== undefined && own.some((index) => kept.has(index)));
  if (files.length > MOST_FILES) return [];
  return files.flatMap(([path = '', own]) => {
    const missing = own.filter((index) => !kept.has(index)).map((index) => lineNumberOf(lines[index]!));
    if (missing.length === 0 || logs.has(path)) return [];
    const place = missing.length === 1 ? missing[0] : `${missing[0]}-${missing.at(-1)}`;
    return [
      [own.findLast((index) => kept.has(index))!, ` [+${formatCount(missing.length, 'row')}: ${place}]`] as const,
    ];
  });
}

/**
 * Names files with the numbers of the lines that are left out, or with their count if they are many, as many as fit:
 * `src/a.ts:12,34 src/b.ts (20 rows) +3 files`.
 */
function nameLostRows(files: readonly { readonly path: string; readonly numbers: readonly string[] }[]): string {
  const names: string[] = [];
  let left = NAMES;
  for (const { path, numbers } of files) {
    const isFew = numbers.length <= MOST_NUMBERS;
    const name = isFew ? `${path}:${numbers.join(',')}` : `${path} (${formatCount(numbers.length, 'row')})`;
    left -= countUnits(name) + 1;
    if (left < 0) break;
    names.push(name);
  }
  const others = files.length - names.length;
  return (others === 0 ? names : [...names, `+${formatCount(others, 'file')}`]).join(' ');
}

function lineNumberOf(row: string): string {
  return ROW.exec(row)?.[2] ?? '';
}

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s.*\sfrom\s|#include\b|use\s+[\w:]+|[\w$]+(?:\s+as\s+[\w$]+)?,?\s*$)/;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\[|!\[|define\b)|--\s|<!--|"""|'''|:\w+[\w ]*:|\.\. |\S*https?:\/\/)/;
const CODE_SIGN = /[=(){}[\];<>]|:$/;
const STATEMENT = /^\s*(?:return|if|elif|else|for|while|raise|throw|assert|yield|await|case|not|and|or|del|with)\b/;
const SENTENCE_WORDS = 4;

/** Kinds of rows of code, first to last: what defines something, other code, what only names or describes it. */
const KINDS = ['definition', 'code', 'aside'] as const;
type RowKind = (typeof KINDS)[number];

function classifyCodeRow(text: string): RowKind {
  if (COMMENT.test(text) || IMPORT.test(text)) return 'aside';
  if (isDeclaration(text)) return 'definition';
  const isSentence =
    !CODE_SIGN.test(text) && !STATEMENT.test(text) && text.trim().split(/\s+/).length >= SENTENCE_WORDS;
  return isSentence ? 'aside' : 'code';
}

/**
 * Names files with their counts, as many as fit: `src/a.ts 40, src/b.ts 12, +3 files`.
 *
 * @param room the maximum length of the list, in units
 */
export function formatFileMatches(files: readonly FileMatches[], room = NAMES): string {
  const names: string[] = [];
  let left = room;
  for (const { path, matches } of sortFileMatches(files)) {
    const name = `${path} ${matches}`;
    left -= countUnits(name) + 2;
    if (left < 0) break;
    names.push(name);
  }
  const others = files.length - names.length;
  return others === 0 ? names.join(', ') : [...names, `+${formatCount(others, 'file')}`].join(', ');
}
