import { appendFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { GrepQuery } from './grep-query.ts';
import { type WorkspaceOptions, WorkspaceRoot } from '../workspace-root.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

const ENGINES: readonly (readonly [string, WorkspaceOptions])[] = [
  ['with ripgrep', {}],
  ['without ripgrep', { ripgrep: null }],
];

const FILES: Files = {
  'a.txt': 'hello\nworld hello hello\n', 'src/b.txt': '  hello again\r\nx\r\n', 'src/.hidden': 'hello', 'bom.txt': '\ufeffhello\n',
  'binary.bin': 'hello\0', 'node_modules/m/i.js': 'hello', 'dist/d.js': 'hello', '.git/config': 'hello', '.gitignore': 'ignored.txt\n/out/\n',
  'ignored.txt': 'hello', 'src/ignored.txt': 'hello', 'out/o.txt': 'hello', '.ignore': 'a.txt', '.rgignore': 'a.txt',
}; // prettier-ignore

const countFiles = <R extends { readonly files: readonly unknown[] }>(result: R) => ({
  ...result,
  files: result.files.length,
});

// Starting a worker thread for each search takes most of the time.
for (const [name, options] of ENGINES)
  describe(`grep ${name}`, { tags: options.ripgrep === null ? ['long'] : [] }, () => {
    const open = (files: Files) => new WorkspaceRoot(temporaryFolder(files), { searchMs: 300_000, ...options });
    const grep = async (query: GrepQuery, files: Files = FILES) => countFiles(await open(files).grep(query));
    const places = async (query: GrepQuery) => (await grep(query)).rows.map(({ path, line }) => `${path}:${line}`);

    it('has a time limit for the expression of a caller, and none for another', async () => {
      const workspace = new WorkspaceRoot(temporaryFolder(FILES), { ...options, searchMs: 0 });
      await expect(workspace.grep({ pattern: 'h.*o' })).rejects.toThrow('grep exceeded 0s');
      expect((await workspace.grep({ pattern: 'h.*o', isOwn: true })).matches).toBeGreaterThan(0);
    });

    it('shows lines by path and number, and counts them', async () => {
      expect(await grep({ pattern: 'hello' })).toEqual({
        rows: [
          { path: 'a.txt', line: 1, text: 'hello' },
          { path: 'a.txt', line: 2, text: 'world hello hello' },
          { path: 'bom.txt', line: 1, text: 'hello' },
          { path: 'src/.hidden', line: 1, text: 'hello' },
          { path: 'src/b.txt', line: 1, text: 'hello again' },
        ],
        matches: 5,
        files: 4,
        searched: expect.any(Number) as number,
        withheld: [],
      });
    });

    it('searches a file, a folder or a file pattern', async () => {
      expect(await places({ pattern: 'hello', path: 'src' })).toEqual(['src/.hidden:1', 'src/b.txt:1']);
      expect(await places({ pattern: 'hello', path: './src/' })).toEqual(['src/.hidden:1', 'src/b.txt:1']);
      expect(await places({ pattern: 'hello', path: 'src/b.txt' })).toEqual(['src/b.txt:1']);
      expect(await places({ pattern: 'hello', path: '**/b.*' })).toEqual(['src/b.txt:1']);
      expect(await places({ pattern: 'hello', path: '*.none' })).toEqual([]);
    });

    it('searches what is skipped when it is named, and what is ignored on request', async () => {
      expect(await places({ pattern: 'hello', path: 'node_modules' })).toEqual(['node_modules/m/i.js:1']);
      expect(await places({ pattern: 'hello', path: 'dist/d.js' })).toEqual(['dist/d.js:1']);
      expect(await places({ pattern: 'hello', path: 'out' })).toEqual(['out/o.txt:1']);
      expect(await places({ pattern: 'hello', path: 'ignored.txt' })).toEqual(['ignored.txt:1']);
      const all = await places({ pattern: 'hello', all: true });
      expect(all.filter((place) => /ignored|out/.test(place))).toEqual([
        'ignored.txt:1',
        'out/o.txt:1',
        'src/ignored.txt:1',
      ]);
      expect(all.some((place) => /node_modules|dist|\.git\//.test(place))).toBe(false);
    });

    it('searches only the files that are meant, in a folder and in a file pattern', async () => {
      const root = open({ 'a/one.ts': 'hit', 'a/two.ts': 'hit\nhit', 'b/three.ts': 'hit', 'a/.env': 'hit' });
      const only = (path: string) => path !== 'a/one.ts';
      for (const path of ['.', '**/*', undefined]) {
        expect(countFiles(await root.grep({ pattern: 'hit', path, only }))).toMatchObject({
          matches: 3,
          files: 2,
          withheld: [expect.any(String)],
        });
      }
      expect((await root.grep({ pattern: 'hit', path: 'a', only, limit: 1 })).rows).toEqual([
        { path: 'a/two.ts', line: 1, text: 'hit' },
      ]);
      expect(countFiles(await root.grep({ pattern: 'hit', only: () => false }))).toMatchObject({
        matches: 0,
        files: 0,
        searched: 0,
      });
    });

    it('shows rows of all files when there are too many, and counts all', async () => {
      const files = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`d/f${n}.txt`, 'hit\n'.repeat(20)]));
      const result = await grep({ pattern: 'hit' }, files);
      expect(result).toMatchObject({ matches: 600, files: 30, searched: 30 });
      expect(result.rows.map(({ path, line }) => `${path}:${line}`)).toEqual(
        Object.keys(files)
          .toSorted()
          .flatMap((path, index) => (index < 20 ? [`${path}:1`, `${path}:2`] : [`${path}:1`])),
      );
    });

    it('shows files with most matches first, and tests and generated files last', async () => {
      const names = Array.from({ length: 60 }, (_, n) => `src/f${n}.ts`);
      const files = {
        ...Object.fromEntries(names.map((name) => [name, 'hit\n'])),
        'src/most.ts': 'hit\n'.repeat(9),
        'src/a.test.ts': 'hit\n'.repeat(99),
        'generated/b.ts': 'hit\n'.repeat(99),
      };
      const { rows, files: counts } = await open(files).grep({ pattern: 'hit' });
      expect(rows).toHaveLength(50);
      expect(rows.filter(({ path }) => !path.startsWith('src/f'))).toEqual([
        { path: 'src/most.ts', line: 1, text: 'hit', alike: 8 },
      ]);
      expect(counts).toHaveLength(63);
      expect(counts).toContainEqual({ path: 'src/a.test.ts', matches: 99 });
    });

    // A list that is copied for every row takes more than ten seconds.
    it('returns as many rows as are asked for, however many one file has', async () => {
      const { rows } = await grep(
        { pattern: 'hit', limit: 50_000 },
        { 'a.txt': 'a hit\n'.repeat(50_000), 'b.txt': 'hit' },
      );
      expect(rows).toHaveLength(50_000);
      expect(rows.slice(-2)).toMatchObject([
        { path: 'a.txt', line: 49_999, text: 'a hit' },
        { path: 'b.txt', line: 1, text: 'hit' },
      ]);
    });

    it('gives code every row, not only the first, and more of a line that was cut', async () => {
      const root = open({
        'a.txt': 'hit\n'.repeat(60),
        'b.txt': ` ${'é'.repeat(9990)}hit\n`,
        'c.txt': `${'漢'.repeat(20_000)}hit`,
      });
      for (const path of ['.', '*.txt', undefined]) {
        const shown = await root.grep({ pattern: 'hit', path });
        const { all = [], ...rest } = await root.grep({ pattern: 'hit', path, forCode: true });
        const files = shown.files.map(({ hash: _hash, ...file }) => file);
        expect(rest).toEqual({ ...shown, files });
        expect(shown.rows.map((row) => `${row.path}:${row.line}`)).toEqual([
          ...all.slice(0, 48).map((row) => `${row.path}:${row.line}`),
          'b.txt:1',
          'c.txt:1',
        ]);
        expect(all.map(({ long }) => long?.length).slice(58)).toEqual([undefined, undefined, 9993, 10_000]);
        expect(all.map(({ text }) => text.length).slice(58)).toEqual([3, 3, 200, 200]);
      }
      const [row] = (await root.grep({ pattern: 'hit', path: 'b.txt', forCode: true })).all ?? [];
      expect(row).toMatchObject({ line: 1, long: `${'é'.repeat(9990)}hit` });
      expect(await root.grep({ pattern: 'none', forCode: true })).toMatchObject({ rows: [], all: [] });
    });

    it('gives code the less of long lines the more rows there are, and no rows when they are too many', async () => {
      const long = `${'é'.repeat(9990)}hit\n`;
      const root = open({ 'a.txt': long.repeat(51), 'b.txt': 'hit\n'.repeat(4045), 'many.md': 'hit\n'.repeat(50_001) });
      const { all = [] } = await root.grep({ pattern: 'hit', path: '*.txt', forCode: true });
      expect([all.length, all[0]?.long?.length]).toEqual([4096, 2048]);
      const many = await root.grep({ pattern: 'hit', path: 'many.md', forCode: true });
      expect(many).not.toHaveProperty('all');
      expect(await root.grep({ pattern: 'hit', forCode: true })).toMatchObject({ matches: 54_097 });
      expect(many.rows).toHaveLength(50);
    });

    it('goes through large files', async () => {
      const files = { 'logs/big.txt': `${`${'x'.repeat(999)}\n`.repeat(4000)}hit\n`, 'small.txt': 'hit' };
      expect(await grep({ pattern: 'hit' }, files)).toMatchObject({ matches: 2, searched: 2 });
      expect(await grep({ pattern: 'hit', path: 'logs' }, files)).toMatchObject({ rows: [{ line: 4001 }] });
    });

    it('shows the first rows of large files beside those of small ones', async () => {
    const filling = `${'x'.repeat(99)}\n`.repeat(30_000);
    const folder = temporaryFolder({
      'a.log': `${filling}hit one\n${filling}hit two\nhit three\n`,
      'b.log': `\uFEFFhit at once\n${filling}`,
      'c.txt': 'hit in a small file\n',
      'd.bin': `\0${filling}hit\n`,
    });
    const { rows, matches, files } = await new WorkspaceRoot(folder).grep({ pattern: 'hit', limit: 4 });
    expect(rows).toEqual([
      { path: 'a.log', line: 30_001, text: 'hit one' },
      { path: 'a.log', line: 60_002, text: 'hit two' },
      { path: 'b.log', line: 1, text: 'hit at once' },
      { path: 'c.txt', line: 1, text: 'hit in a small file' },
    ]);
    expect(matches).toBe(5);
    // What was not read whole may not be edited by what was shown of it.
    expect(files.map(({ hash }) => hash !== undefined)).toEqual([false, false, true]);
    const all = await new WorkspaceRoot(folder).grep({ pattern: 'hit', forCode: true });
    expect(all.all?.map(({ path, line }) => `${path}:${line}`)).toEqual(['a.log:30001', 'a.log:60002', 'a.log:60003', 'b.log:1', 'c.txt:1']);
  }); // prettier-ignore

    it('finds the same in files that became large since the search before', async () => {
      const folder = temporaryFolder({ 'a.log': 'hit\n', 'b.txt': 'hit\n', 'late.log': 'hit\n' });
      const root = new WorkspaceRoot(folder, options);
      expect(await root.grep({ pattern: 'hit' })).toMatchObject({ matches: 3, searched: 3 });
      const filling = `${'x'.repeat(99)}\n`.repeat(30_000);
      appendFileSync(join(folder, 'a.log'), `${filling}hit again\n${filling}`);
      appendFileSync(join(folder, 'late.log'), `${filling}\0\nhit after a NUL\n${filling}`);
      for (let time = 0; time < 2; time++) {
        const { rows, ...totals } = await root.grep({ pattern: 'hit' });
        expect(totals).toMatchObject({ matches: 5, searched: 3 });
        expect(rows.map(({ path, line }) => `${path}:${line}`)).toEqual([
          'a.log:1', 'a.log:30002', 'b.txt:1', 'late.log:1', 'late.log:30003',
        ]); // prettier-ignore
      }
    });

    it('counts all rows of a large file and keeps the first ones', async () => {
      const files = { 'a.log': `${'x'.repeat(99)} hit\n`.repeat(60_000), 'b.txt': 'hit' };
      const result = await grep({ pattern: 'hit', limit: 3 }, files);
      expect(result).toMatchObject({ matches: 60_001, files: 2 });
      expect(result.rows.map(({ path, line }) => `${path}:${line}`)).toEqual(['a.log:1', 'a.log:2', 'b.txt:1']);
      expect(await grep({ pattern: 'hit', path: 'a.log', limit: 3 }, files)).toMatchObject({ matches: 60_000 });
    });

    it('shows the first row of each kind, however far down it is', async () => {
      const failed = (count: number) => Array.from({ length: count }, (_, n) => `ERROR request ${n} failed\n`).join('');
      const files = {
        'large.log': `${failed(70_000).slice(0, 1_200_000)}\nERROR disk is full\n${failed(40_000)}`,
        'small.log': `${failed(2000)}ERROR disk is full\n`,
      };
      for (const path of ['large.log', 'small.log', undefined]) {
        const { rows } = await grep({ pattern: 'ERROR', path, limit: 20 }, files);
        const full = rows.filter(({ text }) => text === 'ERROR disk is full');
        expect(full.map((row) => row.path)).toEqual(path === undefined ? ['large.log', 'small.log'] : [path]);
        expect(rows).toHaveLength(20);
      }
      const { rows } = await grep({ pattern: 'ERROR', path: 'small.log', limit: 20 }, files);
      expect(rows.at(-2)).toMatchObject({ text: 'ERROR request 18 failed', alike: 1981 });
    });

    it('gives code more of the long lines of a large file', async () => {
      const root = open({ 'a.log': `${'é'.repeat(9990)}hit\n${'x'.repeat(99_999)}\n`.repeat(30) });
      for (const path of [undefined, 'a.log']) {
        const { all = [] } = await root.grep({ pattern: 'hit', path, forCode: true });
        expect([all.length, all[29]?.text.length, all[29]?.long?.length]).toEqual([30, 200, 9993]);
      }
    });

    it(
      'goes through more than 256 MB of a file that is named, and says what it has left out elsewhere',
      { tags: ['long'] },
      async () => {
        const folder = temporaryFolder({ 'a.log': `hit\n${'x'.repeat(9000)}` });
        truncateSync(join(folder, 'a.log'), 257 * 1024 * 1024);
        appendFileSync(join(folder, 'a.log'), '\nhit');
        const root = new WorkspaceRoot(folder, options);
        const { rows, matches } = await root.grep({ pattern: 'hit', path: 'a.log' });
        expect({ rows, matches }).toMatchObject({ rows: [{ line: 1 }, { line: 3 }], matches: 2 });
        for (const withoutLarge of [false, true]) {
          const again = new WorkspaceRoot(folder, options);
          // A search before the file became so large leads to the same.
          if (withoutLarge) {
            truncateSync(join(folder, 'a.log'), 9004);
            await again.grep({ pattern: 'hit' });
            truncateSync(join(folder, 'a.log'), 257 * 1024 * 1024);
          }
          expect(await again.grep({ pattern: 'hit' })).toMatchObject({ matches: 0, searched: 0, tooLarge: 1 });
        }
      },
    );

    it('goes through what is below the folders that a pattern names', async () => {
      const files = { 'packages/a/src/deep/x.txt': 'hit', 'packages/b/src/y.txt': 'hit', 'packages/b/z.txt': 'hit' };
      expect(await grep({ pattern: 'hit', path: 'packages/*/src' }, files)).toMatchObject({ matches: 2 });
      expect(await grep({ pattern: 'hit', path: 'packages/{a,b}' }, files)).toMatchObject({ matches: 3 });
    });

    it('goes through ignored files of a named folder where nothing else matches, and counts them elsewhere', async () => {
      const files = { '.gitignore': '*.log\n', 'logs/a.log': 'hit', 'logs/b.txt': 'other', 'c.log': 'hit' };
      expect(await grep({ pattern: 'hit', path: 'logs' }, files)).toMatchObject({ matches: 1, onlyIgnored: true });
      expect(await grep({ pattern: 'other', path: 'logs' }, files)).not.toHaveProperty('onlyIgnored');
      expect(await grep({ pattern: 'hit' }, files)).toMatchObject({ matches: 0, ignored: 2 });
    });

    it('leaves out a binary file even when it is named', async () => {
      expect(await grep({ pattern: 'hello', path: 'binary.bin' })).toMatchObject({ rows: [], matches: 0, files: 0 });
    });

    it('looks behind a NUL that is far from the beginning', async () => {
      const files = {
        'late.txt': `hit\n${'x\n'.repeat(50_000)}\0\nhit \0 hit\n`,
        'early.bin': 'hit\n\0\nhit',
        'z.txt': 'hit',
      };
      const late = [
        { path: 'late.txt', line: 1 },
        { path: 'late.txt', line: 50_003 },
      ];
      const found = await grep({ pattern: 'hit' }, files);
      expect(found).toMatchObject({ rows: [...late, { path: 'z.txt', line: 1 }], matches: 3, files: 2 });
      expect(await grep({ pattern: 'hit', path: 'late.txt' }, files)).toMatchObject({
        rows: late,
        matches: 2,
        files: 1,
      });
      expect(await grep({ pattern: 'hit', path: 'l*.txt' }, files)).toMatchObject({
        rows: late,
        matches: 2,
        searched: 1,
      });
      expect(await grep({ pattern: 'hit', path: 'early.*' }, files)).toMatchObject({ rows: [], matches: 0, files: 0 });
    });

    it('searches many files of a pattern as it searches few', async () => {
      const files = Object.fromEntries(
        Array.from({ length: 700 }, (_, n) => [
          `d/f${n}.${n % 7 === 0 ? 'md' : 'txt'}`,
          n % 2 === 0 ? 'hit\n' : 'miss\n',
        ]),
      );
      const more = {
        ...files,
        'd/big.txt': 'hit\n'.repeat(300_000),
        'd/b.txt': 'hit\0',
        'd/.env.txt': 'hit',
        'd/late.txt': `${'x\n'.repeat(9000)}\0hit`,
        '.gitignore': 'f2.txt\n',
        'd/.gitignore': 'f4.txt\n',
      };
      const found = await grep({ pattern: 'hit', path: 'd/*.txt' }, more);
      expect(found).toMatchObject({ matches: 300_299, files: 300, withheld: [expect.any(String)] });
      expect(await grep({ pattern: 'hit', path: 'd/f?.txt' }, more)).toMatchObject({ matches: 2, searched: 6 });
    });

    it('finds what is far to the right in a long line, and line ends of both kinds', async () => {
      const files = { 'a.txt': `${'x'.repeat(30_000)}needle\r\nneedle\r\n` };
      const { rows } = await grep({ pattern: 'needle$' }, files);
      expect(rows.map(({ line, text }) => [line, text.slice(-7)])).toEqual([
        [1, 'xneedle'],
        [2, 'needle'],
      ]);
    });

    it('takes the pattern for a pattern, whatever it looks like', async () => {
      const files = { 'a.txt': '--pre=cat\n-v\n--files\n', 'pre.sh': '' };
      for (const pattern of ['--pre=cat', '-v', '--files', '-']) expect((await grep({ pattern }, files)).files).toBe(1);
      expect(await grep({ pattern: 'x', path: '-v' }, { '-v': 'x' })).toMatchObject({ matches: 1 });
    });

    it('matches case, anchors and Unicode line by line', async () => {
      const files = { 'a.txt': 'Foo\r\nfoo\nnaïve 😀\n' };
      expect(await grep({ pattern: 'foo' }, files)).toMatchObject({ matches: 1 });
      expect(await grep({ pattern: '(?i)^FOO$' }, files)).toMatchObject({ matches: 2 });
      expect(await grep({ pattern: 'na.ve .$' }, files)).toMatchObject({ rows: [{ text: 'naïve 😀' }] });
    });

    it.each([
      ['[', 'unterminated character class at 0. Quote or escape it.', String.raw`\[`],
      ['ab[c', 'unterminated character class at 2. Quote or escape it.', String.raw`ab\[c`],
      ['*a', 'nothing to repeat at 0. Quote or escape it.', String.raw`\*a`],
      ['[z-a]', 'bad range in a character class at 1. Quote or escape it.', String.raw`\[z-a\]`],
    ])('explains what is wrong with %s', async (pattern, message, hint) => {
      expect(await describeOutcome(() => grep({ pattern }))).toBe(`PatternError: ${message}\nTry: <Grep:${hint}>`);
      expect(await describeOutcome(() => grep({ pattern, path: '*.none' }))).toContain(message);
    });

    it.each(['a)', '(', 'a{2,1}', String.raw`\p{Nonsense}`])('refuses %s', async (pattern) => {
      expect(await describeOutcome(() => grep({ pattern }))).toMatch(
        /^PatternError: .*\. Quote or escape it\.\nTry: <Grep:.+>$/,
      );
    });

    it('refuses a place that is missing or outside', async () => {
      expect(await describeOutcome(() => grep({ pattern: 'x', path: 'scr' }))).toBe(
        'FileNotFoundError: scr. Did you mean src?\nTry: <R:src>',
      );
      expect(await describeOutcome(() => grep({ pattern: 'x', path: '../*' }))).toContain('is outside the workspace');
      expect(await describeOutcome(() => grep({ pattern: 'x', path: '/etc' }))).toContain('is outside the workspace');
    });

    it('does not wait for bad pairs of pattern and text', async () => {
      const files = { 'a.txt': `${'a'.repeat(5000)}!\n`.repeat(20) };
      expect(await grep({ pattern: '(a+)+$' }, files)).toMatchObject({ matches: 0 });
      expect(await grep({ pattern: '(a|a)*b' }, files)).toMatchObject({ matches: 0 });
    });

    it('stops when it is cancelled', async () => {
      const signal = AbortSignal.abort(new Error('stop'));
      await expect(grep({ pattern: 'x', signal })).rejects.toThrow('stop');
    });

    it('does not read a file whose name only looks like a pattern as one', async () => {
      expect(await grep({ pattern: 'x', path: 'app/[id]' }, { 'app/[id]/p.ts': 'x' })).toMatchObject({
        rows: [{ path: 'app/[id]/p.ts' }],
      });
    });
  });

describe('grep', () => {
  it('obeys no configuration from outside', async () => {
    const folder = temporaryFolder({ 'w/a.txt': 'hello', rc: '--max-count=0\n--invert-match\n' });
    process.env['RIPGREP_CONFIG_PATH'] = join(folder, 'rc');
    try {
      expect(await new WorkspaceRoot(join(folder, 'w')).grep({ pattern: 'hello' })).toMatchObject({ matches: 1 });
    } finally {
      delete process.env['RIPGREP_CONFIG_PATH'];
    }
  });
});
