import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFileMatches } from './rank-rows.ts';
import { structuralPruner } from './structural-pruner.ts';

const rows = (path: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${path}:${index + 1}: ${'const found = search(text); '.repeat(3)}`);

const shorten = (lines: readonly string[], cap = 2000) =>
  structuralPruner.prune(lines.join('\n'), { cap, ref: 'result:1', format: 'rows' }).text.split('\n');

/** Repeats the path that is shown once for the rows of a file. */
const cut = (lines: readonly string[], cap = 2000) => {
  let path = '';
  return shorten(lines, cap).map((line) => {
    path = /^(\S[^:]*):\d+: /.exec(line)?.[1] ?? path;
    return line.replace(/^ {2}(?=\d+: )/, () => `${path}:`);
  });
};

describe('the rows of a search that is cut', () => {
  it('are one of every file before the second of any', () => {
    const lines = cut([...rows('a.ts', 30), ...rows('b.ts', 1), ...rows('src/c.ts', 2)]);
    expect(lines.filter((line) => line.startsWith('b.ts'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('src/c.ts'))).toHaveLength(2);
    expect(lines.filter((line) => line.startsWith('a.ts')).length).toBeGreaterThan(5);
    expect(lines.at(-1)).toMatch(
      /^\[pruned: 33 -> \d+ rows, \d+ long lines clipped; rest: <R:result:1:\d+-30>; full: <R:result:1>\]$/,
    );
  });

  it('leave the names of the files that have none, with their counts; tests and generated files go first', () => {
    const files = Array.from({ length: 40 }, (_, n) => rows(`src/f${n}.ts`, 1)).flat();
    const lines = cut([...rows('dist/x.js', 3), ...rows('src/a.test.ts', 9), ...files, ...rows('src/most.ts', 4)]);
    expect(lines.filter((line) => line.startsWith('src/most.ts'))).toHaveLength(1);
    expect(lines.filter((line) => /^(?:dist\/x|src\/a\.test)/.test(line))).toEqual([]);
    expect(lines.at(-2)).toMatch(/^also in: src\/f\d+\.ts:1 .*\+\d+ files$/);
  });

  it('of one file are the first, and the tag of the next', () => {
    const all = rows('readme.md', 60).map((row, index) => row + 'x'.repeat(index % 9));
    const lines = cut([...all, '... (900 total matches in 1 file).']);
    const shown = lines.length - 2;
    expect(lines.slice(0, shown).map((line) => line.slice(0, 60))).toEqual(
      all.slice(0, shown).map((line) => line.slice(0, 60)),
    );
    expect(lines.at(-1)).toBe(`[${shown} of 60 rows; next: <R:result:1:${shown + 1}-60>]`);
  });

  it('keep what is no row, and count by file only once', () => {
    const lines = cut(
      [...rows('a.ts', 20), ...rows('b.test.ts', 3), 'by file: a.ts 20, b.test.ts 3', '... (23 total)'],
      700,
    );
    expect(lines).toContain('by file: a.ts 20, b.test.ts 3');
    expect(lines).toContain('... (23 total)');
    expect(lines.some((line) => line.startsWith('also in'))).toBe(false);
  });

  it('come last from files with lines longer than people write them, and one file is not named twice', () => {
    const minified = Array.from({ length: 9 }, (_, n) => `docs/${n}.html:1: <p>${`cancel(${n}) `.repeat(90)}`);
    const written = Array.from({ length: 9 }, (_, n) => `src/${n}.ts:3:   cancel(task${n});`);
    const lines = cut([...minified, ...written], 1200);
    expect(lines.filter((line) => line.startsWith('src/'))).toHaveLength(9);
    const rows = Array.from({ length: 90 }, (_, n) => `orders.log:${n * 7}: ERROR proxy 504 after ${n} ms`);
    expect(cut(rows, 700).join('\n')).not.toContain('also in');
  });

  it('are, of a log, the first of every kind of error, then of any kind', () => {
    const passed = Array.from(
      { length: 60 },
      (_, n) => `build.log:${n + 1}: ✓ error handling ${n} of the parser works`,
    );
    const failed = [
      'build.log:70: ✗ 03-space.ts prints what it says',
      'build.log:71: AssertionError: expected 1 to be 2',
    ];
    const lines = cut([...passed, ...failed], 1200);
    expect(lines).toEqual(expect.arrayContaining(failed));
    expect(lines[0]).toBe(passed[0]);
  });

  it('are, of lines that are mostly alike, those of each kind, with the number of the others', () => {
    const lines = Array.from({ length: 400 }, (_, n) => {
      const time = `2026-11-03T08:${String(n % 60).padStart(2, '0')}:07Z`;
      if (n === 250) return `journal:${n + 1}: ${time} ERROR db: connection refused by 10.0.0.7:5432`;
      if (n === 300 || n === 350) return `journal:${n + 1}: ${time} WARN disk: ${n} MB left`;
      return `journal:${n + 1}: ${time} ERROR api: request ${n * 7919} failed after ${n} ms`;
    });
    const shown = cut([...lines, '... (400 total matches in 1 file). Narrow with a longer pattern.'], 900);
    expect(shown).toEqual([
      lines[0],
      `${lines[1]} [+395 like this]`,
      lines[250],
      `${lines[300]} [+1 like this]`,
      '... (400 total matches in 1 file). Narrow with a longer pattern.',
      '[pruned: 400 -> 4 rows; rest: <R:result:1:3-250,252-300,302-400>; full: <R:result:1>]',
    ]);
  });

  it('count those that the search left out', () => {
    const failed = (n: number) => `api.log:${n}: ERROR request ${n} failed after a time that is much too long`;
    const lines = [...Array.from({ length: 20 }, (_, n) => failed(n)), `${failed(20)} [+2000 like this]`];
    const shown = cut([...lines, 'api.log:9000: ERROR disk is full'], 500);
    expect(shown.filter((line) => line.includes('request'))).toHaveLength(3);
    expect(shown[2]).toBe(`${failed(2)} [+2018 like this]`);
    expect(shown.at(-1)).toMatch(/; rest: <R:result:1:4-21>; full: <R:result:1>\]$/);
  });

  it('are in order where the numbers of alike lines are what is searched for', () => {
    const versions = Array.from({ length: 90 }, (_, n) => `pnpm-lock.yaml:${n * 3}:     version: 4.${n}.${n + 2}`);
    const others = Array.from(
      { length: 15 },
      (_, n) => `pnpm-lock.yaml:${n + 300}:     version: link:../${'x'.repeat(n + 1)}`,
    );
    const shown = cut([...versions, ...others], 900);
    expect(shown.slice(0, -1)).toEqual(versions.slice(0, shown.length - 1));
    expect(shown.at(-1)).toMatch(/^\[\d+ of 105 rows; next: <R:result:1:\d+-105>\]$/);
  });

  it('are of a log also those of errors that repeat word by word', () => {
    const passed = Array.from(
      { length: 60 },
      (_, n) => `build.log:${n + 1}: step ${n} of the build has worked as it should`,
    );
    const full = [61, 62, 63].map((n) => `build.log:${n}: ERROR disk is full`);
    expect(cut([...passed, ...full], 600)).toContain(`${full[0]} [+2 like this]`);
  });

  it('are not the imports of a file as long as there are others, and say where more is', () => {
    const files = Array.from({ length: 12 }, (_, n) => [
      `src/f${n}.ts:1: import { MAX } from './limits.ts';`,
      `src/f${n}.ts:9:   MAX,`,
      `src/f${n}.ts:40: const most = options.most ?? MAX; // ${'x'.repeat(10)}`,
    ]).flat();
    const lines = cut(files, 1500);
    expect(lines.slice(0, -2).every((line) => line.includes('most = options'))).toBe(true);
    expect(lines.at(-2)).toMatch(/^also in: src\/f\d+\.ts:1,9,40 /);
  });

  it('are those that differ before those that are the same everywhere', () => {
    const flags = (path: string) =>
      Array.from({ length: 12 }, (_, index) => `${path}:${index + 1}: #[cfg(feature = "paging")]`);
    const mode = 'a.rs:299: let paging_mode = get_mode();';
    const shown = cut([...flags('a.rs'), mode, ...flags('b.rs'), ...flags('c.rs')], 700).join('\n');
    expect(shown).toContain('299: let paging_mode = ');
  });

  it('say of each of a few files how many more it has, and where', () => {
    const shown = cut([...rows('src/a.ts', 30), ...rows('src/b.ts', 30), 'src/c.ts:7: const limit = 1;']);
    const marks = shown.flatMap((line) => / \[\+(\d+) rows: (\d+)-30\]$/.exec(line)?.slice(1, 3).map(Number) ?? []);
    const [missing = 0, from = 0, ...others] = marks;
    expect(others).toHaveLength(2);
    expect(shown.some((line) => line.includes(`${from - 1}: `))).toBe(true);
    expect(missing).toBe(31 - from);
    expect(shown.find((line) => line.startsWith('src/c.ts'))).toMatch(/limit = 1;$/);
  });

  it('are recognised where nobody says what they are', () => {
    const { text } = structuralPruner.prune([...rows('a.ts', 40), ...rows('z.ts', 1)].join('\n'), { cap: 2000 });
    expect(text).toContain('\nz.ts:1: ');
  });

  it('stay within the limit, and their files are all there by row or name', { tags: ['long'] }, () => {
    const path = fc.stringMatching(/^[a-z]{1,12}\.ts$/);
    fc.assert(
      fc.property(
        fc.uniqueArray(path, { minLength: 1, maxLength: 30 }),
        fc.nat(40),
        fc.integer({ min: 300, max: 3000 }),
        (paths, count, cap) => {
          const text = paths.flatMap((name) => rows(name, count + 1)).join('\n');
          const pruned = structuralPruner.prune(text, { cap, ref: 'result:1', format: 'rows' }).text;
          expect(pruned.length).toBeLessThanOrEqual(Math.max(cap, text.length > cap ? cap : text.length));
          if (cap > 1500) expect(paths.filter((name) => !pruned.includes(name))).toEqual([]);
        },
      ),
    );
  });
});

describe('the rows of a search in several files that is cut', () => {
  const found = (path: string, line: number, before = 0) =>
    `${path}:${line}: ${'left('.repeat(before)}const value = readSetting(name, ${line});`;
  const prune = (lines: readonly string[], sought = 'readSetting\\(', cap = 2000) =>
    structuralPruner.prune(lines.join('\n'), { cap, ref: 'result:1', format: 'rows', sought }).text.split('\n');

  it('name their file once, and are all shown where that makes room for them', () => {
    const path = 'packages/settings/src/readers/read-setting.ts';
    const lines = [...Array.from({ length: 20 }, (_, n) => found(path, n + 1)), found('src/other.ts', 3)];
    expect(prune(lines)).toEqual([
      lines[0],
      ...lines.slice(1, 20).map((line) => `  ${line.slice(path.length + 1)}`),
      lines[20],
      '[pruned: repeated names of files; full: <R:result:1>]',
    ]);
  });

  it('are shortened around what was searched for before any is left out', () => {
    const lines = Array.from({ length: 14 }, (_, n) => found(`src/f${n % 4}.ts`, n, 30)).toSorted();
    const shown = prune(lines);
    expect(shown).toHaveLength(15);
    expect(shown.slice(0, -1).every((line) => line.includes('readSetting('))).toBe(true);
    expect(shown[0]).toBe('src/f0.ts:0: …ft(left(left(left(const value = readSetting(name, 0);');
    expect(shown[14]).toBe('[pruned: 14 long lines clipped; full: <R:result:1>]');
  });

  it('are shortened around a name with its object, not around the first name that is like it', () => {
    const row = (n: number) =>
      `src/f${n}.go:${n}: cfg.opts.RetentionDuration = ${'int64('.repeat(12)}next.Retention.Time)`;
    const { text } = structuralPruner.prune(Array.from({ length: 14 }, (_, n) => row(n)).join('\n'), {
      ref: 'result:1',
      format: 'rows',
      sought: String.raw`Retention\.(Time|Size)`,
    });
    expect(text.match(/next\.Retention\.Time\)/g)).toHaveLength(14);
  });

  it('are followed by the tag of exactly those that are left out', () => {
    const lines = ['a', 'b', 'c'].flatMap((name) => Array.from({ length: 40 }, (_, n) => found(`src/${name}.ts`, n)));
    const shown = cut(lines);
    const [, ranges = ''] = /^\[pruned: 120 -> \d+ rows.*; rest: <R:result:1:([\d,-]+)>; full: <R:result:1>\]$/.exec(
      shown.at(-1)!,
    )!;
    const left = ranges.split(',').flatMap((range) => {
      const [first, last = first] = range.split('-').map(Number) as [number, number?];
      return lines.slice(first - 1, last);
    });
    const placeOf = (line: string) => /^\S+:\d+: /.exec(line)![0];
    expect([...shown.slice(0, -1), ...left].map(placeOf).toSorted()).toEqual(lines.map(placeOf).toSorted());
  });

  it('are one of every file before files are only named', () => {
    const lines = Array.from({ length: 10 }, (_, n) =>
      [1, 2, 3, 4].map((line) => found(`src/folder/file-${n}.ts`, line)),
    ).flat();
    const shown = cut(lines);
    for (let n = 0; n < 10; n++) expect(shown.join('\n')).toContain(`src/folder/file-${n}.ts:`);
    expect(shown.some((line) => line.startsWith('also in'))).toBe(false);
  });
});

describe('the rows that are shown of many', () => {
  it('are of code before prose, and of a file its definitions first', () => {
    const prose = ['README.md', 'CHANGELOG.md', 'docs/guide.md'].flatMap((path) => rows(path, 20));
    const code = Array.from({ length: 20 }, (_, index) => `src/ansi.py:${index + 1}: strip(${index}, text_${index})`);
    const strip = 'def strip_ansi(value):';
    const shown = cut([...prose, ...code, `src/ansi.py:491: ${strip}`, 'src/use.py:1: strip_ansi(a)'], 1500);
    expect(shown).toContain(`src/ansi.py:491: ${strip}`);
    expect(shown).toContain('src/use.py:1: strip_ansi(a)');
    expect(shown.filter((line) => /^src\/ansi\.py:\d+: strip/.test(line)).length).toBeGreaterThan(
      shown.filter((line) => /\.md:\d+: /.test(line)).length,
    );
  });
});

describe('the definitions among the rows', () => {
  it.each([
    [
      'py',
      'def should_strip_ansi(',
      '# should_strip_ansi is asked first',
      'from ._compat import should_strip_ansi as strip',
    ],
    ['py', 'class StripAnsi:', '"""Strips ansi codes', 'see https://example.org/strip_ansi for more'],
    ['go', 'func (s *Stream) StripAnsi(text string) string {', '// StripAnsi removes codes', 'import "strip_ansi"'],
    ['rs', 'pub fn strip_ansi(text: &str) -> String {', '/// Use strip_ansi for this', 'use crate::strip_ansi;'],
    ['java', 'public static String stripAnsi(String text) {', '* stripAnsi removes codes', 'import a.b.stripAnsi;'],
    ['c', 'static char *strip_ansi(const char *text)', '/* strip_ansi removes codes */', '#include "strip_ansi.h"'],
  ])('come first, and comments and imports last: .%s %s', (extension, definition, comment, imported) => {
    const files = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name, file) => [
      `src/${name}.${extension}:1: ${imported} ${name}`,
      `src/${name}.${extension}:2: ${comment} ${name}`,
      ...Array.from({ length: 8 }, (_, n) => `src/${name}.${extension}:${n + 9}: x${n} = strip_ansi(text, ${file});`),
      `src/${name}.${extension}:50: ${definition}`.replace(/([sS]trip)/, `$1_${name}`),
      `src/${name}.${extension}:60: ${definition}`.replace(/([sS]trip)/, `$1_other_${name}`),
    ]);
    const lines = cut(files, 1900);
    expect(lines.filter((line) => /:[56]0: /.test(line))).toHaveLength(12);
    expect(lines.filter((line) => /:[12]: /.test(line))).toEqual([]);
    expect(lines.length).toBeLessThan(files.length);
  });

  it('come first though a class after the other defines the same', () => {
    const uses = (path: string) =>
      Array.from({ length: 40 }, (_, n) => `${path}:${n + 200}: x${n} = get_default(${n})`);
    const defined = [84, 314, 736].map((line) => `src/core.py:${line}: def get_default(`);
    const shown = cut([...uses('src/a.py'), defined[0]!, ...uses('src/core.py'), ...defined.slice(1)], 900);
    expect(shown).toContain(defined[0]);
  });

  it('are all shown with their beginnings if that makes room for every row', () => {
    const files = ['a', 'b'].flatMap((name) =>
      Array.from({ length: 6 }, (_, n) => `src/${name}.ts:${n}: ${n}${'const found = '.repeat(13)}`),
    );
    const lines = cut(files);
    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toBe('[pruned: 12 long lines clipped; full: <R:result:1>]');
  });

  it('leave a count that cannot be read as a line number', () => {
    const files = Array.from({ length: 20 }, (_, n) => rows(`src/f${n}.js`, 20)).flat();
    expect(cut(files, 900).at(-2)).toMatch(/^also in: src\/f\d+\.js \(20 rows\)/);
  });
});

describe('formatFileMatches', () => {
  it('names as many files as fit', () => {
    const files = [
      { path: 'b.ts', matches: 2 },
      { path: 'a.test.ts', matches: 9 },
      { path: 'c.ts', matches: 3 },
    ];
    expect(formatFileMatches(files)).toBe('c.ts 3, b.ts 2, a.test.ts 9');
    expect(formatFileMatches(files, 10)).toBe('c.ts 3, +2 files');
    expect(formatFileMatches(files, 1)).toBe('+3 files');
  });
});

it('keeps the path and the number of every row that it shows, however long the path', () => {
  const path = (index: number) => `packages/vite/src/node/server/middlewares/__tests__/static-${index}.spec.ts`;
  const all = Array.from({ length: 60 }, (_, index) => `${path(index)}:${index + 7}: const found = ${'x'.repeat(120)}`);
  const { text } = structuralPruner.prune(all.join('\n'), { cap: 2000, format: 'rows' });
  const rows = text.split('\n').filter((line) => !/^(?:also in|\[)/.test(line));
  expect(rows.length).toBeGreaterThan(3);
  for (const row of rows) expect(row).toMatch(/^\S+\.spec\.ts:\d+: const/);
});
