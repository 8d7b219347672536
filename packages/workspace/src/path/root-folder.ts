import { realpathSync, statSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import { FileError } from '../errors.ts';
import type { RootNames } from './contain-path.ts';
import { DescriptorPin, HAS_DESCRIPTORS, NamePin, type PinnedPath } from './pinned-path.ts';

/** Closes the root folder of a workspace that nobody can use any more. */
const abandoned = new FinalizationRegistry<() => void>((close) => close());

const pinPath = (path: string): PinnedPath => (HAS_DESCRIPTORS ? new DescriptorPin(path) : new NamePin(path));

/** The folder that a workspace consists of, pinned while the workspace is open. */
export class RootFolder implements Disposable {
  readonly names: RootNames;
  readonly #pin: PinnedPath;
  #isClosed = false;

  /** @param folder relative ones start from the process's working directory */
  constructor(folder: string, pin = pinPath) {
    const absolute = resolve(folder);
    const real = realFolder(absolute);
    this.names = { roots: [real, absolute], home: homedir() };
    const pinned = pin(real);
    this.#pin = pinned;
    abandoned.register(this, () => pinned[Symbol.dispose](), this);
  }

  /** Absolute path of the folder, without links. */
  get path(): string {
    return this.names.roots[0] as string;
  }

  get pin(): PinnedPath {
    if (this.#isClosed) throw new FileError(`the workspace ${this.path} was closed. Open it again.`);
    const { dev, ino } = this.#pin.stats;
    const now = statsOf(this.path);
    if (now?.dev === dev && now.ino === ino) return this.#pin;
    const became = now === undefined ? 'is gone' : 'is another folder now';
    throw new FileError(`the workspace ${this.path} ${became}: it was removed, renamed or replaced. Start bae again.`);
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    abandoned.unregister(this);
    this.#pin[Symbol.dispose]();
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
