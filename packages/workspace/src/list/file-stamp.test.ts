import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { computeStamp } from './folder-cache.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

/** Longer than two changes are told apart by the disk. */
const SETTLED = 150;

describe('the stamp of a file', () => {
  it('is the same as long as nothing changes, and another one afterwards', async () => {
    const folder = temporaryFolder({ 'a.ts': 'one', 'b/c.ts': 'two', 'd.md': '' });
    const root = new WorkspaceRoot(folder);
    const stamps = () => root.stamps({ pattern: '**/*.ts' });
    await setTimeout(SETTLED);
    const before = await stamps();
    expect([...before.keys()].toSorted()).toEqual(['a.ts', 'b/c.ts']);
    expect(await stamps()).toEqual(before);
    writeFileSync(join(folder, 'a.ts'), 'uno');
    const after = await stamps();
    expect(after.get('a.ts')).not.toBe(before.get('a.ts'));
    expect(after.get('b/c.ts')).toBe(before.get('b/c.ts'));
  });

  it('is another one when the time of the file was put back', async () => {
    const folder = temporaryFolder({ 'a.ts': 'one' });
    const path = join(folder, 'a.ts');
    utimesSync(path, 1, 1);
    await setTimeout(SETTLED);
    const before = computeStamp(statSync(path));
    writeFileSync(path, 'uno');
    utimesSync(path, 1, 1);
    await setTimeout(SETTLED);
    expect(computeStamp(statSync(path))).not.toBe(before);
  });

  it('never tells that a file is the same that was changed a moment ago', () => {
    const path = join(temporaryFolder({ 'a.ts': 'one' }), 'a.ts');
    const stats = statSync(path);
    expect(computeStamp(stats)).not.toBe(computeStamp(stats));
  });

  it('leaves out what is ignored, and links', async () => {
    const { symlinkSync } = await import('node:fs');
    const folder = temporaryFolder({ '.gitignore': 'out', 'out/a.ts': '', 'a.ts': '' });
    symlinkSync(join(folder, 'a.ts'), join(folder, 'linked.ts'));
    expect([...(await new WorkspaceRoot(folder).stamps({ pattern: '**/*.ts' })).keys()]).toEqual(['a.ts']);
  });
});
