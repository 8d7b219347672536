import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const WAYS: readonly ((workspace: WorkspaceRoot) => Promise<unknown>)[] = [
  (workspace) => workspace.readText('a.txt'),
  (workspace) => workspace.write('new.txt', 'x'),
  (workspace) => workspace.remove('a.txt'),
  (workspace) => workspace.list('.'),
  (workspace) => workspace.info('a.txt'),
  (workspace) => workspace.glob({ pattern: '*' }),
  (workspace) => workspace.grep({ pattern: 'x' }),
];

describe('the folder of a workspace', () => {
  it.each([
    ['is removed', 'is gone', (root: string) => rmSync(root, { recursive: true })],
    ['is renamed', 'is gone', (root: string) => renameSync(root, `${root}-renamed`)],
    [
      'is replaced by another folder',
      'is another folder now',
      (root: string) => {
        renameSync(root, `${root}-renamed`);
        mkdirSync(root);
      },
    ],
    [
      'is replaced by a link',
      'is another folder now',
      (root: string) => {
        renameSync(root, `${root}-renamed`);
        symlinkSync('other', root);
      },
    ],
  ])('is reported when it %s while it is used', async (_what, became, change) => {
    const parent = temporaryFolder({ 'root/a.txt': 'a', 'other/a.txt': 'other' });
    const root = join(parent, 'root');
    const workspace = new WorkspaceRoot(root);
    expect((await workspace.readText('a.txt')).text).toBe('a');
    change(root);
    for (const way of WAYS) {
      expect(await describeOutcome(() => way(workspace))).toBe(
        `FileError: the workspace ${root} ${became}: it was removed, renamed or replaced. Start bae again.`,
      );
    }
    expect(await workspace.exists('a.txt')).toBe(false);
  });

  it('is released when the workspace is closed', async () => {
    const root = temporaryFolder({ 'a.txt': 'a' });
    const workspace = new WorkspaceRoot(root);
    workspace[Symbol.dispose]();
    workspace[Symbol.dispose]();
    for (const way of WAYS) {
      expect(await describeOutcome(() => way(workspace))).toBe(
        `FileError: the workspace ${root} was closed. Open it again.`,
      );
    }
  });

  it('may be one that only its owner can list', async () => {
    const root = temporaryFolder({ 'a.txt': 'a' });
    const inner = join(root, 'inner');
    mkdirSync(inner, { mode: 0o700 });
    await new WorkspaceRoot(inner).write('b.txt', 'b');
    expect(await new WorkspaceRoot(inner).list('.')).toEqual(['b.txt']);
  });
});
