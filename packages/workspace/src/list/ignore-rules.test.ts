import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { IgnoreList } from './ignore-rules.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const FILES = [
  'a',
  'b',
  'c.log',
  'a.log',
  'A',
  '[a]',
  'a b',
  'd/a',
  'd/b',
  'd/c.log',
  'd/e/a',
  'd/e/b.log',
  'd/e/f/a',
  'e/d/a',
  'e/x.tmp',
  'f/d',
];
const NAMES = fc.constantFrom(
  'a',
  'b',
  'd',
  'e',
  'f',
  '*',
  '*.log',
  'c*',
  '?',
  '[ab]',
  '[!a]',
  '**',
  'A',
  'x.tmp',
  String.raw`\[a\]`,
  'a b',
  '*.*',
);
const RULE = fc
  .tuple(
    fc.constantFrom('', '', '', '!'),
    fc.constantFrom('', '', '/'),
    fc.array(NAMES, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', '/**', ' '),
  )
  .map(([sign, start, names, end]) => sign + start + names.join('/') + end)
  .filter((rule) => rule.split('**').length <= 2);
const RULES = fc.array(fc.oneof({ weight: 9, arbitrary: RULE }, fc.constantFrom('', '# a', '#a', '  ')), {
  maxLength: 5,
});

/** What git takes for files that are not ignored. */
function shownByGit(folder: string): readonly string[] {
  const environment = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...parameters: string[]): string =>
    spawnSync('git', parameters, { cwd: folder, env: environment, encoding: 'utf8' }).stdout;
  git('init', '--quiet');
  return git('ls-files', '--others', '--exclude-standard', '-z')
    .split('\0')
    .filter((path) => path !== '')
    .toSorted();
}

describe('.gitignore', () => {
  const compareWithGit = async (numRuns: number) => {
    await fc.assert(
      fc.asyncProperty(RULES, RULES, async (above, below) => {
        const folder = temporaryFolder({
          ...Object.fromEntries(FILES.map((path) => [path, 'x\n'])),
          '.gitignore': above.join('\n'),
          'd/.gitignore': below.join('\r\n'),
        });
        const expected = shownByGit(folder);
        const workspace = new WorkspaceRoot(folder);
        expect(await workspace.glob({ pattern: '**' })).toEqual(expected);
        const texts = expected.filter((path) => !path.endsWith('.gitignore'));
        for (const engine of [workspace, new WorkspaceRoot(folder, { ripgrep: null })]) {
          const { rows } = await engine.grep({ pattern: '^x$' });
          expect(rows.map(({ path }) => path)).toEqual(texts);
        }
      }),
      { numRuns },
    );
  };

  it('means what it means to git and to ripgrep', { tags: ['long'] }, () => compareWithGit(3));
  it('means what it means to git and to ripgrep, 15 times', { tags: ['long'] }, () => compareWithGit(15));
});

describe('rules further down', () => {
  it('take back a whole folder', async () => {
    const files = { '.gitignore': 'lib\n/d/[x] y\n', 'lib/no': '', 'd/.gitignore': '!lib\n!/[[]x] y/\n', 'd/lib/yes': '', 'd/lib/e/yes': '', 'd/lib/e/lib/yes': '', 'd/[x] y/yes': '' };
    const paths = await new WorkspaceRoot(temporaryFolder(files)).glob({ pattern: '**/{yes,no}' });
    expect(paths).toEqual(['d/[x] y/yes', 'd/lib/e/lib/yes', 'd/lib/e/yes', 'd/lib/yes']);
  }); // prettier-ignore
});

describe('IgnoreList', () => {
  it('excludes, takes back, or has no rule', async () => {
    const list = await IgnoreList.parse('# comment\n*.log\r\n!keep.log\n/out/\n\nnode_?[ab]*\n');
    expect(['x.log', 'd/x.log', 'out/', 'node_1a2'].map((path) => list.test(path))).toEqual([true, true, true, true]);
    expect(list.test('keep.log')).toBe(false);
    expect(['x', 'out', 'd/out/', 'comment', 'X.LOG'].map((path) => list.test(path))).toEqual(Array(5).fill(undefined));
  });

  it('obeys no rule that takes long to compare with a path', async () => {
    const path = `${'a/'.repeat(1000)}b`;
    const name = 'a'.repeat(255);
    for (const rule of [
      'a/**/a/**/a/**/c',
      '/**/a/**/a/**/b',
      `${'*a'.repeat(5)}b`,
      'a'.repeat(501),
      `x/${'*a'.repeat(30)}`,
    ]) {
      const list = await IgnoreList.parse(rule);
      expect([path, name, `x/${name}`].map((one) => list.test(one))).toEqual([undefined, undefined, undefined]);
    }
  });

  it('obeys no more than a thousand rules', async () => {
    const list = await IgnoreList.parse(Array.from({ length: 2000 }, (_, n) => `f${n}.x`).join('\n'));
    expect([list.test('f999.x'), list.test('f1000.x')]).toEqual([true, undefined]);
  });

  it('decides nothing without rules', async () => {
    expect((await IgnoreList.parse('')).test('a')).toBeUndefined();
    expect((await IgnoreList.parse('*')).test('a')).toBe(true);
  });
});
