import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const NAME = /^bae-draft-(\d+)-(\d+)-\w{6}$/;

/** Makes a private folder for a draft. Its name says whose it is, so that it can be removed once its process is gone. */
export function makeDraftFolder(): string {
  return mkdtempSync(join(tmpdir(), `bae-draft-${getPidNamespace()}-${process.pid}-`));
}

/** Removes what drafts of this user have left in the temporary folder whose processes were killed. */
export function removeAbandonedDrafts(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, namespace, pid] = NAME.exec(name) ?? [];
    // The number of a process says nothing in a container with processes of its own.
    if (pid === undefined || namespace !== getPidNamespace() || isRunning(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    const isOurs = found?.isDirectory() === true && [-1, found.uid].includes(userInfo().uid);
    if (isOurs) rmSync(folder, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The number of the set of processes that this one can see; 0 where there is only one. */
function getPidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
