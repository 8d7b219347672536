import { readdirSync } from 'node:fs';
import { NamePin, type PinnedPath } from '../src/path/pinned-path.ts';

/**
 * A file or folder on a disk that takes every spelling of a name for the same file, as most disks of macOS and Windows
 * do. A name may also have a short one: `PACKAG~1` for `package.json`.
 */
export class FoldingPin extends NamePin {
  override child(name: string): PinnedPath | undefined {
    const folder = this.address;
    const stored = readdirSync(folder).find((one) => isSpelling(name, one)) ?? name;
    try {
      return new FoldingPin(this.childAddress(stored), folder);
    } catch {
      return undefined;
    }
  }
}

function isSpelling(name: string, stored: string): boolean {
  const short = `${stored.replaceAll('.', '').slice(0, 6)}~1`;
  return [stored, short].some((one) => one.toLowerCase() === name.toLowerCase());
}
