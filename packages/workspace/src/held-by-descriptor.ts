import { closeSync, constants, existsSync, fstatSync, openSync, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Held } from './held.ts';
import { isMissing } from './system-error.ts';

/** Where Linux shows what a process has open, and the mode that opens a thing without any effect on it. */
const DESCRIPTORS = '/proc/self/fd';
const O_PATH = 0o10000000;

/** True where things can be held by descriptor. */
export const HAS_DESCRIPTORS = process.platform === 'linux' && existsSync(DESCRIPTORS);

/** Holds a thing open: its address leads to it even after it was renamed or something else took its name. */
export class HeldByDescriptor implements Held {
  readonly stats: Stats;
  readonly address: string;
  readonly #descriptor: number;

  /** @param path of something that is there; a link at its end is not followed */
  constructor(path: string) {
    // Synchronous, because it touches names only and takes microseconds; contents are read elsewhere.
    this.#descriptor = openSync(path, O_PATH | constants.O_NOFOLLOW);
    this.address = `${DESCRIPTORS}/${this.#descriptor}`;
    try {
      this.stats = fstatSync(this.#descriptor);
    } catch (error) {
      closeSync(this.#descriptor);
      throw error;
    }
  }

  child(name: string): Held | undefined {
    try {
      return new HeldByDescriptor(this.at(name));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  get addressElsewhere(): string {
    return `/proc/${process.pid}/fd/${this.#descriptor}`;
  }

  at(name: string): string {
    return `${this.address}/${name}`;
  }

  open(flags: number): Promise<FileHandle> {
    // The address is followed on purpose: it leads to what is held and nowhere else.
    return open(this.address, flags | constants.O_NONBLOCK);
  }

  async confirm(): Promise<void> {
    // An open descriptor cannot come to mean something else.
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
