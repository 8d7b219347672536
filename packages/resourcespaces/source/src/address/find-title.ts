import { findNearestName } from '@bae/core';
import { escapePattern } from '@bae/workspace';
import type { ModuleTarget } from './target.ts';
import { isCompiled } from '../language/outline.ts';
import type { CodeModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { TestName } from '../tests/test-names.ts';

/** Maximum number of titles that are compared. */
const MOST_ROWS = 5000;
const TEST_CALL = /\b(?:it|test|describe|suite|specify|context)\b/;
/** Minimum similarity of a title that was meant. */
const ALIKE = 0.8;

/**
 * Finds tests by title, or by a part of a title with several words: the lines from the title to the end of the test
 * function. In given modules, one word is enough.
 */
export async function findTitle(
  base: CodeBase,
  text: string,
  within?: readonly CodeModule[],
): Promise<readonly ModuleTarget[]> {
  const title = readTitle(text);
  if (title.length < 3) return [];
  const modules = within ?? (await base.catalog()).modules;
  const escaped = escapePattern(title);
  const whole = await findQuoted(base, modules, escaped);
  if (whole.length > 0 || (within === undefined && !isTitle(title))) return whole;
  const parts = await findQuoted(base, modules, `[^'"\`]*${escaped}.*`);
  if (parts.length > 0) return parts;
  const tests = await listTests(base, modules, title);
  for (const isMeant of [
    (one: Test) => one.title === title,
    (one: Test) => makeTemplate(one.title).test(title),
    (one: Test) => one.title.includes(title),
  ]) {
    const found = tests.filter(isMeant);
    if (found.length > 0) return found.map(({ target }) => target);
  }
  return [];
}

/** Finds the test whose title is spelt nearly as a text is; undefined when there is none. */
export async function findNearestTest(
  base: CodeBase,
  text: string,
  within?: readonly CodeModule[],
): Promise<Test | undefined> {
  const title = fillPlaces(readTitle(text.replace(/^[^\s#:>]+\s*(?:#|:|>)\s*(?!:)/, '')));
  if (!isTitle(title)) return undefined;
  const tests = await listTests(base, within ?? (await base.catalog()).modules, title);
  const titles = tests.map((one) => fillPlaces(one.title));
  const nearest = findNearestName(title, titles, ALIKE) ?? findNearestPart(title, titles);
  return nearest === undefined ? undefined : tests[titles.indexOf(nearest)];
}

/** Splits a place from what is in it: a line, or the title of a test. `test/a.test.ts#adds`, `a.test.ts > adds`. */
export function splitTestPlace(text: string): { readonly place: string; readonly part: string } {
  const [, place = '', part = ''] = /^([^\s#:>]+)\s*(?:#|::?|>)\s*(\S.*)$/s.exec(text) ?? [];
  return { place, part };
}

/** Tests whether a text may be the title of a test, or a part of one: it has several words, or parts with `::`. */
export function isTitle(text: string): boolean {
  return /\s|\w::\S/.test(text);
}

/** Returns the first title that has a part with as many words, spelt nearly as the given ones are. */
function findNearestPart(title: string, titles: readonly string[]): string | undefined {
  const count = title.split(/\s+/).length;
  return titles.find((one) => {
    const words = one.split(/\s+/);
    const parts = words.map((_, index) => words.slice(index, index + count).join(' '));
    return words.length > count && findNearestName(title, parts, ALIKE) !== undefined;
  });
}

/** Returns a title without quotes and without the call around it: `adds` for `test("adds")`. */
function readTitle(text: string): string {
  return text
    .trim()
    .replace(new RegExp(`^${TEST_CALL.source}\\((['"\`].*['"\`]).*\\)?$`, 's'), '$1')
    .replace(/^([`'"])(.*)\1$/s, '$2')
    .replaceAll(/\s+/g, ' ');
}

/** The parts of a title that are different for each row of a table: `%i`, `$name`, `${…}`. */
const PLACE = /%[a-zA-Z#]|\$\{[^}]*\}|\$[\w.]+/g;

/** Returns the pattern of the titles that a title with places stands for. */
function makeTemplate(title: string): RegExp {
  return new RegExp(`^${title.split(PLACE).map(escapePattern).join('.+')}$`, 's');
}

/** Returns the longest part of a title that all tests of a table have: runners know tests by their filled titles. */
export function findFixedPart(title: string): string {
  const [first = '', ...others] = title.split(PLACE).map((part) => part.trim());
  return others.reduce((longest, part) => (part.length > longest.length ? part : longest), first) || title;
}

/** Replaces the places of a title, and the values that may be in them, by one sign. */
function fillPlaces(title: string): string {
  return title.replaceAll(PLACE, '#').replaceAll(/'[^']*'|"[^"]*"|(?<!\w)-?\d+(?:\.\d+)?(?!\w)/g, '#');
}

interface Test {
  /** Title on one line. */
  readonly title: string;
  readonly target: ModuleTarget;
}

/** Lists the tests of the modules that have a word of a title, from their code: titles may span lines. */
async function listTests(base: CodeBase, modules: readonly CodeModule[], title: string): Promise<readonly Test[]> {
  const words = title.match(/[\p{L}\d]{3,}/gu) ?? [];
  if (words.length === 0) return [];
  const code = modules.filter(({ path }) => isCompiled(path));
  const { files } = await base.grep(code, { pattern: words.join('|'), limit: 0 });
  const catalog = await base.catalog();
  const { listTestNames } = await import('../tests/test-names.ts');
  const tests: Test[] = [];
  for (const { path } of files) {
    const module = catalog.moduleAt(path);
    const source = module && (await base.index.load(module));
    if (source === undefined || !TEST_CALL.test(source.text)) continue;
    const visit = ({ title: found, line, lastLine, children }: TestName): void => {
      const lines = [line, lastLine] as const;
      tests.push({ title: found.replaceAll(/\s+/g, ' ').trim(), target: { kind: 'module', source, path: [], lines } });
      children.forEach(visit);
    };
    listTestNames(source.text, path).forEach(visit);
    if (tests.length > MOST_ROWS) break;
  }
  return tests;
}

async function findQuoted(base: CodeBase, modules: readonly CodeModule[], title: string) {
  const quoted = `['"\`]${title}['"\`]`;
  // If a call spans several lines, the title has a line of its own.
  const pattern = `${TEST_CALL.source}.*${quoted}|^\\s*${quoted},\\s*$`;
  const { groups } = await base.grep(modules, { pattern, limit: MOST_ROWS });
  const found = [...groups].map(async ([module, rows]) => {
    const source = await base.index.load(module);
    const lines = source.text.split('\n');
    return rows.flatMap(({ line }): readonly ModuleTarget[] => {
      const isTest = [lines[line - 1], lines[line - 2]].some((one = '') => TEST_CALL.test(one));
      return isTest ? [{ kind: 'module', source, path: [], lines: [line, findLastLine(source.text, line)] }] : [];
    });
  });
  return (await Promise.all(found)).flat();
}

/**
 * Returns the last line of a block that begins in a line: the next line with the same indentation that closes a
 * bracket.
 */
function findLastLine(text: string, first: number): number {
  const lines = text.split('\n');
  const indent = /^\s*/.exec(lines[first - 1] ?? '')![0];
  const closing = lines.findIndex((line, index) => index >= first && new RegExp(`^${indent}[)}\\]]`).test(line));
  return closing === -1 ? first : closing + 1;
}
