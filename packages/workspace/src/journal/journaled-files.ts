import { ConflictError } from '@bae/core';
import { digestOf, type FileDigest } from '../file-digest.ts';
import { refuseProtected } from '../guard-place.ts';
import type { PathQueue } from '../path-queue.ts';
import { findPlace, type Place } from '../place.ts';
import type { RootFolder } from '../root-folder.ts';
import { removeEmptyFolders, removeFile, replaceFile } from './change-file.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { imageOf, versionOf, type FileImage } from './file-image.ts';
import type { Journal } from './journal.ts';
import type { Operation } from './operation.ts';
import type { Undo, UndoPorts } from './undo.ts';

/** How a file is changed. */
export interface ChangeOptions {
  /**
   * SHA-256 that the content has to have until the very moment of the change, null when nothing may be there.
   * Default: whatever is there is replaced.
   */
  readonly expected?: string | null | undefined;
  /** Who makes the change, for undo. Default: the workspace itself. */
  readonly session?: string | undefined;
  /** What is done, as a noun. Default: `write` or `remove`. */
  readonly action?: string;
  /** Lines that are replaced, and lines that take their place. Default: all of them. */
  readonly lines?: readonly [before: number, after: number] | undefined;
  /** The same for files that are changed together, each once: an undo takes them back as one change, or none. */
  readonly group?: string | undefined;
  /** True to replace also a read-only file. */
  readonly force?: boolean | undefined;
}

/** A file as it was written. */
export interface WrittenFile extends FileDigest {
  /** False when the content it replaced was too large for the journal. */
  readonly undoable: boolean;
}

interface Change extends ChangeOptions {
  readonly action: string;
  readonly after?: FileDigest;
  act(place: Place, old: string | null): Promise<void>;
}

/** Tries of a change that may replace anything, when somebody else changes the file all the time. */
const MOST_TRIES = 20;

/** Changes files, and writes down before and after it how to undo that. */
export class JournaledFiles {
  readonly #root: RootFolder;
  readonly #journal: Journal;
  readonly #undo: Undo;
  /** One change of a file at a time, so that the journal says what came after what. */
  readonly #queue: PathQueue;
  #settled: Promise<void> | undefined;

  constructor({ root, journal, queue }: UndoPorts, undo: Undo) {
    this.#root = root;
    this.#journal = journal;
    this.#queue = queue;
    this.#undo = undo;
  }

  /**
   * Puts content in a file's place.
   *
   * @throws ConflictError when the file is not as expected; it is left as it is
   */
  async write(path: string, content: Uint8Array, options: ChangeOptions): Promise<WrittenFile> {
    const { force } = options;
    const after = digestOf(content);
    const act: Change['act'] = (place, expected) => replaceFile(place, { content, expected, force });
    const { kept } = await this.#change(path, { action: 'write', ...options, after, act });
    return { ...after, undoable: kept };
  }

  /**
   * Removes a file that is there.
   *
   * @throws ConflictError when it is not as expected; it is left as it is
   */
  async remove(path: string, options: ChangeOptions): Promise<void> {
    await this.#change(path, { action: 'remove', ...options, act: removeFile });
  }

  async #change(path: string, change: Change): Promise<Operation> {
    // What was interrupted by a kill is told from the files, which are about to change.
    await (this.#settled ??= this.#undo.settle());
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#queue.run(this.#keyOf(path), () => this.#try(path, change));
      } catch (error) {
        // What may be anything may also be something else than a moment ago.
        if (!(error instanceof ConflictError) || change.expected !== undefined || attempt === MOST_TRIES) throw error;
      }
    }
  }

  async #try(path: string, change: Change): Promise<Operation> {
    using place = findPlace(path, this.#root);
    refuseProtected(place);
    const image = await imageOf(place, this.#journal.largest);
    const old = image?.hash ?? null;
    if (change.expected !== undefined && change.expected !== old) throw changedMeanwhile(place);
    // Somebody else was faster to remove it.
    if (image === undefined && change.after === undefined) throw changedMeanwhile(place);
    const operation = await this.#start(place, change, image);
    try {
      await change.act(place, old);
    } catch (error) {
      await this.#clearUp(operation);
      throw error;
    }
    await this.#journal.end(operation.id, true);
    return operation;
  }

  #start(place: Place, { after, action, session = '', lines, group }: Change, image: FileImage | undefined) {
    const draft = {
      session,
      action,
      path: place.path,
      ...(image !== undefined && { before: versionOf(image) }),
      ...(after !== undefined && { after: { hash: after.hash, size: after.size, lines: after.lines } }),
      lines: lines ?? ([image?.lines ?? 0, after?.lines ?? 0] as const),
      folders: foldersToCreate(place),
      ...(group !== undefined && { group }),
      kept: image === undefined || image.content !== undefined,
    };
    return this.#journal.start(draft, image?.content);
  }

  /** After an error the old content is there, unless it came at the very last step. */
  async #clearUp({ id, path, folders, after }: Operation): Promise<void> {
    const now = await this.#hashOf(path);
    const happened = now === (after?.hash ?? null);
    if (!happened) await removeEmptyFolders(folders, this.#root);
    await this.#journal.end(id, happened);
  }

  async #hashOf(path: string): Promise<string | null | undefined> {
    try {
      using place = findPlace(path, this.#root);
      return (await imageOf(place, 0))?.hash ?? null;
    } catch {
      return undefined;
    }
  }

  #keyOf(path: string): string {
    using place = findPlace(path, this.#root);
    return place.path;
  }
}

/** The folders above a file that are not there, outermost first. */
function foldersToCreate({ path, absent }: Place): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  const first = parts.length - absent.length;
  return absent.map((_, index) => parts.slice(0, first + index + 1).join('/'));
}
