import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asModelText, createAgent } from '@bae/core';
import { provideWorkspace } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { openSpace } from '../test/open-space.ts';
import { FilesystemSpace } from './filesystem-space.ts';
import { createNarrowerPattern } from './glob-files.ts';

const many = (count: number, path: (n: number) => string, text = ''): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [path(n), text]));

describe('glob', () => {
  it('lists paths', async () => {
    const space = openSpace({ 'b.ts': '', 'src/a.ts': '', 'c.md': '' });
    expect(await space.output('glob', { pattern: '**/*.ts' })).toMatchObject({
      text: 'b.ts\nsrc/a.ts',
      format: 'plain',
      rows: 2,
    });
  });

  it('stops after 100 rows, and shows how many there are and how to get fewer', async () => {
    const space = openSpace({ ...many(200, (n) => `src/a/f${n}.ts`), ...many(100, (n) => `lib/f${n}.js`) });
    const output = await space.output('glob', { pattern: '**' });
    expect(output.rows).toBe(300);
    expect(output.text.split('\n')).toHaveLength(101);
    expect(output.text.split('\n').at(-1)).toBe('... 200 more (300 total). Narrow: <G:src/**/*.ts>');
  });

  it('lists links to files, and names those that it does not follow', async () => {
    const space = openSpace({ 'pkg/cli.js': '', 'node_modules/x/bin.js': '', '.gitignore': 'out', 'b.ts': '' });
    const link = (target: string, path: string) => symlinkSync(target, join(space.folder, path));
    mkdirSync(join(space.folder, 'node_modules/.bin'));
    link('../x/bin.js', 'node_modules/.bin/x');
    link('../../pkg/cli.js', 'node_modules/.bin/cli');
    expect(await space.call('glob', { pattern: 'node_modules/.bin/*' })).toBe(
      'node_modules/.bin/cli\nnode_modules/.bin/x',
    );
    link('pkg', 'a-folder');
    link('/etc/passwd', 'outside');
    link('nowhere', 'dangling');
    link('b.ts', 'out');
    expect(await space.call('glob', { pattern: '*' })).toBe(
      '.gitignore\nb.ts\n[3 links not followed: a-folder, dangling, outside]',
    );
    expect(await space.call('glob', { pattern: 'a-*' })).toBe('(no matches)\n[1 link not followed: a-folder]');
    expect(await space.call('glob', { pattern: 'pkg/*' })).toBe('pkg/cli.js');
  });

  it('begins in a folder that is given apart', async () => {
    const space = openSpace({ 'src/a.ts': '', 'b.ts': '' });
    expect(await space.call('glob', { pattern: '*.ts', path: 'src/' })).toBe('src/a.ts');
  });

  it('shows what is ignored on request', async () => {
    const space = openSpace({ '.gitignore': '*.log', 'a.log': '' });
    expect(await space.call('glob', { pattern: '*.log' })).toBe(
      '(no matches)\n1 file ignored by .gitignore: <G:*.log ignored=true>',
    );
    expect(await space.call('glob', { pattern: '*.log', ignored: true })).toBe('a.log');
  });

  it('says where files of installed packages are, which only a pattern that names their folder finds', async () => {
    const space = openSpace({ 'packages/a/node_modules/trouter/index.js': '' });
    const found = '**/node_modules/**/trouter/*.js';
    expect(await space.call('glob', { pattern: '**/trouter/*.js', ignored: true })).toBe(
      `(no matches)\nnode_modules is searched only where the pattern names it: <G:${found} ignored=true>`,
    );
    expect(await space.call('glob', { pattern: found, ignored: true })).toBe(
      'packages/a/node_modules/trouter/index.js',
    );
    expect(await space.call('glob', { pattern: '**/router/*.js', ignored: true })).not.toContain('node_modules');
  });

  it('names the folders that a pattern without files matches', async () => {
    const space = openSpace({ 'tests/test_utils/a.py': '', 'tests/test_cli/deep/b.py': '', 'tests/other/c.py': '' });
    expect(await space.call('glob', { pattern: 'tests/test_utils*' })).toBe(
      '(no matches)\nfolders that match: tests/test_utils/  <G:tests/test_utils/**>',
    );
    expect(await space.call('glob', { pattern: 'tests/test_*' })).toBe(
      '(no matches)\nfolders that match: tests/test_cli/, tests/test_utils/  <G:tests/test_*/**>',
    );
    expect(await space.call('glob', { pattern: 'tests/test_*/**' })).toBe(
      'tests/test_cli/deep/b.py\ntests/test_utils/a.py',
    );
    const many = openSpace(Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`t${index}/a.py`, ''])));
    expect(await many.call('glob', { pattern: 't*' })).toMatch(/: t0\/, t1\/, t2\/, t3\/, t4\/, \+2 {2}<G:t\*\/\*\*>$/);
    expect(await space.call('glob', { pattern: 'tests/nothing*' })).toBe('(no matches)');
  });

  it('helps when a folder was named or misspelt', async () => {
    const space = openSpace({ 'src/a.ts': '' });
    expect(await space.call('glob', { pattern: 'src' })).toBe('(no matches)\nsrc is a folder. Try: <G:src/**>');
    expect(await space.call('glob', { pattern: 'scr/*.ts' })).toBe(
      '(no matches)\nno file or folder matches scr/*.ts. Did you mean <G:src/*.ts>?',
    );
    expect(await space.call('glob', { pattern: 'src/*.md' })).toBe('(no matches)');
  });

  it('is no search of nothing when a pattern of paths is misspelt', async () => {
    const space = openSpace({ 'packages/one/src/a.ts': 'word\n', 'packages/two/src/b.ts': '' });
    expect(await space.call('grep', { pattern: 'word', path: 'packages/*/srcc' })).toBe(
      'ResourceError: no file or folder matches packages/*/srcc. Did you mean packages/*/src?\nTry: <Grep:word path="packages/*/src">',
    );
    expect(await space.call('grep', { pattern: 'word', path: 'packages/*/*.zip' })).toBe(
      '(no matches)\nsearched 0 files',
    );
  });

  it('refuses a pattern that leaves', async () => {
    expect(await openSpace().call('glob', { pattern: '../*' })).toContain('PathError: ../* is outside the workspace');
  });
});

describe('narrowerPattern', () => {
  it.each([
    ['**', ['a/x.ts', 'a/y.ts', 'b/z.ts'], 'a/**/*.ts'],
    ['src/**/*.ts', ['src/a/x.ts', 'src/a/b/y.ts', 'src/z.ts'], 'src/a/**/*.ts'],
    ['src/*', ['src/a.ts', 'src/b.ts', 'src/c.md'], 'src/*.ts'],
    ['src/*.ts', ['src/ab.ts', 'src/ac.ts', 'src/b.ts'], 'src/a*.ts'],
    ['*', ['Makefile', 'README', 'Main'], 'M*'],
    ['*', ['.env', '.envrc', 'a'], '.*'],
  ])('makes of %s a pattern with fewer matches', (pattern, paths, narrower) => {
    expect(createNarrowerPattern(pattern, paths)).toBe(narrower);
  });
});

describe('grep', () => {
  it('looks for the blanks that a pattern has around it', async () => {
    const space = openSpace({ 'a.txt': 'const a\nconstant\na const\n' });
    expect(await space.call('grep', { pattern: 'const ' })).toBe('a.txt:1: const a');
    expect(await space.call('grep', { pattern: ' const', path: 'a.txt' })).toBe('a.txt:3: a const');
  });

  it('leaves out flags of other programs where nothing else is found, and says so', async () => {
    const space = openSpace({ 'src/a.ts': 'one\nlogin\nLogin\n', 'b.md': 'call it with -i\n' });
    expect(await space.call('grep', { pattern: 'LOGIN -i -A 2' })).toBe(
      'src/a.ts:2: login\nsrc/a.ts:3: Login\nnothing matches with the flags, which searches do not have here; this is <Grep:(?i)LOGIN>',
    );
    expect(await space.call('grep', { pattern: 'LOGIN|one path=src -i' })).toBe(
      'src/a.ts:1: one\nsrc/a.ts:2: login\nsrc/a.ts:3: Login',
    );
    expect(await space.call('grep', { pattern: 'with -i' })).toBe('b.md:1: call it with -i');
    expect(await space.call('grep', { pattern: 'none -i' })).toContain('(no matches for the whole text "none -i"');
  });

  const FILES = {
    'a.ts': 'import x from "bae/repl";\n// TODO one\n',
    'src/b.ts': '// TODO two\n',
    'bae/repl/c.ts': 'import x\n',
  };

  it('shows path, line and text', async () => {
    expect(await openSpace(FILES).output('grep', { pattern: 'TODO' })).toEqual({
      text: 'a.ts:2: // TODO one\nsrc/b.ts:1: // TODO two',
      format: 'rows',
      paged: true,
      whole: expect.any(Function) as unknown,
      rows: 2,
    });
  });

  it('shows all of up to 50 rows where they fit on a page', async () => {
    const make = (count: number, words: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`src/part-${n}.ts`, `// TODO ${`w${n} `.repeat(words)}\n`]),
      );
    const text = async (files: Readonly<Record<string, string>>) => {
      const { folder } = openSpace(files);
      const agent = createAgent({ home: FilesystemSpace, provide: [provideWorkspace(folder)] });
      const { calls } = await agent.session('search').run(asModelText('<Grep:TODO>'));
      return calls[0]!.result.text;
    };
    expect((await text(make(45, 10))).split('\n')).toHaveLength(45);
    expect((await text(make(45, 40))).split('\n').length).toBeLessThan(35);
    expect((await text(make(60, 10))).split('\n').length).toBeLessThan(45);
  });

  it.each([
    ['TODO src', 'src/b.ts:1: // TODO two'],
    ['TODO nowhere', '(no matches)\nsearched 3 files'],
    ['import x', 'a.ts:1: import x from "bae/repl";\nbae/repl/c.ts:1: import x'],
    ['"import x" bae/repl', 'bae/repl/c.ts:1: import x'],
    ['"import x" in bae/repl', 'bae/repl/c.ts:1: import x'],
    ["'import x' bae/**/*.ts", 'bae/repl/c.ts:1: import x'],
    ['"import x"', 'a.ts:1: import x from "bae/repl";\nbae/repl/c.ts:1: import x'],
    ['import x bae/repl', 'bae/repl/c.ts:1: import x'],
    ['TODO ../x', '(no matches)\nsearched 3 files'],
    ['src', '(no matches)\nsearched 3 files'],
  ])('takes %j apart', async (pattern, text) => {
    expect(await openSpace(FILES).call('grep', { pattern })).toBe(text);
  });

  it('takes a path given by name, and all of the argument for the pattern', async () => {
    const space = openSpace({ ...FILES, 'n.txt': 'TODO src' });
    expect(await space.call('grep', { pattern: 'TODO src', path: '.' })).toBe('n.txt:1: TODO src');
    expect(await space.call('grep', { pattern: '"import x"', path: 'bae' })).toBe('bae/repl/c.ts:1: import x');
    expect(await space.call('grep', { pattern: 'TODO', path: '*.ts' })).toBe('a.ts:2: // TODO one');
  });

  it('names a path that is missing', async () => {
    expect(await openSpace(FILES).call('grep', { pattern: 'TODO', path: 'scr' })).toBe(
      'FileNotFoundError: scr. Did you mean src?\nTry: <R:src>',
    );
    expect(await openSpace(FILES).call('grep', { pattern: '"TODO" scr' })).toContain('Did you mean src?');
  });

  it('suggests searches in the same place where a pattern cannot be used', async () => {
    const space = openSpace({ 'src/a.py': 'one' });
    const pattern = String.raw`^(?!def ).*\bslugify\(`;
    const answer = await space.call('grep', { pattern, path: 'src', ignored: true });
    expect(answer).toContain(String.raw`Try: <Grep:^.*\bslugify\( path=src ignored=true>`);
    expect(await space.call('grep', { pattern: '[word', path: 'src' })).toContain(
      String.raw`Try: <Grep:\[word path=src>`,
    );
  });

  it('says that it leaves out built files, where they are part of the project', async () => {
    const files = { 'dist/a.js': 'one\n', 'src/a.js': 'one\n', '.gitignore': 'out\n' };
    const space = openSpace(files);
    const note = 'not searched: dist/; path=dist searches it';
    expect(await space.call('grep', { pattern: 'one' })).toBe(`src/a.js:1: one\n${note}`);
    expect(await space.call('grep', { pattern: 'two' })).toContain(note);
    expect(await space.call('grep', { pattern: 'one', path: 'dist' })).toBe('dist/a.js:1: one');
    writeFileSync(join(space.folder, '.gitignore'), 'dist\n');
    expect(await space.call('grep', { pattern: 'one' })).toBe('src/a.js:1: one');
  });

  it('that finds nothing says what it would find ignoring case', async () => {
    const space = openSpace({ 'a.md': '## Decisions\nKeep it.\nDrop it.\n', 'b.md': 'none\n' });
    expect(await space.call('grep', { pattern: 'decision|keep|drop' })).toBe(
      '(no matches)\nsearched 2 files\nignoring case: 3 lines: <Grep:(?i)decision|keep|drop>',
    );
    expect(await space.call('grep', { pattern: 'decision', path: 'a.md' })).toContain(
      'ignoring case: 1 line: <Grep:(?i)decision path=a.md>',
    );
    expect(await space.call('grep', { pattern: '(?i)decision' })).toContain('a.md:1: ## Decisions');
    expect(await space.call('grep', { pattern: 'nowhere' })).toBe('(no matches)\nsearched 2 files');
    // It may have taken as long as a search may take.
    expect(await space.call('grep', { pattern: '(?:d){1}ecisions' })).toBe('(no matches)\nsearched 2 files');
  });

  it('keeps 500 rows of all files in turn, and shows how many there are', async () => {
    const space = openSpace(many(17, (n) => `f${n}.txt`, 'hit\n'.repeat(70) + 'miss\n'));
    mkdirSync(join(space.folder, 'd'));
    writeFileSync(join(space.folder, 'd/last.txt'), 'hit\n'.repeat(40));
    const output = await space.output('grep', { pattern: 'hit' });
    expect(output.rows).toBe(1230);
    const lines = output.text.split('\n');
    expect(lines).toHaveLength(502);
    expect(lines.filter((line) => line.startsWith('d/last'))).toHaveLength(27);
    expect(lines.at(-2)).toMatch(/^by file: f0\.txt 70, .*, \+8 files$/);
    expect(output.text.split('\n').at(-1)).toBe(
      '... (1230 total matches in 18 files). Narrow with path=… or a longer pattern.',
    );
  });

  it('clips long lines', async () => {
    const text = await openSpace({ f: `${'x'.repeat(300)}\n` }).call('grep', { pattern: 'x' });
    expect(text).toBe(`f:1: ${'x'.repeat(199)}…`);
  });
});

describe('search', () => {
  it('finds a text literally, under addresses that can be read', async () => {
    const space = openSpace({ 'a.ts': 'x\nf(a, b)\n', 'b.ts': 'f(a, b)\nf(a, b)\n' });
    expect(await space.search('f(a, b)', 2)).toEqual([
      { target: 'a.ts:2', text: 'f(a, b)' },
      { target: 'b.ts:1', text: 'f(a, b)' },
    ]);
  });
});

describe('entering', () => {
  it('names the branch', async () => {
    const space = openSpace({ 'a.txt': '', 'b/c': '', '.git/HEAD': 'ref: refs/heads/feature/x\n' });
    expect(await space.enter()).toMatch(/^Folder bae-workspace-\w+: b\/ a\.txt\. Git branch: feature\/x\.$/);
  });

  it('names what is new and gone since it was described, and what of that git ignores', async () => {
    const space = openSpace({
      'a.txt': '',
      'b/c': '',
      '.gitignore': 'coverage/\n',
      '.git/HEAD': 'ref: refs/heads/main\n',
    });
    const first = await space.enter();
    expect(await space.enter()).toBe(first);
    mkdirSync(join(space.folder, 'coverage'));
    writeFileSync(join(space.folder, 'new.txt'), '');
    expect(await space.enter()).toBe(`${first}\nNew: new.txt\nNew, and ignored by git: coverage/`);
    rmSync(join(space.folder, 'coverage'), { recursive: true });
    rmSync(join(space.folder, 'a.txt'));
    expect(await space.enter()).toBe(`${first}\nNew: new.txt\nGone: a.txt`);
    writeFileSync(join(space.folder, '.git/HEAD'), 'ref: refs/heads/next\n');
    expect(await space.enter()).toMatch(/^Folder \S+: b\/ new\.txt \.gitignore\. Git branch: next\.$/);
    for (let index = 0; index < 9; index++) writeFileSync(join(space.folder, `${index}.txt`), '');
    expect(await space.enter()).toMatch(/^Folder \S+: b\/ 0\.txt 1\.txt [^\n]* Git branch: next\.$/);
  });

  it('says how large a large file is', async () => {
    const space = openSpace({ 'build.log': 'x'.repeat(86_400), 'a.txt': '' });
    expect(await space.enter()).toMatch(/: a\.txt build\.log \(86 kB\)\.$/);
  });

  it('leaves git out where there is none, or no branch', async () => {
    expect(await openSpace({ 'a.txt': '' }).enter()).toMatch(/: a\.txt\.$/);
    expect(await openSpace({ '.git': 'gitdir: ../x', a: '' }).enter()).toMatch(/: a\.$/);
    expect(await openSpace({ '.git/HEAD': '3f2a\n' }).enter()).toMatch(/: empty\.$/);
  });

  it('names what has room, and how many others there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`file-${index + 10}.txt`, '']));
    expect(await openSpace(many).enter()).toMatch(/: file-10\.txt(?: file-\d+\.txt)+ \+33: <R:>\.$/);
    // What tells most about a project comes first, and what every project has last.
    const usual = {
      LICENSE: '',
      'CHANGELOG.md': '',
      'README.md': '',
      'build.mjs': '',
      'package.json': '{}',
      'pnpm-lock.yaml': '',
    };
    const files = { ...usual, 'node_modules/a.js': '', 'src/a.ts': '', 'test/a.ts': '', '.editorconfig': '' };
    expect(await openSpace(files).enter()).toContain(
      ': src/ test/ README.md package.json build.mjs CHANGELOG.md LICENSE node_modules/ +2: <R:>.',
    );
    expect(await openSpace({ ['x'.repeat(200)]: '' }).enter()).toMatch(/: 1 long name\.$/);
    expect(await openSpace({}).enter()).toMatch(/: empty\.$/);
  });
});

it('a search looks only at the lines that stand behind its path', async () => {
  const text = Array.from({ length: 40 }, (_, line) => `row ${line + 1}\n`).join('');
  const space = openSpace({ 'a.txt': text, 'b.txt': text });
  expect(await space.call('grep', { pattern: 'row .5', path: 'a.txt:10-30' })).toBe(
    'a.txt:15: row 15\na.txt:25: row 25',
  );
  expect(await space.call('grep', { pattern: 'row', path: 'a.txt:7' })).toBe('a.txt:7: row 7');
  expect(await space.call('grep', { pattern: 'row 1$', path: 'a.txt:10-30' })).toContain('(no matches)');
  expect(await space.call('grep', { pattern: 'row', path: 'a.txt:40-' })).toBe('a.txt:40: row 40');
  expect(await space.call('grep', { pattern: 'row 1$', path: 'none.txt:10-30' })).toContain('none.txt:10-30');
});

describe('several patterns in one call', () => {
  it.each(['*.ts, *.js', '*.ts *.js', '*.ts|*.js', '*.ts;*.js'])('are read as one in %j', async (pattern) => {
    const space = openSpace({ 'a.ts': '', 'b.js': '', 'c.md': '' });
    expect(await space.call('glob', { pattern })).toBe('a.ts\nb.js\nseveral patterns are one here: <G:{*.ts,*.js}>');
  });

  it('are not read as one if they are many, which could take minutes', async () => {
    const space = openSpace({ 'a.ts': '', 'b.js': '' });
    const many = (count: number) => ['a.ts', ...Array.from({ length: count - 1 }, (_, n) => `b${n}.x`)].join('|');
    expect(await space.call('glob', { pattern: many(10) })).toMatch(/^a\.ts\nseveral patterns/);
    expect(await space.call('glob', { pattern: many(11) })).toContain('(no matches)');
  });

  it('are one pattern if files have such names', async () => {
    const space = openSpace({ 'a b.ts': '', a: '', 'b.ts': '' });
    expect(await space.call('glob', { pattern: 'a b.ts' })).toBe('a b.ts');
    expect(await space.call('glob', { pattern: 'x y' })).toContain('(no matches)');
  });
});

it('a file that is only in a folder below is found there', async () => {
  const space = openSpace({ 'a.ts': '', 'src/d.ts': '' });
  expect(await space.call('glob', { pattern: 'd.ts' })).toBe('(no matches)\nin folders below: <G:**/d.ts>');
});
