import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Mounts a disk of its own over a folder, for one command and what it starts, and forgets it afterwards. */
const IN_OWN_WORLD = ['--map-root-user', '--mount', 'sh', '-c'];
const MOUNT = 'mount -t tmpfs -o size="$1" none "$2" && shift 2 && exec "$@"';

/** Why no small disk can be made here; undefined when it can. */
export function whyNoSmallDisk(folder: string): string | undefined {
  if (process.platform !== 'linux') return 'small disks are for Linux';
  const { status } = runOnSmallDisk(folder, '1m', ['true']);
  return status === 0 ? undefined : 'disks cannot be mounted here';
}

/** Runs a command for which a folder is a disk of this size. */
export function runOnSmallDisk(folder: string, size: string, command: readonly string[]) {
  return spawnSync('unshare', [...IN_OWN_WORLD, MOUNT, 'sh', size, folder, ...command], { encoding: 'utf8' });
}

/** Runs one of our processes for which a folder is a disk of this size, and gives what it wrote. */
export function onSmallDisk(folder: string, size: string, script: string): unknown {
  const path = join(import.meta.dirname, 'processes', script);
  const { stdout, stderr, status } = runOnSmallDisk(folder, size, [process.execPath, path, folder]);
  if (status !== 0) throw new Error(`${script} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}
