import { randomUUID } from 'node:crypto';
import { openSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Source of mounts that have none. A mount with the source of an existing one would be left out. */
export const NEW_SOURCE = `bae-${randomUUID()}`;

/** A mount as a line of a table for `mount -a -T`, such as `/etc/fstab`. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  /** Default: none, for a folder or file that is shown at another place. */
  readonly type?: string;
  readonly options: string;
}

/** Opens a table as a file without a name, since `mount` reads no pipes. The caller closes it. */
export function openTable(mounts: readonly Mount[]): number {
  const path = join(tmpdir(), `bae-table-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  const lines = mounts.map(
    ({ source, target, type = 'none', options }) =>
      `${escapePath(source)} ${escapePath(target)} ${type} ${options} 0 0\n`,
  );
  writeSync(file, lines.join(''));
  return file;
}

function escapePath(path: string): string {
  return path.replaceAll(/[\s\\#]/g, (found) => `\\${found.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

export interface ExistingMount {
  readonly path: string;
  /** As they are set again: `rw,nosuid,relatime`. */
  readonly options: readonly string[];
  /** Of its file system: `tmpfs`. */
  readonly type: string;
}

/** Reads the mounts from the text of `/proc/self/mountinfo`. */
export function readMounts(text: string): readonly ExistingMount[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, , , , path = '', options = '', ...others] = line.split(' ');
      const type = others[others.indexOf('-') + 1] ?? '';
      return { path: unescapePath(path), options: options.split(','), type };
    });
}

function unescapePath(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

/** Tests whether a path is a folder or below it. */
export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

export function isBelowAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isAtOrBelow(path, folder));
}

/**
 * Makes a file or folder read-only at its place.
 *
 * @param mounts those of the machine, whose options the one at this place has to keep
 */
export function fixPlace(path: string, mounts: readonly ExistingMount[]): Mount {
  const around = mounts.filter((mount) => isAtOrBelow(path, mount.path));
  const nearest = Math.max(...around.map((mount) => mount.path.length));
  const own = around.findLast((mount) => mount.path.length === nearest);
  const options = addReadOnly(own?.options ?? []);
  // A place that is a mount already would be left out as one that exists.
  if (own?.path === path) return { source: NEW_SOURCE, target: path, options: `remount,bind,${options}` };
  return { source: path, target: path, options: `bind,${options}` };
}

/** Renders the options that make an existing mount read-only. */
export function makeReadOnly(options: readonly string[]): string {
  return `remount,bind,${addReadOnly(options)}`;
}

/** Options that a mount has are kept: they cannot be taken away everywhere. */
function addReadOnly(options: readonly string[]): string {
  return ['ro', 'nodev', ...options.filter((option) => !['rw', 'ro', 'nodev'].includes(option))].join(',');
}
