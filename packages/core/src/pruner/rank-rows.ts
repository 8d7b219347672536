import { formatCount, countUnits, isWithinUnits } from '../text-size/text-size.ts';
import { isErrorLine, normalizeLine } from './rank-lines.ts';
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
/** Maximum length of the list of files without a row, in units. */
const NAMES = 400;

/** File in which a search found something. */
export interface FileMatches {
  readonly path: string;
  readonly matches: number;
}

function comesLate(path: string): boolean {
  return ASIDE.test(path) || PROSE.test(path);
}

/**
 * Sorts files as their rows are shown if there is not room for all: most matches first; tests, generated files and prose
 * last.
 */
export function sortFileMatches<File extends FileMatches>(files: readonly File[]): readonly File[] {
  const ordered = files.toSorted((a, b) => b.matches - a.matches);
  const aside = new Set(ordered.filter(({ path }) => comesLate(path)));
  return [...ordered.filter((file) => !aside.has(file)), ...aside];
}

/** Returns true for a text in which most lines are rows of a search. */
export function isRowText(lines: readonly string[]): boolean {
  return lines.length >= 5 && lines.filter((line) => ROW.test(line)).length >= lines.length * 0.8;
}

/**
 * Ranks one row of each file first, then the second of each; rows that are left out are counted by file. In a log, the
 * first error of each kind comes first, then the first line of any other kind; in code, imports come last.
 */
export function rankRows(lines: readonly string[]): RankedLines {
  const paths = lines.map((line) => ROW.exec(line)?.[1]);
  const indexes = Map.groupBy(lines.keys(), (index) => paths[index]);
  const places = lines.map(() => 0);
  const texts = Map.groupBy(lines, getRowText);
  const isCommon = (index: number): boolean => texts.get(getRowText(lines[index]!))!.length >= COMMON;
  for (const [path, own] of indexes) {
    if (path === undefined) continue;
    const ordered = LOG.test(path) ? orderLogRows(own, lines) : orderCodeRows(own, lines);
    const common = new Set(ordered.filter(isCommon));
    const sorted = [...ordered.filter((index) => !common.has(index)), ...common];
    const isDefined = (index: number) =>
      !LOG.test(path) && !PROSE.test(path) && DEFINITION.test(getRowText(lines[index]!));
    // Every definition precedes the second row of any file.
    for (const [place, index] of sorted.entries()) places[index] = place > 0 && isDefined(index) ? 0.99 : place;
  }
  const isOneFile = [...indexes.keys()].every((path) => path === undefined || (path === paths[0] && !LOG.test(path)));
  if (isOneFile) {
    // A search in one file should list its matches in order, and the remaining ones after the last that is shown.
    const ranks = paths.map((path, index) => (path === undefined ? MUST_STAY : MUST_STAY + 1 + index));
    return { lines, ranks, gaps: 'none', areRows: true };
  }
  const counts = [...indexes].map(([path = '', own]) => ({ path, matches: own.length }));
  const files = sortFileMatches(counts.filter(({ path }) => path !== ''));
  const order = new Map(files.map(({ path }, index) => [path, index / files.length]));
  const ranks = paths.map((path, index) =>
    path === undefined
      ? MUST_STAY
      : MUST_STAY + 1 + places[index]! + (comesLate(path) ? ASIDE_DELAY : 0) + (order.get(path) ?? 0),
  );
  const isCounted = lines.some((line, index) => paths[index] === undefined && line.startsWith('by file: '));
  const describeLost = (kept: ReadonlySet<number>) => {
    if (isCounted) return undefined;
    const lost = files
      .map(({ path }) => ({ path, rows: indexes.get(path)!.filter((index) => !kept.has(index)) }))
      .filter(({ rows }) => rows.length > 0);
    if (lost.length === 0) return undefined;
    const numbered = lost.map(
      ({ path, rows }) => `${path}:${rows.map((index) => lineNumberOf(lines[index]!)).join(',')}`,
    );
    const counted = lost.map(({ path, rows }) => ({ path, matches: rows.length }));
    const isShort = isWithinUnits(numbered.join(' '), NAMES);
    return isShort ? `also in: ${numbered.join(' ')}` : `rows left out: ${formatFileMatches(counted)}`;
  };
  return { lines, ranks, gaps: 'none', areRows: true, describeLost };
}

function getRowText(row: string): string {
  return row.replace(ROW, '');
}

function lineNumberOf(row: string): string {
  return ROW.exec(row)?.[2] ?? '';
}

const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s.*\sfrom\s|#include\b|use\s+[\w:]+|[\w$]+(?:\s+as\s+[\w$]+)?,?\s*$)/;

const DEFINITION =
  /^\s*(?:(?:export|default|public|private|protected|static|abstract|declare|async|pub(?:\([^)]*\))?)\s+)*(?:function|class|interface|enum|def|fn|func|struct|trait|type)\b/;

/** Line that consists of a comment, in any common language. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?!include|define|if|\[|!)|--\s|<!--|"""|''')/;

/** Definitions first, then code, comments, and imports last. */
function orderCodeRows(indexes: readonly number[], lines: readonly string[]): readonly number[] {
  const groups = Object.groupBy(indexes, (index) => {
    const text = getRowText(lines[index]!);
    if (IMPORT.test(text)) return 'imports';
    return DEFINITION.test(text) ? 'definitions' : COMMENT.test(text) ? 'comments' : 'others';
  });
  const { definitions = [], others = [], comments = [], imports = [] } = groups;
  return [...definitions, ...others, ...comments, ...imports];
}

function orderLogRows(indexes: readonly number[], lines: readonly string[]): readonly number[] {
  const kinds = new Set<string>();
  const classes = new Map<number, number>();
  for (const index of indexes) {
    const text = getRowText(lines[index]!);
    const kind = normalizeLine(text);
    classes.set(index, kinds.has(kind) ? 2 : isErrorLine(text) ? 0 : 1);
    kinds.add(kind);
  }
  return indexes.toSorted((a, b) => classes.get(a)! - classes.get(b)! || a - b);
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
