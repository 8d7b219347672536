import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a package is made of. */
const CODE = /\.(?:[cm]?[jt]sx?|json)$/;
/** What is made of the package: neither its cause nor its code. */
const MADE = new Set(['node_modules', 'bae.manifest.json']);

/**
 * A text that is another one after code below a folder was changed, added or removed.
 *
 * @param besides the name of one more folder right in it that is not looked at
 */
export function codeStamp(folder: string, besides?: string): string {
  return stamps(folder, besides).join('\n');
}

/** A path without links in it. */
export function realPath(path: string): string {
  return realpathSync(path);
}

function stamps(folder: string, besides?: string): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    const { name } = entry;
    const path = join(folder, name);
    if (name.startsWith('.') || name === besides || MADE.has(name)) return [];
    if (entry.isDirectory()) return stamps(path);
    const stats = CODE.test(name) ? statSync(path, { throwIfNoEntry: false }) : undefined;
    return stats === undefined ? [] : [`${path} ${stats.mtimeMs} ${stats.size}`];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It was there a moment ago.
    return [];
  }
}
