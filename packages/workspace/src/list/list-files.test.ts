import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const FILES = {
  'a.ts': '', 'B.ts': '', 'readme.md': '', '.env': '', 'src/c.ts': '', 'src/deep/d.ts': '', 'src/deep/e.js': '',
  'node_modules/x/index.ts': '', 'src/node_modules/y.ts': '', '.git/HEAD': '', '.venv/v.ts': '', 'src/__pycache__/p.ts': '', 'dist/o.ts': '',
}; // prettier-ignore

const find = (files: Record<string, string>, pattern: string, all = false) =>
  new WorkspaceRoot(temporaryFolder(files)).glob({ pattern, all });

describe('glob', () => {
  it('lists files, sorted, without the folders nobody means', async () => {
    expect(await find(FILES, '**')).toEqual([
      '.env',
      'B.ts',
      'a.ts',
      'readme.md',
      'src/c.ts',
      'src/deep/d.ts',
      'src/deep/e.js',
    ]);
    expect(await find(FILES, '**/*.ts')).toEqual(['B.ts', 'a.ts', 'src/c.ts', 'src/deep/d.ts']);
    expect(await find(FILES, '*')).toEqual(['.env', 'B.ts', 'a.ts', 'readme.md']);
    expect(await find(FILES, './src//*.ts')).toEqual(['src/c.ts']);
    expect(await find(FILES, 'src/{c,deep/*}.{ts,js}')).toEqual(['src/c.ts', 'src/deep/d.ts', 'src/deep/e.js']);
  });

  it('takes upper and lower case as given', async () => {
    expect(await find(FILES, 'b.ts')).toEqual([]);
    expect(await find(FILES, 'B.ts')).toEqual(['B.ts']);
  });

  it('enters a folder that the pattern names', async () => {
    expect(await find(FILES, 'node_modules/**')).toEqual(['node_modules/x/index.ts']);
    const installed = { 'node_modules/x/dist/x.js': '', 'node_modules/x/node_modules/y.js': '', 'dist/o.js': '' };
    expect(await find(installed, 'node_modules/x/**')).toEqual([
      'node_modules/x/dist/x.js',
      'node_modules/x/node_modules/y.js',
    ]);
    expect(await find(installed, '**/*.js')).toEqual([]);
    expect(await find(FILES, '**/node_modules/**/*.ts')).toEqual(['node_modules/x/index.ts', 'src/node_modules/y.ts']);
    expect(await find(FILES, '{dist,.venv}/*')).toEqual(['.venv/v.ts', 'dist/o.ts']);
  });

  it('finds nothing below what is not a folder', async () => {
    expect(await find(FILES, 'a.ts/*')).toEqual([]);
    expect(await find(FILES, 'none/**')).toEqual([]);
    expect(await find(FILES, '')).toEqual([]);
  });

  it('takes an absolute pattern inside the workspace for a relative one', async () => {
    const folder = temporaryFolder(FILES);
    expect(await new WorkspaceRoot(folder).glob({ pattern: join(folder, 'src/*.ts') })).toEqual(['src/c.ts']);
  });

  it.each(['../*', '/etc/*', '~/*', 'src/../../*', '{a,../b}/*', '..', '**/../*', '/etc/passwd', 'a\0*'])(
    'refuses %j',
    async (pattern) => {
      expect(await describeOutcome(() => find(FILES, pattern))).toMatch(/^PathError: .* is outside the workspace/);
    },
  );

  it.each(['.{.,x}/*', '[.][.]/*', '?./*', '*(..)/*', '{.,}./{.,}./etc/*'])('never leaves by %j', async (pattern) => {
    const folder = temporaryFolder({ 'outside.txt': '', 'root/a.txt': '' });
    const paths = await new WorkspaceRoot(join(folder, 'root')).glob({ pattern });
    expect(paths.filter((path) => path.includes('outside') || path.includes('..'))).toEqual([]);
  });

  it('stops when it is cancelled', async () => {
    const workspace = new WorkspaceRoot(temporaryFolder(FILES));
    await expect(workspace.glob({ pattern: '**', signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow(
      'stop',
    );
  });
});

describe('.gitignore', () => {
  const IGNORING = {
    '.gitignore': '# comment\n*.log\n/build/\nsecret\n!keep.log\n', 'a.log': '', 'keep.log': '', 'build/x.ts': '', 'src/build/y.ts': '',
    'src/secret/z.ts': '', 'sub/.gitignore': '*.tmp\n!b.log\n/only-here\n', 'sub/a.tmp': '', 'sub/b.log': '', 'sub/only-here/x': '', 'only-here/x': '', 'c.tmp': '',
  }; // prettier-ignore

  it('is honoured at every level, the deeper one first', async () => {
    expect(await find(IGNORING, '**')).toEqual([
      '.gitignore', 'c.tmp', 'keep.log', 'only-here/x', 'src/build/y.ts', 'sub/.gitignore', 'sub/b.log',
    ]); // prettier-ignore
  });

  it('is set aside on request, and by a pattern that begins in what it excludes', async () => {
    expect(await find(IGNORING, '**/*.{log,tmp}', true)).toEqual([
      'a.log',
      'c.tmp',
      'keep.log',
      'sub/a.tmp',
      'sub/b.log',
    ]);
    expect(await find(IGNORING, 'build/*')).toEqual(['build/x.ts']);
    expect(await find(IGNORING, 'src/secret/**')).toEqual(['src/secret/z.ts']);
  });
});
