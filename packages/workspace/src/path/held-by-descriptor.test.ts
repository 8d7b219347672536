import { execFileSync } from 'node:child_process';
import { constants, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { HAS_DESCRIPTORS, DescriptorPin } from './pinned-path.ts';

describe.runIf(HAS_DESCRIPTORS)('a path that is pinned by descriptor', () => {
  it('stays the same for this process and others when its name leads elsewhere', () => {
    const parent = temporaryFolder({ 'root/a.txt': 'inside', 'outside/a.txt': 'outside' });
    using pin = new DescriptorPin(join(parent, 'root'));
    renameSync(join(parent, 'root'), join(parent, 'moved'));
    symlinkSync('outside', join(parent, 'root'));
    expect(readFileSync(pin.childAddress('a.txt'), 'utf8')).toBe('inside');
    const where = execFileSync('pwd', ['-P'], { cwd: pin.externalAddress, encoding: 'utf8' });
    expect(where).toBe(`${parent}/moved\n`);
  });

  it('is a link itself, not what it leads to', () => {
    const folder = temporaryFolder({ 'a.txt': '' });
    symlinkSync('a.txt', join(folder, 'link'));
    using root = new DescriptorPin(folder);
    using link = root.child('link');
    expect(link?.stats.isSymbolicLink()).toBe(true);
    expect(root.child('none')).toBeUndefined();
    expect(link?.child('below')).toBeUndefined();
  });

  it('is opened without waiting, and without effect until then', async () => {
    const folder = temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    using root = new DescriptorPin(folder);
    using pipe = root.child('pipe');
    expect(pipe?.stats.isFIFO()).toBe(true);
    const handle = await pipe!.open(constants.O_RDONLY);
    await handle.close();
  });

  it('is released', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'd'));
    const before = readdirSync('/proc/self/fd').length;
    for (let time = 0; time < 50; time++) {
      using root = new DescriptorPin(folder);
      using child = root.child('d');
      expect(child?.stats.isDirectory()).toBe(true);
    }
    expect(readdirSync('/proc/self/fd').length).toBe(before);
  });
});
