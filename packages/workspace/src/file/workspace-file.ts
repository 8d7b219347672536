import { ConflictError } from '@bae/core';
import { FileError } from '../errors.ts';
import { type FileSnapshot, openContent, readSnapshot } from './open-file.ts';
import type { PathQueue } from './path-queue.ts';
import { PlannedChange } from './planned-change.ts';
import { encodeText, LARGEST_WHOLE, type ReadOptions, readTextFile, type TextFile, tooLarge } from './text-file.ts';
import { readTextWindow, type TextWindow, type WindowRequest } from './text-window.ts';
import type { FileStep, JournaledFiles, WrittenFile } from '../journal/journaled-files.ts';
import { refuseOwn, refuseProtected, refuseSecret } from '../path/path-protection.ts';
import { findPlace, infoOf, missingFile, type PathInfo, type Place } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { showPath } from '../path/show-path.ts';
import { renderFileChange, renderTextChange } from '../text/unified-diff.ts';

/** What the files of a workspace share. */
export interface FileAccess {
  readonly root: RootFolder;
  /** Locks of tools, by path. */
  readonly queue: PathQueue;
  readonly changes: JournaledFiles;
}

/** How a file is opened. */
export interface OpenOptions {
  /** True to refuse, with every access, what no tool may write. Default: false. */
  readonly toChange?: boolean | undefined;
}

/** How a change is written down, and what it may replace. */
export interface ChangeDetails {
  /** What is done, as a noun. Default: `write` or `remove`. */
  readonly action?: string | undefined;
  /** Lines that are replaced, and lines that take their place. Default: all of them. */
  readonly lines?: readonly [before: number, after: number] | undefined;
  /** True to replace also a read-only file. */
  readonly force?: boolean | undefined;
}

/** A file, and what is to be in it. */
export interface FileDraft extends ChangeDetails {
  readonly file: WorkspaceFile;
  /** Null to remove the file. */
  readonly content: string | null;
}

interface PlannedStep {
  readonly step: FileStep & { readonly file: WorkspaceFile };
  readonly preview: () => string;
}

/**
 * A file of the workspace, or a path where one may be created: where it is, what protects it, and its content as last
 * read.
 *
 * Nothing is looked up before it is needed, and nothing is held in between: each access walks from the root. The first
 * one settles the path; an access that would lead to another file after that fails with a `ConflictError`.
 */
export class WorkspaceFile {
  /** The path as it was asked for: for messages and tags. */
  readonly given: string;
  readonly #access: FileAccess;
  readonly #toChange: boolean;
  #info: PathInfo | undefined;
  #names: readonly string[] = [];
  #content: FileSnapshot | null | undefined;

  constructor(given: string, access: FileAccess, { toChange = false }: OpenOptions = {}) {
    this.given = given;
    this.#access = access;
    this.#toChange = toChange;
  }

  /**
   * Path below the root, without links: the same for every spelling of the same file, and the one that approval rules
   * are compared with.
   *
   * @throws PathError when the path leads out of the root; FileError when it cannot be followed
   */
  get path(): string {
    return this.info.path;
  }

  /** What the path stands for, as of the last access: file, folder, special or missing, and whether it is a secret. */
  get info(): PathInfo {
    if (this.#info === undefined) this.locate()[Symbol.dispose]();
    return this.#info!;
  }

  /** SHA-256 of the content as last read; null when nothing was there, undefined when it was not read. */
  get hash(): string | null | undefined {
    return this.#content === null ? null : this.#content?.hash;
  }

  /** @throws ProtectedFileError for what no tool may write */
  checkWritable(): void {
    using place = this.locate();
    refuseProtected(place);
  }

  /**
   * The content as last read, of up to 64 MB, and its digest: what a change is planned on. It is read now if it was
   * not read yet. Undefined when nothing is there.
   *
   * @throws FileError when it is a folder or no regular file; ProtectedFileError for a secret
   */
  async read(): Promise<FileSnapshot | undefined> {
    if (this.#content === undefined) {
      using place = this.locate();
      this.#guard(place, false);
      this.#content = (await readSnapshot(place, LARGEST_WHOLE)) ?? null;
    }
    return this.#content ?? undefined;
  }

  /**
   * Reads the whole of a text file.
   *
   * @throws FileNotFoundError when nothing is there; BinaryFileError when it is binary; FileError when it is not UTF-8
   *   or larger than 64 MB; ProtectedFileError for a secret, unless `secrets`
   */
  async readText({ secrets = false, forCode }: ReadOptions = {}): Promise<TextFile> {
    using place = await this.#locateExisting();
    this.#guard(place, secrets);
    const { snapshot, file } = await readTextFile(place, { forCode });
    this.#content = snapshot;
    return file;
  }

  /**
   * Reads a part of a file of any size; only that part is held in memory. The text of a binary file is empty.
   *
   * @throws FileNotFoundError when nothing is there; ProtectedFileError for a secret, unless `secrets`
   */
  async readWindow(request: WindowRequest): Promise<TextWindow> {
    using place = await this.#locateExisting();
    this.#guard(place, request.secrets === true);
    await using content = await openContent(place);
    return await readTextWindow(content, request);
  }

  /** Does the work while no other work on the same file is done through the workspace. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#access.queue.run(this.path, work);
  }

  /**
   * Plans to put content in the file, creating it and its folders where they are missing.
   *
   * @throws ProtectedFileError for what no tool may write; FileError for a folder, or for half of a character
   */
  async planWrite(content: string, details: ChangeDetails = {}): Promise<PlannedChange<WrittenFile>> {
    const change = await WorkspaceFile.planGroup([{ ...details, file: this, content }], this.#access);
    return change.map(([written]) => written!);
  }

  /**
   * Plans to remove the file.
   *
   * @throws FileNotFoundError when nothing is there; ProtectedFileError for what no tool may write
   */
  async planRemove(details: ChangeDetails = {}): Promise<PlannedChange<undefined>> {
    const change = await WorkspaceFile.planGroup([{ ...details, file: this, content: null }], this.#access);
    return change.map(() => undefined);
  }

  /**
   * Plans to give the file another path, which nothing may have; one undo takes it back.
   *
   * @throws FileNotFoundError when nothing is there; FileError when it is larger than 64 MB, or when something has
   *   the other path; ProtectedFileError for what no tool may write
   */
  async planMove(to: WorkspaceFile, details: ChangeDetails = {}): Promise<PlannedChange<WrittenFile>> {
    const how = { action: 'move', ...details };
    const { step: removal } = await this.#planStep({ ...how, file: this, content: null });
    const { content, mode, size } = this.#content!;
    if (content === undefined) throw tooLarge(showPath(this.given), size);
    if ((await to.#readToChange()) !== undefined) {
      const shown = showPath(to.given);
      throw new FileError(`${shown} is there already. Remove it first, or choose another name.`, [`<R:${shown}>`]);
    }
    const creation = { ...how, file: to, expected: null, content, mode };
    const preview = () => `${showPath(this.given)} -> ${showPath(to.given)}`;
    return WorkspaceFile.#changeOf([creation, removal], preview, this.#access).map(([written]) => written!);
  }

  /** Plans changes of several files as one: all are made or none, and one undo takes them back. */
  static async planGroup(
    drafts: readonly FileDraft[],
    access: FileAccess,
  ): Promise<PlannedChange<readonly (WrittenFile | undefined)[]>> {
    const planned: PlannedStep[] = [];
    for (const draft of drafts) planned.push(await draft.file.#planStep(draft));
    const steps = planned.map(({ step }) => step);
    const [first] = planned;
    const preview = () => planned.map(({ preview }) => preview().replace(/(?<!\n)$/, '\n')).join('');
    return WorkspaceFile.#changeOf(steps, planned.length === 1 ? first!.preview : preview, access);
  }

  static #changeOf(steps: readonly (FileStep & { file: WorkspaceFile })[], preview: () => string, access: FileAccess) {
    return new PlannedChange({
      touches: steps.map(({ file }) => ({ path: file.path })),
      preview,
      apply: async (context) => {
        try {
          return await access.changes.apply(steps, context);
        } finally {
          // Changed by this, or by something else: a new plan has to read it again.
          for (const { file } of steps) file.#content = undefined;
        }
      },
    });
  }

  async #planStep({ content, ...details }: FileDraft): Promise<PlannedStep> {
    const { given } = this;
    const before = await this.#readToChange();
    if (content === null) {
      if (before === undefined) throw await missingFile(this, this.#access.root);
      return {
        step: { ...details, expected: before.hash, content },
        preview: () => renderFileChange({ path: given, before: before.content ?? new Uint8Array(before.size) }),
      };
    }
    return {
      step: { ...details, expected: before?.hash ?? null, content: encodeText(content, given) },
      preview: () => renderTextChange({ path: given, before, after: content }),
    };
  }

  /** The content as last read, of a file that a tool may write. */
  async #readToChange(): Promise<FileSnapshot | undefined> {
    if (this.#content !== undefined) refuseProtected({ given: this.given, names: this.#names });
    else {
      using place = this.locate();
      refuseProtected(place);
      this.#content = (await readSnapshot(place, LARGEST_WHOLE)) ?? null;
    }
    return this.#content ?? undefined;
  }

  /**
   * Walks to the file from the root; the caller disposes of the result.
   *
   * @throws ConflictError when the path leads to another file than before
   */
  locate(): Place {
    const place = findPlace(this.given, this.#access.root);
    const known = this.#info?.path ?? place.path;
    if (place.path === known) {
      this.#info = infoOf(place);
      this.#names = place.names;
      return place;
    }
    place[Symbol.dispose]();
    const shown = showPath(this.given);
    throw new ConflictError(
      `${shown} leads to ${showPath(place.path)} now, and led to ${showPath(known)} before. Nothing was changed. Read it again, then change it.`,
      [`<R:${shown}>`],
    );
  }

  async #locateExisting(): Promise<Place> {
    const place = this.locate();
    if (place.stats !== undefined) return place;
    place[Symbol.dispose]();
    throw await missingFile(place, this.#access.root);
  }

  #guard(place: Place, secrets: boolean): void {
    if (this.#toChange) refuseProtected(place);
    if (!secrets) refuseSecret(place);
    refuseOwn(place);
  }
}
