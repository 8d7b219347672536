import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { onTestFinished } from 'vitest';
import { CommandLimits, type LimitOptions } from '../src/limits/command-limits.ts';
import { startProgram } from '../src/running-program.ts';

export const isRoot = process.getuid?.() === 0;

/** A folder that no session replaces, unlike `/tmp`. */
export function makeFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(isRoot ? '/opt' : import.meta.dirname, 'bae-limits-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Runs shell scripts within the limits of a workspace. */
export function openLimits(folder: string, options: LimitOptions = {}) {
  const root = new WorkspaceRoot(folder);
  const limits = new CommandLimits(root, options);
  onTestFinished(async () => {
    await limits.close();
    root[Symbol.dispose]();
  });
  const start = (script: string, network = false) => {
    const command = { command: '/bin/sh', args: ['-c', script], folder, mergesErrors: true, limits, network };
    return startProgram({ ...command, inherits: 'basics' });
  };
  const run = async (script: string, network = false) => (await start(script, network)).ended;
  return {
    limits,
    start,
    run,
    print: async (script: string, network = false) => (await run(script, network)).output.trimEnd(),
  };
}

/** Ways to write a file, whose path they get as OUT. */
export const WAYS_TO_WRITE = [
  'echo x > OUT',
  'cp /etc/hostname OUT',
  'ln -s OUT link; echo x > link',
  'ln OUT hard; echo x > hard',
  'mv OUT moved',
  'rm -f OUT',
  'chmod 777 OUT',
  'touch -d 2000-01-01 OUT',
  'truncate -s 0 OUT',
  'echo x > /proc/self/rootOUT',
  'echo x > /proc/1/rootOUT',
  'for id in /proc/[0-9]*; do echo x > $id/rootOUT; done',
  'mount -o remount,rw /; mount -o remount,bind,rw /; echo x > OUT',
  'mount --bind . /mnt; echo x > OUT',
  'mount -t tmpfs none "$(dirname OUT)"; echo x > OUT',
  'umount -l "$(dirname OUT)"; umount -l /; echo x > OUT',
  'unshare --mount sh -c "mount -o remount,bind,rw /; echo x > OUT"',
  'unshare --user --keep-caps --mount sh -c "mount -o remount,bind,rw /; umount -l OUT; echo x > OUT"',
  'unshare --user --map-root-user --mount sh -c "mount -o remount,bind,rw /; umount -l OUT; echo x > OUT"',
  'unshare --user --keep-caps --mount --pid --fork sh -c "mount -t proc none /proc; echo x > /proc/1/rootOUT"',
  'nsenter --target 1 --mount sh -c "echo x > OUT"',
  'chroot / sh -c "echo x > OUT"',
  'setsid sh -c "echo x > OUT" & wait',
  'setpriv --bounding-set +all --inh-caps +all sh -c "mount -o remount,bind,rw /; echo x > OUT"',
  'perl -e \'open(F, ">", "OUT") and print F "x"\'',
];
