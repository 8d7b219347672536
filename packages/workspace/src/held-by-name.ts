import { constants, lstatSync, type Stats } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import type { Held } from './held.ts';
import { isMissing } from './system-error.ts';

/**
 * Remembers a thing by its path without links, where the system has nothing better. What is opened is compared
 * with what was found: a path that leads elsewhere by then is refused, before anything is read or written.
 */
export class HeldByName implements Held {
  readonly stats: Stats;
  readonly address: string;
  readonly #root: string;

  /** @param root real path that this thing must stay below; by default it is the root itself */
  constructor(path: string, root = path) {
    this.stats = lstatSync(path);
    this.address = path;
    this.#root = root;
  }

  child(name: string): Held | undefined {
    try {
      return new HeldByName(this.at(name), this.#root);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  get addressElsewhere(): string {
    return this.address;
  }

  at(name: string): string {
    return this.address.endsWith('/') ? this.address + name : `${this.address}/${name}`;
  }

  async open(flags: number): Promise<FileHandle> {
    // Windows has neither of these flags.
    const handle = await open(this.address, flags | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    try {
      this.#compare(await handle.stat());
      await this.confirm();
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async confirm(): Promise<void> {
    const real = await realpath(this.address);
    const inside = real === this.#root || real.startsWith(this.#root.endsWith('/') ? this.#root : `${this.#root}/`);
    if (!inside) throw exchanged();
    this.#compare(await lstat(real));
  }

  [Symbol.dispose](): void {
    // A name needs no giving back.
  }

  #compare({ dev, ino }: Stats): void {
    if (dev !== this.stats.dev || ino !== this.stats.ino) throw exchanged();
  }
}

function exchanged(): Error {
  return Object.assign(new Error('a part of the path was exchanged'), { code: 'ELOOP' });
}
