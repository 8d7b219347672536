import { realpathSync, statSync } from 'node:fs';
import { readdir, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import type { RootNames } from './contain-path.ts';
import { FileError } from './errors/file-error.ts';
import { chunksOf } from './file-chunks.ts';
import { DigestBuilder, digestOf, type FileDigest } from './file-digest.ts';
import { findFiles, type GlobQuery } from './find-files.ts';
import { isGlob } from './is-glob.ts';
import { grepFiles } from './grep-files.ts';
import type { GrepQuery, GrepResult } from './grep-result.ts';
import { missingFile } from './missing-file.ts';
import { openFile, refuseOther } from './open-file.ts';
import { findPlace, type Place } from './place.ts';
import { findRipgrep } from './ripgrep.ts';
import { showPath } from './show-path.ts';
import { systemError } from './system-error.ts';
import { readTextFile, type TextFile } from './text-file.ts';
import { readTextWindow, type TextWindow, type WindowRequest } from './text-window.ts';
import { writeAtomically } from './write-atomically.ts';

/** What may be set for a workspace. */
export interface WorkspaceOptions {
  /** Path of the ripgrep program, null to search without it. Default: the packaged program. */
  readonly ripgrep?: string | null;
}

/** What is known of a path without reading it. */
export interface PathInfo {
  /** Path below the root, without links: the same for every spelling of the same file. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'special' | 'missing';
  /** Bytes; 0 for what is missing. */
  readonly size: number;
}

/**
 * A folder of the user's files, and the only way to them.
 *
 * Every method takes a path as a model or person writes it, follows its links itself, and refuses one that
 * leads out of the folder with a `PathError`. What the system refuses is a `FileError`; what is not there, a
 * `FileNotFoundError` that names the nearest sibling.
 */
export class WorkspaceRoot {
  readonly #names: RootNames;
  readonly #ripgrep: string | null | undefined;
  readonly #queues = new Map<string, Promise<unknown>>();

  /**
   * @param folder path of the folder; relative ones start from the process's working directory
   * @throws ConfigurationError when it is no folder
   */
  constructor(folder: string, options: WorkspaceOptions = {}) {
    const asked = resolve(folder);
    this.#names = { roots: [realFolder(asked), asked], home: homedir() };
    this.#ripgrep = options.ripgrep;
  }

  /** Name of the folder. */
  get name(): string {
    return basename(this.#root) || '/';
  }

  get #root(): string {
    return this.#names.roots[0] as string;
  }

  /** What a path stands for. A missing file is not an error here. */
  async info(path: string): Promise<PathInfo> {
    const { path: real, stats } = await findPlace(path, this.#names);
    if (stats === undefined) return { path: real, kind: 'missing', size: 0 };
    return { path: real, kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'special', size: stats.size };
  }

  /** True when something inside the workspace has this path; false also for paths that are refused. */
  async exists(path: string): Promise<boolean> {
    return (await findPlace(path, this.#names).catch(() => undefined))?.stats !== undefined;
  }

  /** The digest of a file; the file may have any size and content. */
  async digest(path: string): Promise<FileDigest> {
    await using file = await openFile(await this.#find(path));
    const builder = new DigestBuilder();
    for await (const chunk of chunksOf(file)) builder.add(chunk);
    return builder.finish();
  }

  /**
   * The whole of a text file.
   *
   * @throws BinaryFileError when it is binary; FileError when it is not UTF-8 or larger than 64 MB
   */
  async readText(path: string): Promise<TextFile> {
    await using file = await openFile(await this.#find(path));
    return await readTextFile(file, path);
  }

  /** A part of a file of any size; only that part is held in memory. The text of a binary file is empty. */
  async readWindow(path: string, request: WindowRequest): Promise<TextWindow> {
    await using file = await openFile(await this.#find(path));
    return await readTextWindow(file, request);
  }

  /** Names in a folder, sorted; those of folders end with `/`. */
  async list(path: string): Promise<readonly string[]> {
    const place = await this.#find(path);
    if (!place.stats?.isDirectory())
      throw new FileError(`${showPath(path)} is not a folder.`, [`<R:${showPath(path)}>`]);
    try {
      const entries = await readdir(place.absolute, { withFileTypes: true });
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted();
    } catch (error) {
      throw systemError(error, path);
    }
  }

  /**
   * Puts content in a file in one step, creating parent folders; keeps the mode of an existing one.
   *
   * @returns the digest of the new content
   */
  async write(path: string, content: string): Promise<FileDigest> {
    const bytes = Buffer.from(content);
    await writeAtomically(await findPlace(path, this.#names), bytes);
    return digestOf(bytes);
  }

  /** Removes a file. */
  async remove(path: string): Promise<void> {
    const place = await this.#find(path);
    refuseOther(place.stats, path);
    await unlink(place.absolute).catch((error: unknown) => {
      throw systemError(error, path);
    });
  }

  /** Does the work while no other work on the same file is done through this object. */
  async exclusively<T>(path: string, work: () => Promise<T>): Promise<T> {
    const key = (await findPlace(path, this.#names)).path;
    const before = this.#queues.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => undefined);
    this.#queues.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#queues.get(key) === settled) this.#queues.delete(key);
    }
  }

  /** The regular files a pattern names, sorted, as paths below the root. */
  glob(query: GlobQuery): Promise<readonly string[]> {
    return findFiles(query, this.#names);
  }

  /**
   * Searches text files with a regular expression.
   *
   * @throws PatternError when the expression cannot be used; TimeoutError when it takes too long
   */
  async grep(query: GrepQuery): Promise<GrepResult> {
    const path = query.path ?? '.';
    const pattern = isGlob(path) && !(await this.exists(path));
    const place = pattern ? undefined : await this.#find(path);
    if (place !== undefined && !place.stats.isDirectory()) refuseOther(place.stats, path);
    return grepFiles({ query, names: this.#names, place, ripgrep: await findRipgrep(this.#ripgrep) });
  }

  async #find(path: string): Promise<ExistingPlace> {
    const place = await findPlace(path, this.#names);
    if (place.stats === undefined) throw await missingFile(place, this.#names);
    return place as ExistingPlace;
  }
}

type ExistingPlace = Place & Required<Pick<Place, 'stats'>>;

function realFolder(folder: string): string {
  try {
    const real = realpathSync(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw new ConfigurationError(`the workspace ${folder} is not there. Name a folder that exists.`, [], error);
  }
  throw new ConfigurationError(`the workspace ${folder} is a file. Name a folder.`);
}
