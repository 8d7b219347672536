import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

const OLD = 'old\n'.repeat(100);

/** A folder on a disk of 256 KB that is full but for a page or two; undefined where nothing can be mounted. */
function nearlyFullDisk(): string | undefined {
  const folder = scratchFolder();
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
  if (status !== 0) return undefined;
  onTestFinished(() => void execFileSync('umount', [folder]));
  mkdirSync(join(folder, 'work'));
  writeFileSync(join(folder, 'work/a.txt'), OLD);
  writeFileSync(join(folder, 'filler'), new Uint8Array(240 * 1024));
  return join(folder, 'work');
}

describe('a disk that is full', () => {
  it('is told of, and leaves the old content', async ({ skip }) => {
    const folder = nearlyFullDisk();
    if (folder === undefined) {
      skip('no file system can be mounted here');
      return;
    }
    using workspace = new WorkspaceRoot(folder);
    const large = 'new\n'.repeat(100_000);
    await expect(workspace.write('a.txt', large)).rejects.toThrow('a.txt: the disk is full.');
    await expect(workspace.write('deep/er/b.txt', large)).rejects.toThrow('deep/er/b.txt: the disk is full.');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(OLD);
    expect(readdirSync(folder)).toEqual(['a.txt']);
    await workspace.write('a.txt', 'fits');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('fits');
  });
});

describe.skipIf(process.platform === 'win32')('a file that may not become so large', () => {
  it('is told of, and leaves the old content', () => {
    const folder = scratchFolder({ 'a.txt': OLD });
    const script = join(import.meta.dirname, 'processes/write-file.ts');
    const write = (path: string, size: number): string => {
      const command = 'ulimit -f 16; exec "$0" "$@"';
      return spawnSync('sh', ['-c', command, process.execPath, script, folder, path, `${size}`], { encoding: 'utf8' })
        .stdout;
    };
    expect(write('a.txt', 200_000)).toBe('FileError: a.txt: the file would be too big.');
    expect(write('b.txt', 200_000)).toBe('FileError: b.txt: the file would be too big.');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(OLD);
    expect(readdirSync(folder)).toEqual(['a.txt']);
    expect(write('a.txt', 2000)).toBe('written');
    expect(statSync(join(folder, 'a.txt')).size).toBe(2000);
  });
});
