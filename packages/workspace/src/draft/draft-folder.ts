import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../write/write-atomically.ts';

const NAME = /^bae-draft-(\d+)-(\d+)-\w{6}$/;

/**
 * Makes a private folder for a draft. Its name identifies the process, so that it can be removed once the process has
 * ended.
 */
export function makeDraftFolder(): string {
  return mkdtempSync(join(tmpdir(), `bae-draft-${getPidNamespace()}-${process.pid}-`));
}

/** Removes from the temporary folder this user's draft folders whose processes were killed. */
export function removeAbandonedDrafts(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, namespace, pid] = NAME.exec(name) ?? [];
    // A process id is meaningless in a container with its own PID namespace.
    if (pid === undefined || namespace !== getPidNamespace() || isRunning(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    const isOurs = found?.isDirectory() === true && [-1, found.uid].includes(userInfo().uid);
    if (isOurs) rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the number of the PID namespace of this process; 0 if the system has only one. */
function getPidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
