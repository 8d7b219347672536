import { findNearestName } from '@bae/core';
import { escapePattern } from '@bae/workspace';
import type { ModuleTarget } from './target.ts';
import type { CodeModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';

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
  if (title.length < 3 || title.includes('\n')) return [];
  const modules = within ?? (await base.catalog()).modules;
  const escaped = escapePattern(title);
  const whole = await findQuoted(base, modules, escaped);
  if (whole.length > 0 || (within === undefined && !/\s/.test(title))) return whole;
  return findQuoted(base, modules, `[^'"\`]*${escaped}.*`);
}

/** Returns the title of a test that is spelt nearly as a text is; undefined when there is none. */
export async function findNearestTitle(
  base: CodeBase,
  text: string,
  within?: readonly CodeModule[],
): Promise<string | undefined> {
  const title = readTitle(text.replace(/^[^\s#:>]+\s*(?:#|::?|>)\s*/, ''));
  if (!/\s/.test(title)) return undefined;
  const modules = within ?? (await base.catalog()).modules;
  const { groups } = await base.grep(modules, { pattern: `${TEST_CALL.source}.*['"\`]`, limit: MOST_ROWS });
  const titles = [...groups.values()]
    .flat()
    .flatMap((row) => /(?:it|test|describe|suite|specify|context)\b.*?(['"`])(.+)\1/.exec(row.text)?.[2] ?? []);
  return findNearestName(title, titles, ALIKE) ?? findNearestPart(title, titles);
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
    .replace(/^([`'"])(.*)\1$/s, '$2');
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
