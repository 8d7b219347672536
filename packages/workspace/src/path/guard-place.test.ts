import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const WINDOW = { line: 1, column: 1, chars: 100 };

/** A workspace with secrets, and links by other names to them. */
function guardedWorkspace() {
  const folder = temporaryFolder({
    '.env': 'PASSWORD=hunter2\n',
    '.env.example': 'PASSWORD=\n',
    '.git/config': '[core]\n',
    'keys/server.key': 'hunter2\n',
    'settings.txt': 'hunter2\n',
    'bae.config.ts': 'export default {}\n',
    'plain.txt': 'plain\n',
  });
  const link = (path: string, target: string): void => symlinkSync(target, join(folder, path));
  link('notes.txt', '.env');
  link('g', '.git');
  link('.env.local', 'settings.txt');
  link('through', '.env.local');
  link('hooks', '.git/hooks');
  link('dangling', '.env.new');
  return { folder, workspace: new WorkspaceRoot(folder) };
}

/** Spellings that all stand for something protected, whether it is there or not. */
const PROTECTED = [
  '.env', './.env', './/.env', '.env.', '.ENV', '.env.new', 'notes.txt', 'dangling', '.env.local', 'through', '.git/config', 'g/config',
  'g/new', '.git/hooks/pre-commit', 'hooks/pre-commit', '.GIT/config', 'keys/server.key', 'new/id_rsa', '.bashrc', 'home/.ZSHRC',
  'bae.config.ts', 'bae.config.json', '.bae/tasks.db', '.env.example', '.g\u200cit/config', '.env\u0301', 'sub/.git',
]; // prettier-ignore

describe('what no tool may write', () => {
  it('is not written, whatever it is called and whether it is there or not', async () => {
    const { folder, workspace } = guardedWorkspace();
    for (const path of [...PROTECTED, join(folder, '.env'), join(folder, 'g/config')]) {
      for (const options of [{}, { force: true }]) {
        expect(await describeOutcome(() => workspace.write(path, 'changed', options))).toMatch(
          /^ProtectedFileError: .* no tool writes it\. Say what should be in it, so that the user can write it\.\nTry: <R:\.>$/,
        );
      }
    }
    for (const path of ['.env.new', '.git/new', '.git/hooks', 'new', 'home', '.bae', '.bashrc', '.GIT', 'sub'])
      expect([path, existsSync(join(folder, path))]).toEqual([path, false]);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('PASSWORD=hunter2\n');
    expect(readFileSync(join(folder, 'settings.txt'), 'utf8')).toBe('hunter2\n');
    expect(readFileSync(join(folder, '.git/config'), 'utf8')).toBe('[core]\n');
  });

  it('is not removed', async () => {
    const { folder, workspace } = guardedWorkspace();
    for (const path of ['.env', 'notes.txt', 'g/config', 'keys/server.key', 'bae.config.ts', 'through']) {
      expect(await describeOutcome(() => workspace.remove(path))).toContain('ProtectedFileError');
    }
    expect(existsSync(join(folder, '.env')) && existsSync(join(folder, 'settings.txt'))).toBe(true);
  });

  it('is said to be so in one sentence', async () => {
    const { workspace } = guardedWorkspace();
    expect(await describeOutcome(() => workspace.write('.git/config', ''))).toBe(
      'ProtectedFileError: .git/config belongs to git: no tool writes it. Say what should be in it, so that the user can write it.\nTry: <R:.>',
    );
  });

  it('leaves other files alone', async () => {
    const { workspace } = guardedWorkspace();
    for (const path of ['plain.txt', 'settings.txt', '.gitignore', 'src/env.ts'])
      expect(await workspace.write(path, 'changed')).toMatchObject({ size: 7 });
  });
});

describe('a secret', () => {
  const SECRETS = ['.env', 'notes.txt', '.env.local', 'through', 'g/config', '.git/config', 'keys/server.key'];

  it('is known by every name, also when it is not there', async () => {
    const { folder, workspace } = guardedWorkspace();
    for (const path of [...SECRETS, '.ENV', 'dangling', 'none/id_rsa', join(folder, '.env')])
      expect([path, (await workspace.info(path)).secrecy]).toEqual([path, expect.any(String)]);
    expect((await workspace.info('.env')).secrecy).toBe('may hold passwords');
    for (const path of ['plain.txt', '.env.example', 'bae.config.ts', '', 'settings.txt', '.bashrc'])
      expect([path, (await workspace.info(path)).secrecy]).toEqual([path, undefined]);
  });

  it('is not shown unless that is allowed', async () => {
    const { workspace } = guardedWorkspace();
    for (const path of SECRETS) {
      for (const read of [() => workspace.readText(path), () => workspace.readWindow(path, WINDOW)]) {
        expect(await describeOutcome(read)).toMatch(
          /^ProtectedFileError: .* it is shown only when the user allows it\. Go on without it\.\nTry: <R:\.>$/,
        );
      }
      expect((await workspace.readText(path, { secrets: true })).lines).toBe(1);
      expect((await workspace.readWindow(path, { ...WINDOW, secrets: true })).lines).toBe(1);
    }
  });

  it.each([undefined, null])('is not searched unless that is allowed, with ripgrep %s', async (ripgrep) => {
    const { folder } = guardedWorkspace();
    const workspace = new WorkspaceRoot(folder, ripgrep === undefined ? {} : { ripgrep });
    const pattern = 'hunter2|core|PASSWORD';
    const found = await workspace.grep({ pattern });
    expect(found.rows.map(({ path }) => path)).toEqual(['.env.example', 'settings.txt']);
    expect(found).toMatchObject({ matches: 2, files: 2, withheld: 2 });
    for (const path of ['.env', '.git', 'g', 'through'])
      expect(await workspace.grep({ pattern, path })).toEqual({ rows: [], matches: 0, files: 0, searched: 0, withheld: 1 });
    expect(await workspace.grep({ pattern, path: '{.env,plain.txt}' })).toMatchObject({ matches: 0, withheld: 1 });
    expect(await workspace.grep({ pattern, path: '.env', secrets: true })).toMatchObject({ matches: 1, withheld: 0 });
    const all = await workspace.grep({ pattern, secrets: true });
    expect(all.rows.map(({ path }) => path)).toEqual(['.env', '.env.example', 'keys/server.key', 'settings.txt']);
    expect(all.withheld).toBe(0);
  }); // prettier-ignore

  it('is counted by its name alone, so that no pattern can ask for it letter by letter', async () => {
    const { workspace } = guardedWorkspace();
    const counts = [];
    for (const pattern of ['hunter1', 'hunter2', 'nothing like it']) counts.push((await workspace.grep({ pattern })).withheld);
    expect(counts).toEqual([2, 2, 2]);
  }); // prettier-ignore

  it('that is ignored is not counted, because it is not searched anyway', async () => {
    const { workspace } = guardedWorkspace();
    await workspace.write('.gitignore', '.env\nkeys/\n');
    expect(await workspace.grep({ pattern: 'x' })).toMatchObject({ withheld: 0 });
    expect(await workspace.grep({ pattern: 'x', all: true })).toMatchObject({ withheld: 2 });
  });
});

describe('a file of bae itself', () => {
  it('is opened by no tool, whatever the user allows, by none of its names', async () => {
    const folder = temporaryFolder({ '.bae/bae.db': 'SQLite format 3' });
    symlinkSync('.bae/bae.db', join(folder, 'innocent.db'));
    using root = new WorkspaceRoot(folder);
    for (const path of ['.bae/bae.db', './.bae//bae.db', 'innocent.db']) {
      const reads = [
        () => root.readText(path, { secrets: true }),
        () => root.readWindow(path, { ...WINDOW, secrets: true }),
        () => root.digest(path),
      ];
      for (const read of reads) await expect(read()).rejects.toThrow(/is a file of bae itself: no tool opens it/);
    }
    expect((await root.info('.bae/bae.db')).secrecy).toBeUndefined();
  });
});
