import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Who may read a file: everybody, or the user alone. */
export type Readers = 'everybody' | 'user';

const MODES: Readonly<Record<Readers, { readonly file: number; readonly folder: number }>> = {
  everybody: { file: 0o644, folder: 0o755 },
  user: { file: 0o600, folder: 0o700 },
};

/**
 * Writes a file and the folders above it: whoever reads it finds the old text or the new one, never a part,
 * also after a crash.
 *
 * @throws the system's error; the old file is untouched then
 */
export function writeAtomically(path: string, text: string, readers: Readers): void {
  const { file, folder } = MODES[readers];
  mkdirSync(dirname(path), { recursive: true, mode: folder });
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    // A file that a crash left behind may belong to other readers.
    rmSync(temporary, { force: true });
    writeWhole(temporary, text, file);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeWhole(path: string, text: string, mode: number): void {
  const descriptor = openSync(path, 'wx', mode);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
