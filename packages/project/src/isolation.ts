import { execFile } from 'node:child_process';
import { findProgram } from './find-program.ts';

/**
 * Method by which all processes that a program has started are ended with it: no process can leave a `namespace`, not
 * even a daemon with its own session, which would survive in a process `group`.
 */
export type Isolation =
  | { readonly type: 'group' }
  /** Command that creates a namespace and runs its arguments as a command there. */
  | { readonly type: 'namespace'; readonly command: readonly [string, ...string[]] };

let found: Promise<Isolation> | undefined;

/** Returns the isolation that this machine supports, which is tested once. */
export function findIsolation(): Promise<Isolation> {
  return (found ??= probe());
}

async function probe(): Promise<Isolation> {
  const unshare = process.platform === 'linux' ? await findProgram('unshare', { folder: process.cwd() }) : undefined;
  if (unshare === undefined) return { type: 'group' };
  // Root keeps its rights over other users' files only without a user namespace.
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  // If /proc cannot be mounted, as in many containers, programs see the machine's own.
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
