import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

/** A workspace with links, beside a folder that they must not reach. */
function linkedWorkspace() {
  const parent = temporaryFolder({ 'secret/key.txt': 'secret\n', 'root/real/a.txt': 'inside\n', 'root/b.txt': 'b\n' });
  const root = join(parent, 'root');
  const link = (path: string, target: string): void => symlinkSync(target, join(root, path));
  link('inside', 'real');
  link('inside-file', 'real/a.txt');
  link('inside-absolute', join(root, 'real'));
  link('chain', 'inside');
  link('real/up', '..');
  link('dangling', 'real/new.txt');
  link('self', 'self');
  link('ping', 'pong');
  link('pong', 'ping');
  link('out', '../secret');
  link('out-absolute', join(parent, 'secret'));
  link('out-file', '../secret/key.txt');
  link('out-etc', '/etc');
  link('out-chain', 'out');
  link('out-late', 'real/up/../secret');
  link('out-prefix', `${root}-other`);
  link('out-dangling', '../secret/new.txt');
  link('to-root', '.');
  return { parent, root, workspace: new WorkspaceRoot(root) };
}

const OUT = [
  'out', 'out/', 'out/key.txt', 'out-absolute', 'out-absolute/key.txt', 'out-file', 'out-etc/passwd', 'out-chain', 'out-chain/key.txt',
  'out-late', 'out-late/key.txt', 'out-prefix', 'out-prefix/x', 'out-dangling', 'inside/up/out', 'inside/up/out/key.txt',
  'real/up/out-file', 'chain/up/out-absolute/key.txt', 'to-root/out/key.txt', 'to-root/to-root/out-file', 'out/none', 'out/none/deeper',
]; // prettier-ignore

const OPERATIONS = {
  info: (workspace: WorkspaceRoot, path: string) => workspace.info(path),
  readText: (workspace: WorkspaceRoot, path: string) => workspace.readText(path),
  readWindow: (workspace: WorkspaceRoot, path: string) => workspace.readWindow(path, { line: 1, column: 1, chars: 10 }),
  digest: (workspace: WorkspaceRoot, path: string) => workspace.digest(path),
  list: (workspace: WorkspaceRoot, path: string) => workspace.list(path),
  write: (workspace: WorkspaceRoot, path: string) => workspace.write(path, 'stolen'),
  remove: (workspace: WorkspaceRoot, path: string) => workspace.remove(path),
  grep: (workspace: WorkspaceRoot, path: string) => workspace.grep({ pattern: 'secret', path }),
  glob: (workspace: WorkspaceRoot, path: string) => workspace.glob({ pattern: `${path}/*` }),
};

describe('links', () => {
  it.each(Object.entries(OPERATIONS))('are not followed out of the workspace by %s', async (_name, operation) => {
    const { workspace } = linkedWorkspace();
    for (const path of OUT) {
      expect(await describeOutcome(() => operation(workspace, path))).toMatch(
        /^PathError: .* is outside the workspace: the link .* leads out of it\./,
      );
    }
  });

  it('out of the workspace do not exist', async () => {
    const { workspace } = linkedWorkspace();
    for (const path of OUT) expect(await workspace.exists(path)).toBe(false);
  });

  it('inside are followed, and name the file they lead to', async () => {
    const { workspace } = linkedWorkspace();
    for (const path of [
      'inside/a.txt',
      'inside-file',
      'inside-absolute/a.txt',
      'chain/a.txt',
      'real/up/real/a.txt',
      'to-root/chain/a.txt',
    ]) {
      expect(await workspace.info(path)).toMatchObject({ path: 'real/a.txt', kind: 'file', size: 7 });
    }
    expect((await workspace.readText('chain/a.txt')).text).toBe('inside\n');
  });

  it('to a file that does not exist yet are written through', async () => {
    const { workspace } = linkedWorkspace();
    await workspace.write('dangling', 'new');
    expect((await workspace.readText('real/new.txt')).text).toBe('new');
    expect(await workspace.info('dangling')).toMatchObject({ path: 'real/new.txt' });
  });

  it('stay links when the file behind them is written', async () => {
    const { workspace } = linkedWorkspace();
    await workspace.write('inside-file', 'changed');
    expect((await workspace.readText('real/a.txt')).text).toBe('changed');
    expect(await workspace.info('inside-file')).toMatchObject({ path: 'real/a.txt' });
  });

  it('in a circle are refused', async () => {
    const { workspace } = linkedWorkspace();
    expect(await describeOutcome(() => workspace.readText('self'))).toBe(
      'FileError: self leads through too many links.\nTry: <R:.>',
    );
    expect(await describeOutcome(() => workspace.readText('ping/x'))).toContain('leads through too many links');
  });

  it('are not entered by a search', async () => {
    const { workspace } = linkedWorkspace();
    expect(await workspace.glob({ pattern: '**' })).toEqual(['b.txt', 'real/a.txt']);
    expect(await workspace.grep({ pattern: 'inside|secret|root:' })).toMatchObject({ matches: 1, searched: 2 });
  });

  it('that a search begins with keep their name in what it finds', async () => {
    const { workspace } = linkedWorkspace();
    expect(await workspace.glob({ pattern: 'chain/*' })).toEqual(['chain/a.txt']);
    const { rows } = await workspace.grep({ pattern: 'inside', path: 'chain' });
    expect(rows).toEqual([{ path: 'chain/a.txt', line: 1, text: 'inside' }]);
  });
});

describe('a chain of links', () => {
  it('is followed for 40 steps', async () => {
    const root = temporaryFolder({ l0: 'end' });
    for (let n = 1; n <= 41; n++) symlinkSync(`l${n - 1}`, join(root, `l${n}`));
    const workspace = new WorkspaceRoot(root);
    expect((await workspace.readText('l40')).text).toBe('end');
    expect(await describeOutcome(() => workspace.readText('l41'))).toContain('leads through too many links');
  });
});

describe('the root of a workspace', () => {
  it('may itself be reached through a link, whose paths are inside then', async () => {
    const parent = temporaryFolder({ 'real/a.txt': 'a' });
    symlinkSync('real', join(parent, 'alias'));
    const workspace = new WorkspaceRoot(join(parent, 'alias'));
    expect((await workspace.readText(join(parent, 'alias/a.txt'))).text).toBe('a');
    expect((await workspace.readText(join(parent, 'real/a.txt'))).text).toBe('a');
  });

  it('does not share its name with a folder beside it', async () => {
    const parent = temporaryFolder({ 'root/a.txt': 'a', 'root-other/b.txt': 'b' });
    const workspace = new WorkspaceRoot(join(parent, 'root'));
    expect(await describeOutcome(() => workspace.readText(join(parent, 'root-other/b.txt')))).toContain(
      'is outside the workspace',
    );
  });

  it('is a folder that exists', async () => {
    const folder = temporaryFolder({ 'a.txt': '' });
    mkdirSync(join(folder, 'd'));
    writeFileSync(join(folder, 'd/x'), '');
    expect(await describeOutcome(() => new WorkspaceRoot(join(folder, 'none')))).toBe(
      `ConfigurationError: the workspace ${folder}/none does not exist. Name a folder that exists.`,
    );
    expect(await describeOutcome(() => new WorkspaceRoot(join(folder, 'a.txt')))).toBe(
      `ConfigurationError: the workspace ${folder}/a.txt is a file. Name a folder.`,
    );
    expect(new WorkspaceRoot(join(folder, 'd')).name).toBe('d');
  });
});

it('describes what is at a path, without reading it', async () => {
  const folder = temporaryFolder({ 'a.txt': 'four', '.env': 'KEY=1' });
  symlinkSync('a.txt', join(folder, 'link'));
  spawnSync('mkfifo', [join(folder, 'pipe')]);
  const root = new WorkspaceRoot(folder);
  onTestFinished(() => root[Symbol.dispose]());
  const rest = { secrecy: undefined, modified: expect.any(Date) };
  expect(await root.info('a.txt')).toEqual({ path: 'a.txt', kind: 'file', size: 4, ...rest });
  expect(await root.info('./link')).toEqual({ path: 'a.txt', kind: 'file', size: 4, ...rest });
  expect(await root.info('.')).toMatchObject({ path: '', kind: 'folder' });
  expect(await root.info('pipe')).toMatchObject({ kind: 'special' });
  expect(await root.info('new/b.txt')).toEqual({ path: 'new/b.txt', kind: 'missing', size: 0, secrecy: undefined });
  expect(await root.info('.env')).toMatchObject({ kind: 'file', secrecy: 'may hold passwords' });
  expect(await root.info('deep/.env')).toMatchObject({ kind: 'missing', secrecy: 'may hold passwords' });
});

it('refuses beforehand what no tool may write', () => {
  const root = new WorkspaceRoot(temporaryFolder({ 'a.txt': '' }));
  onTestFinished(() => root[Symbol.dispose]());
  expect(() => root.checkWritable('a.txt')).not.toThrow();
  expect(() => root.checkWritable('.git/hooks/pre-commit')).toThrow('no tool writes it');
});
