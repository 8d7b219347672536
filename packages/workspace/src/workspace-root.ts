import { ConflictError } from '@bae/core';
import { basename } from 'node:path';
import {
  type FileDigest,
  readFileSnapshot,
  refuseIrregular,
  type TextWindow,
  type WindowRequest,
} from './file/file-content.ts';
import { createDraft, type Draft } from './draft/workspace-draft.ts';
import { FoundPath } from './file/found-path.ts';
import { PathQueue } from './file/path-queue.ts';
import { FileError } from './errors.ts';
import { PlannedChange } from './file/planned-change.ts';
import { type ReadOptions, type TextFile, encodeText } from './file/text-file.ts';
import { type FileAccess, type FileDraft, type OpenOptions, WorkspaceFile } from './file/workspace-file.ts';
import type { Operation } from './journal/journal-record.ts';
import { DiskStore } from './journal/disk-store.ts';
import type { ChangeDetails, WrittenFile } from './journal/file-step.ts';
import { type JournalKind, openJournal } from './journal/journaled-files.ts';
import type { PlannedUndo, Undo, UndoReport, UndoRequest } from './journal/undo.ts';
import { StampFinder, type StampQuery } from './list/folder-cache.ts';
import { type GlobQuery, findFiles, readFolderEntries } from './list/list-files.ts';
import { type FolderTree, listTree } from './list/list-tree.ts';
import { isGlob } from './list/search-scope.ts';
import { OWN_FOLDER, refuseProtected, refuseSecret } from './path/path-protection.ts';
import { type PathInfo, resolveBelowRoot } from './path/resolve-path.ts';
import { type OwnFiles, type ReadUnsaved, RootFolder } from './path/root-folder.ts';
import { runGrep } from './search/grep-files.ts';
import type { GrepQuery, GrepResult } from './search/grep-query.ts';
import { formatPath } from './path/show-path.ts';
import { findRipgrep } from './search/ripgrep.ts';
import { createConflict, removeEmptyFolders } from './write/change-file.ts';
import { makeMissingFolder } from './write/write-atomically.ts';

/** How a file is changed at once. */
export interface ChangeOptions extends ChangeDetails {
  /** Who makes the change, for undo. Default: the workspace itself. */
  readonly session?: string | undefined;
  /** The same for files that are changed together, each once: an undo takes them back as one change, or none. */
  readonly group?: string | undefined;
}

export interface WorkspaceOptions {
  /** Path of the ripgrep program, null to search without it. Default: the packaged program. */
  readonly ripgrep?: string | null;
  /** Longest time that an expression may keep a search busy, in milliseconds. Default: 1,500. */
  readonly searchMs?: number;
  /**
   * Where changes are recorded, so that they can be undone: `memory` until the process ends, `disk` in
   * `.bae/journal`, also for later processes. Default: `memory`.
   */
  readonly journal?: JournalKind;
  /** Files of the application, which no tool may write, when they happen to be in the folder. */
  readonly ownFiles?: OwnFiles | undefined;
  /**
   * Looks up what an editor has of a file, by its absolute path: changes that are not saved are read instead of the
   * file, and a change of such a file is refused until they are. Default: files are read from disk.
   */
  readonly readUnsaved?: ReadUnsaved | undefined;
}

/**
 * A folder of the user's files, and the only way to them.
 *
 * Every method takes a path as a model or person writes it, follows its links itself, and refuses one that
 * leads out of the folder with a `PathError`. What the system refuses is a `FileError`; what is not there, a
 * `FileNotFoundError` that names the nearest sibling.
 */
export class WorkspaceRoot implements Disposable {
  /** Absolute path of the folder, for programs that are started in it. */
  readonly folder: string;
  readonly name: string;
  readonly #root: RootFolder;
  readonly #stamps: StampFinder;
  readonly #ripgrep: string | null | undefined;
  readonly #searchMs: number | undefined;
  readonly #undo: Undo;
  readonly #access: FileAccess;

  /**
   * @param folder relative paths start from the process's working directory
   * @throws ConfigurationError when it is no folder
   */
  constructor(folder: string, { ripgrep, searchMs, journal = 'memory', ownFiles, readUnsaved }: WorkspaceOptions = {}) {
    this.#root = new RootFolder(folder, { ownFiles, readUnsaved });
    this.#stamps = new StampFinder(this.#root);
    this.folder = this.#root.path;
    this.name = basename(this.folder) || '/';
    this.#ripgrep = ripgrep;
    this.#searchMs = searchMs;
    const { files, undo } = openJournal(this.#root, journal);
    this.#undo = undo;
    this.#access = { root: this.#root, queue: new PathQueue(), changes: files };
  }

  /** Closes the folder, which is held open until then; nothing can be done through this object afterwards. */
  [Symbol.dispose](): void {
    this.#root[Symbol.dispose]();
  }

  /** Opens a file, or a path where one may be created. Nothing is looked up before it is needed. */
  open(path: string, options?: OpenOptions): WorkspaceFile {
    return new WorkspaceFile(path, this.#access, options);
  }

  /** Plans changes of several files as one: all are made or none, and one undo takes them back. */
  planGroup(drafts: readonly FileDraft[]): Promise<PlannedChange<readonly (WrittenFile | undefined)[]>> {
    return WorkspaceFile.planGroup(drafts, this.#access);
  }

  /** Plans to give files other paths, which nothing may have: all are moved or none, and one undo takes them back. */
  planMoves(pairs: readonly (readonly [from: WorkspaceFile, to: WorkspaceFile])[]) {
    return WorkspaceFile.planMoves(pairs, this.#access);
  }

  /** Keeps changes aside: what is changed in the draft is written when its change is applied, and not before. */
  createDraft(): Draft {
    return createDraft(this.#access);
  }

  /** Every file and folder in a folder. @throws FileError where it has links, or too many files */
  listTree(folder: string): Promise<FolderTree> {
    return listTree(folder, this.#root);
  }

  /** Plans to make a folder, and those above it. @throws FileError when something has the path */
  planFolder(given: string): PlannedChange<void> {
    const { path, info } = this.open(given, { toChange: true });
    const shown = formatPath(path);
    if (info.kind !== 'missing') throw new FileError(`${shown} is there already.`, [`<R:${shown}>`]);
    return new PlannedChange({
      touches: [{ path }],
      preview: () => `new folder ${shown}`,
      apply: async () => {
        using folder = resolveBelowRoot(path, this.#root);
        refuseProtected(folder);
        if (folder.path !== path || folder.stats !== undefined) throw createConflict(folder);
        await makeMissingFolder(folder);
      },
    });
  }

  /** Plans to remove folders that nothing is in, given outermost first. */
  planEmptyRemoval(folders: readonly string[]): PlannedChange<void> {
    return new PlannedChange({
      touches: folders.map((path) => ({ path })),
      preview: () => folders.map((path) => `remove the empty folder ${formatPath(path)}`).join('\n'),
      apply: () => this.removeEmptyFolders(folders),
    });
  }

  /** Removes those of the folders that nothing is in, given outermost first. */
  removeEmptyFolders(folders: readonly string[]): Promise<void> {
    return removeEmptyFolders(folders, this.#root);
  }

  /** Plans to undo the last changes; what it was planned on is undone, or nothing. */
  planUndo(request: UndoRequest = {}): Promise<PlannedUndo> {
    return this.#undo.plan(request);
  }

  /** Looks a path up, and pins it for more than one access. A missing file is not an error here. */
  lookUp(path: string): FoundPath {
    return new FoundPath(path, this.#root);
  }

  /** What a path stands for. A missing file is not an error here. */
  async info(path: string): Promise<PathInfo> {
    return this.open(path).info;
  }

  /** True when something inside the workspace has this path; false also for paths that are refused. */
  async exists(path: string): Promise<boolean> {
    try {
      return this.open(path).info.kind !== 'missing';
    } catch {
      return false;
    }
  }

  /** The digest of a file; the file may have any size and content. */
  async digest(path: string): Promise<FileDigest> {
    using file = this.open(path).resolveExisting();
    refuseSecret(file, true);
    const { hash, size, lines, binary } = (await readFileSnapshot(file, 0))!;
    return { hash, size, lines, binary };
  }

  readText(path: string, options?: ReadOptions): Promise<TextFile> {
    return this.open(path).readText(options);
  }

  /** Reads a part of a file of any size; only that part is held in memory. The text of a binary file is empty. */
  async readWindow(path: string, request: WindowRequest): Promise<TextWindow> {
    using found = this.lookUp(path);
    return await found.readWindow(request);
  }

  /** Lists the names in a folder, sorted; those of folders end with `/`. The root's leaves out bae's own folder. */
  async list(path: string): Promise<readonly string[]> {
    using folder = this.open(path).resolveExisting();
    await this.#access.changes.clean(folder.target, folder.path);
    const entries = (await readFolderEntries(folder, this.#root)).filter(
      ({ name }) => folder.path !== '' || name !== OWN_FOLDER,
    );
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted();
  }

  checkWritable(path: string): void {
    this.open(path).checkWritable();
  }

  /**
   * Puts content in a file in one step, creating parent folders; keeps the mode of an existing one.
   *
   * @throws ProtectedFileError for what no tool may write; FileError for a read-only file, unless `force`;
   *   ConflictError when the file is not as `expected`
   */
  async write(path: string, content: string, options: ChangeOptions = {}): Promise<WrittenFile> {
    this.checkWritable(path);
    return (await this.#change(path, encodeText(content, path), options))!;
  }

  /**
   * Removes a file.
   *
   * @throws the same as `write`, and FileNotFoundError
   */
  async remove(path: string, options: ChangeOptions = {}): Promise<void> {
    {
      using file = this.open(path).resolveExisting();
      refuseProtected(file);
      refuseIrregular(file.stats, path);
    }
    await this.#change(path, null, options);
  }

  /**
   * Undoes the last changes that went through this object, or, with a journal on disk, through any other of the
   * same folder. A file that is not as its last change left it is left alone.
   */
  undo(request: UndoRequest = {}): Promise<UndoReport> {
    return this.#undo.undo(request);
  }

  /** The changes that can be undone, newest first, those of all sessions. */
  operations(): Promise<readonly Operation[]> {
    return this.#undo.operations();
  }

  /**
   * Removes a text, whatever its case, from what is kept for undoing: changes of files that held it cannot be undone
   * afterwards.
   *
   * @returns how many old contents were removed
   */
  forgetText(text: string): Promise<number> {
    return new DiskStore(this.#root, 'forget').forget(text);
  }

  async exclusively<T>(path: string, work: () => Promise<T>): Promise<T> {
    return this.open(path).exclusively(work);
  }

  /** Finds the regular files a pattern names, sorted, as paths below the root. */
  glob(query: GlobQuery): Promise<readonly string[]> {
    return findFiles(query, this.#root);
  }

  /** The same files, each with a stamp: a text that is another one after the file was changed. */
  stamps(query: StampQuery): Promise<ReadonlyMap<string, string>> {
    return this.#stamps.find(query);
  }

  /**
   * Searches text files with a regular expression.
   *
   * @throws PatternError when the expression cannot be used; TimeoutError when it takes too long
   */
  async grep(query: GrepQuery): Promise<GrepResult> {
    const path = query.path ?? '.';
    const isPattern = isGlob(path) && !(await this.exists(path));
    using target = isPattern ? undefined : this.open(path).resolveExisting();
    if (target !== undefined && !target.stats.isDirectory()) refuseIrregular(target.stats, path);
    // Another program would not find what a draft has.
    const program = this.#root.draft === undefined ? await findRipgrep(this.#ripgrep) : undefined;
    return await runGrep({ query, root: this.#root, target, limitMs: this.#searchMs }, program);
  }

  /** Without `expected`, a change by something else does not matter: then it is tried again. */
  async #change(path: string, content: Uint8Array | null, options: ChangeOptions): Promise<WrittenFile | undefined> {
    const { expected, session, group, ...details } = options;
    const context = { ...(session !== undefined && { session: { id: session } }), group };
    const change = async (file: WorkspaceFile) => {
      const [written] = await this.#access.changes.apply([{ ...details, file, expected, content }], context);
      return written;
    };
    if (expected !== undefined) return change(this.open(path));
    return retryOnConflict(async () => this.open(path), change);
  }
}

/** Tries of a change of a file that somebody else touches all the time without changing it. */
const MOST_TRIES = 20;

/**
 * Plans a change and makes it; again from the start when the file changed in between, so that the plan decides
 * whether that matters.
 *
 * @param plan what it throws is final
 */
export async function retryOnConflict<P, T>(plan: () => Promise<P>, make: (planned: P) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const planned = await plan();
    try {
      return await make(planned);
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === MOST_TRIES) throw error;
    }
  }
}
