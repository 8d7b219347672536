import { execFile } from 'node:child_process';
import { posix as path } from 'node:path';
import type { Platform, Find, Isolation } from './platform.ts';
import { createWindows } from './windows.ts';

/** Linux and macOS. */
export const POSIX: Platform = {
  path,
  variables: process.env,
  isWindows: false,
  basics: /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|TZ|TMPDIR)$/,
  protection: {},
  defaultPath: '/usr/bin:/bin',
  isPath: (name) => name.includes('/'),
  listFiles: (file) => [file],
  listNames: (file) => [path.basename(file)],
  // A script names its program itself, in its first line.
  readShim: () => Promise.resolve(undefined),
  explainUnsafe: () => undefined,
  prepare: (program, args) => ({ file: program.path, args, variables: {}, isQuoted: false }),
  async findShell(find) {
    const program = await find('sh');
    return program && { name: 'sh', program, options: ['-c'] };
  },
  prepareShell: ({ program, options }, text) => POSIX.prepare(program, [...options, text]),
  findIsolation: probe,
};

async function probe(find: Find): Promise<Isolation> {
  const unshare = await find('unshare');
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

const THIS: Platform = process.platform === 'win32' ? createWindows() : POSIX;

/** Returns the rules of the system that bae runs on: the only place that decides this. */
export function getPlatform(): Platform {
  return THIS;
}
