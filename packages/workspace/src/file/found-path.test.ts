import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { HAS_DESCRIPTORS } from '../path/pinned-path.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const WINDOW = { line: 1, column: 1, chars: 100 };

describe('a path that was looked up', () => {
  it('knows what is there, and reads it', async () => {
    using root = new WorkspaceRoot(temporaryFolder({ 'src/a.ts': 'one\ntwo\n' }));
    using found = root.lookUp('./src//a.ts');
    expect(found.info).toMatchObject({ path: 'src/a.ts', kind: 'file', size: 8 });
    expect(await found.readWindow({ ...WINDOW, line: 2 })).toMatchObject({ text: 'two\n', lines: 2 });
  });

  it.runIf(HAS_DESCRIPTORS)('shows what was looked at, whatever has taken its name', async () => {
    const folder = temporaryFolder({ 'notes.txt': 'plain', 'key.txt': 'secret' });
    using root = new WorkspaceRoot(folder);
    using found = root.lookUp('notes.txt');
    renameSync(join(folder, 'notes.txt'), join(folder, 'old.txt'));
    symlinkSync('key.txt', join(folder, 'notes.txt'));
    expect((await found.readWindow(WINDOW)).text).toBe('plain');
  });

  it('may be missing until it is read', async () => {
    using root = new WorkspaceRoot(temporaryFolder({ 'src/router.ts': '' }));
    using found = root.lookUp('src/rooter.ts');
    expect(found.info.kind).toBe('missing');
    await expect(found.readWindow(WINDOW)).rejects.toThrow('Did you mean src/router.ts?');
  });

  it('is a secret until the user allows it', async () => {
    using root = new WorkspaceRoot(temporaryFolder({ '.env': 'KEY=1' }));
    using found = root.lookUp('.env');
    await expect(found.readWindow(WINDOW)).rejects.toThrow('it is shown only when the user allows it');
    expect((await found.readWindow({ ...WINDOW, secrets: true })).text).toBe('KEY=1');
  });
});
