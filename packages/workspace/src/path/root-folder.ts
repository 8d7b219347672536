import { realpathSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import { FileError } from '../errors.ts';
import type { RootNames } from './contain-path.ts';
import { HAS_DESCRIPTORS, type Held, HeldByDescriptor, HeldByName, type Hold } from './pinned-path.ts';

/** Closes the root folder of a workspace that nobody can use any more. */
const abandoned = new FinalizationRegistry<() => void>((close) => close());

const hold: Hold = (path) => (HAS_DESCRIPTORS ? new HeldByDescriptor(path) : new HeldByName(path));

/** The folder that a workspace consists of, held from its opening on. */
export class RootFolder implements Disposable {
  readonly names: RootNames;
  readonly #held: Held;
  #isClosed = false;

  /**
   * @param folder relative ones start from the process's working directory
   * @throws ConfigurationError when it is no folder
   */
  constructor(folder: string, holdRoot = hold) {
    const asked = resolve(folder);
    const real = realFolder(asked);
    this.names = { roots: [real, asked], home: homedir() };
    const held = holdRoot(real);
    this.#held = held;
    abandoned.register(this, () => held[Symbol.dispose](), this);
  }

  /** Absolute path of the folder, without links. */
  get path(): string {
    return this.names.roots[0] as string;
  }

  /**
   * The folder, which is not to be disposed of.
   *
   * @throws FileError when it was removed, renamed or replaced since the workspace was opened, or that was closed
   */
  get held(): Held {
    if (this.#isClosed) throw new FileError(`the workspace ${this.path} was closed. Open it again.`);
    const { dev, ino } = this.#held.stats;
    const now = statsOf(this.path);
    if (now?.dev === dev && now.ino === ino) return this.#held;
    const became = now === undefined ? 'is gone' : 'is another folder now';
    throw new FileError(`the workspace ${this.path} ${became}: it was removed, renamed or replaced. Start bae again.`);
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    abandoned.unregister(this);
    this.#held[Symbol.dispose]();
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function realFolder(folder: string): string {
  try {
    const real = realpathSync(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new ConfigurationError(`the workspace ${folder} is not there. Name a folder that exists.`, [], error);
  }
  throw new ConfigurationError(`the workspace ${folder} is a file. Name a folder.`);
}
