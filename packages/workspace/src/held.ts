import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/**
 * Something in a workspace that was found and is held, so that what is done to it is done to this very thing,
 * whatever becomes of its name in the meantime. Whoever gets one disposes of it.
 */
export interface Held extends Disposable {
  /** What it is. A link is itself, not what it leads to. */
  readonly stats: Stats;
  /** Path for system calls that stands for it. */
  readonly address: string;
  /** The same for another process, as long as this one runs. */
  readonly addressElsewhere: string;

  /** What has a name in this folder, links not followed; undefined when nothing has. */
  child(name: string): Held | undefined;

  /** Path for system calls on a name in this folder, which must not follow links. */
  at(name: string): string;

  /** Opens it, without waiting for the other end of a pipe. The caller closes the handle. */
  open(flags: number): Promise<FileHandle>;

  /** Throws when `address` no longer stands for it. */
  confirm(): Promise<void>;
}

/** Something held, from its path for system calls; its address is another one that stays true. */
export type Hold = (path: string) => Held;
