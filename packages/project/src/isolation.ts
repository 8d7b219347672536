import { execFile } from 'node:child_process';
import { findProgram } from './find-program.ts';

/**
 * How everything that a program started is ended with it: in a `namespace` nothing can get away, not even a daemon
 * with a session of its own; such a one survives in a process `group`.
 */
export type Isolation =
  | { readonly type: 'group' }
  /** The command that makes a namespace and starts what follows it there. */
  | { readonly type: 'namespace'; readonly command: readonly [string, ...string[]] };

let found: Promise<Isolation> | undefined;

/** What this machine can do, found out once by trying. */
export function findIsolation(): Promise<Isolation> {
  return (found ??= probe());
}

async function probe(): Promise<Isolation> {
  const unshare = process.platform === 'linux' ? await findProgram('unshare', { folder: process.cwd() }) : undefined;
  if (unshare === undefined) return { type: 'group' };
  // Root keeps its rights over the files of others only without a namespace of users.
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  // Where /proc cannot be mounted, as in many containers, programs see the one of the machine.
  for (const own of [['--mount-proc'], []]) {
    const command = [unshare.path, ...asUser, '--pid', '--fork', '--kill-child', ...own, '--'] as const;
    if (await succeeds(...command, '/bin/sh', '-c', 'exit 0')) return { type: 'namespace', command };
  }
  return { type: 'group' };
}

const PATIENCE_MS = 5000;

function succeeds(program: string, ...args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: PATIENCE_MS, killSignal: 'SIGKILL' }, (error) => resolve(error === null));
  });
}
