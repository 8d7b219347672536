import { ConflictError, type Provision } from '@bae/core';
import { basename } from 'node:path';
import { type FileDigest, readFileSnapshot, refuseIrregular, FOLDER } from './file/file-content.ts';
import { createDraft, type Draft } from './draft/workspace-draft.ts';
import {
  FoundPath,
  encodeText,
  type TextWindow,
  type WindowRequest,
  type ReadOptions,
  type TextFile,
} from './file/text-file.ts';
import { FileError } from './errors.ts';
import type { PlannedChange, ChangeDetails, WrittenFile } from './file/planned-change.ts';
import { type FileAccess, type FileDraft, type OpenOptions, WorkspaceFile } from './file/workspace-file.ts';
import type { Operation } from './journal/journal-record.ts';
import { DiskStore } from './journal/disk-store.ts';
import type { FileKeeper } from './journal/file-keeper.ts';
import type { KeptFiles } from './journal/kept-files.ts';
import { type JournalKind, openJournal } from './journal/journaled-files.ts';
import type { PlannedUndo, Undo, UndoReport, UndoRequest } from './journal/undo.ts';
import { StampFinder, type StampQuery } from './list/folder-cache.ts';
import { type FolderTree, type GlobQuery, findFiles, listTree, readFolderEntries } from './list/list-files.ts';
import { IgnoreRules } from './list/ignore-rules.ts';
import { isGlob } from './list/search-scope.ts';
import { followLink, type FollowedLink, type PathInfo } from './path/resolve-path.ts';
import { listProtected, type ProtectedEntry } from './path/list-protected.ts';
import { findProtection, findSecrecy, OWN_FOLDER, refuseProtected, refuseSecret } from './path/path-protection.ts';
import { type FileRule, type OwnFiles, type ReadUnsaved, RootFolder } from './path/root-folder.ts';
import { runGrep } from './search/grep-files.ts';
import type { GrepQuery, GrepResult } from './search/grep-query.ts';
import { formatPath } from './path/show-path.ts';
import { findRipgrep } from './search/ripgrep.ts';
import { removeEmptyFolders } from './write/change-file.ts';

/** Options for an immediate change of a file. */
export interface ChangeOptions extends ChangeDetails {
  /** The session that makes the change, for undo. Default: the workspace itself. */
  readonly session?: string | undefined;
  /**
   * Identifier shared by files that are changed together, each once: an undo reverts them as one change, or not at all.
   */
  readonly group?: string | undefined;
}

export interface WorkspaceOptions {
  /** Path of the ripgrep program, null to search without it. Default: the packaged program. */
  readonly ripgrep?: string | null;
  /** Time limit of a search for one expression, in milliseconds. Default: 1,500. */
  readonly searchMs?: number;
  /**
   * The place where changes are recorded for undo: `memory` keeps them until the process ends, `disk` keeps them in
   * `.bae/journal` for later processes too. Default: `memory`.
   */
  readonly journal?: JournalKind;
  /**
   * Returns the secret of the user for this folder: a journal on disk is signed with it, and a change in a journal
   * without that proof is not undone. Default: the journals in the folder are trusted as they are.
   */
  readonly journalKey?: (() => Uint8Array) | undefined;
  /** Files of the application, which no tool may write, in case they are in the folder. */
  readonly ownFiles?: OwnFiles | undefined;
  /**
   * Looks up a file in an editor, by its absolute path: unsaved text is read instead of the file, and a change of the
   * file is refused until the text is saved. Default: files are read from disk.
   */
  readonly readUnsaved?: ReadUnsaved | undefined;
}

/**
 * Returns a function that runs work that may change only some files of a workspace, and everything that it starts. It is
 * no method, so that spaces cannot extend what their calls have declared.
 */
export let makeConfine: (root: WorkspaceRoot) => NonNullable<Provision['confine']>;

/**
 * A folder of the user's files, and the only access to them.
 *
 * Every method takes a path as written by a model or person, follows its links itself, and refuses one that leads out
 * of the folder with a `PathError`. Errors of the system are thrown as a `FileError`; for a missing file, a
 * `FileNotFoundError` names the nearest sibling.
 */
export class WorkspaceRoot implements Disposable {
  static {
    makeConfine = (root) => (paths, work) => root.#root.confine(paths, work);
  }
  /** Absolute path of the folder, for programs that are started in it. */
  readonly folder: string;
  readonly name: string;
  readonly #root: RootFolder;
  readonly #stamps: StampFinder;
  readonly #ripgrep: string | null | undefined;
  readonly #searchMs: number | undefined;
  readonly #withoutLarge = new Set<string>();
  readonly #undo: Undo;
  readonly #keeper: FileKeeper;
  readonly #access: FileAccess;

  /**
   * @param folder relative paths start from the process's working directory
   * @throws ConfigurationError when it is not a folder
   */
  constructor(
    folder: string,
    { ripgrep, searchMs, journal = 'memory', journalKey, ownFiles, readUnsaved }: WorkspaceOptions = {},
  ) {
    this.#root = new RootFolder(folder, { ownFiles, readUnsaved });
    this.#stamps = new StampFinder(this.#root);
    this.folder = this.#root.path;
    this.name = basename(this.folder) || '/';
    this.#ripgrep = ripgrep;
    this.#searchMs = searchMs;
    const { files, undo, keeper } = openJournal(this.#root, { kind: journal, getKey: journalKey });
    this.#undo = undo;
    this.#keeper = keeper;
    this.#access = { root: this.#root, changes: files };
  }

  /** Closes the folder, which is held open until then; this object cannot be used afterwards. */
  [Symbol.dispose](): void {
    this.#root[Symbol.dispose]();
  }

  /**
   * Applies rules about files from now on, to every access: a file whose reading they restrict is treated like one that
   * may hold passwords. Earlier rules continue to apply.
   */
  restrict(rules: readonly FileRule[]): void {
    this.#root.restrict(rules);
  }

  /** Opens a file, or a path where one may be created. Nothing is looked up before it is needed. */
  open(path: string, options?: OpenOptions): WorkspaceFile {
    return new WorkspaceFile(path, this.#access, options);
  }

  /** Plans changes of several files as one: all are made or none, and one undo reverts them. */
  planGroup(drafts: readonly FileDraft[]): Promise<PlannedChange<readonly (WrittenFile | undefined)[]>> {
    return WorkspaceFile.planGroup(drafts, this.#access);
  }

  /** Plans to move files to new paths, which must not exist: all are moved or none, and one undo reverts the move. */
  planMoves(pairs: readonly (readonly [from: WorkspaceFile, to: WorkspaceFile])[]) {
    return WorkspaceFile.planMoves(pairs, this.#access);
  }

  /** Creates a draft, which collects changes and writes them only when it is applied. */
  createDraft(): Draft {
    return createDraft(this.#access);
  }

  /**
   * Lists every file and folder in a folder.
   *
   * @throws FileError if it contains a pipe, socket or device, or too many files
   */
  listTree(folder: string): Promise<FolderTree> {
    return listTree(folder, this.#root);
  }

  /**
   * Plans to make a folder, and its missing parent folders.
   *
   * @throws FileError when the path already exists
   */
  async planFolder(given: string): Promise<PlannedChange<unknown>> {
    const file = this.open(given, { toChange: true, itself: true });
    const shown = formatPath(file.path);
    if (file.info.kind !== 'missing') throw new FileError(`${shown} already exists.`, [`<R:${shown}>`]);
    return this.planGroup([{ file, content: new Uint8Array(), mode: FOLDER, action: 'mkdir' }]);
  }

  /** Removes the empty ones of some folders, given outermost first. */
  async removeEmptyFolders(folders: readonly string[]): Promise<void> {
    this.#root.refuseUndeclared(folders, { isFolder: true });
    await removeEmptyFolders(folders, this.#root);
  }

  /** Plans to undo the last changes; applying the plan undoes exactly these changes, or nothing. */
  planUndo(request: UndoRequest = {}): Promise<PlannedUndo> {
    return this.#undo.plan(request);
  }

  /** Looks up a path, and pins it for several accesses. A missing file is not an error here. */
  lookUp(path: string): FoundPath {
    return new FoundPath(path, this.#root);
  }

  /** Returns information about a path. A missing file is not an error here. */
  async info(path: string): Promise<PathInfo> {
    return this.open(path).info;
  }

  /** Returns true when the path exists inside the workspace; false also for paths that are refused. */
  async exists(path: string): Promise<boolean> {
    try {
      return this.open(path).info.kind !== 'missing';
    } catch {
      return false;
    }
  }

  /**
   * Finds what a link leads to: the path below the root, without links; undefined for a link that leads nowhere, or out
   * of the root to something other than a secret.
   */
  followLink(link: string): FollowedLink | undefined {
    return followLink(link, this.#root);
  }

  /** Tests by its path, below the root and without links, whether a file is shown only with the user's consent. */
  isSecret(path: string): boolean {
    return this.#root.findProtection(path)?.secret === true;
  }

  /** Computes the digest of a file, which may have any size and content. */
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

  /**
   * Lists the names in a folder, sorted; those of folders end with `/`. The data of git is left out, and that of bae in
   * the root.
   */
  async list(path: string): Promise<readonly string[]> {
    using folder = this.open(path).resolveExisting();
    await this.#access.changes.clean(folder.target, folder.path);
    const entries = (await readFolderEntries(folder, this.#root)).filter(
      ({ name }) => name !== '.git' && (folder.path !== '' || name !== OWN_FOLDER),
    );
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted();
  }

  /** Returns true when git ignores a path below the folder, by its `.gitignore` files. A folder's path ends with `/`. */
  isIgnored(path: string): Promise<boolean> {
    return new IgnoreRules(this.#root).ignores(path);
  }

  checkWritable(path: string): void {
    this.open(path).checkWritable();
  }

  /**
   * Writes content to a file in one step, creating parent folders; keeps the mode of an existing file.
   *
   * @throws ProtectedFileError for files that no tool may write; FileError for a read-only file, unless `force`;
   *   ConflictError when the file does not match `expected`
   */
  async write(path: string, content: string, options: ChangeOptions = {}): Promise<WrittenFile> {
    this.checkWritable(path);
    return (await this.#change(path, encodeText(content, path), options))!;
  }

  /**
   * Removes a file.
   *
   * @throws the same errors as `write`, and FileNotFoundError
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
   * Undoes the last changes that were made through this object, or, with a journal on disk, through any other object
   * for the same folder. A file that differs from the result of its last change is not touched.
   */
  undo(request: UndoRequest = {}): Promise<UndoReport> {
    return this.#undo.undo(request);
  }

  /** Returns the changes of all sessions that can be undone, newest first. */
  operations(): Promise<readonly Operation[]> {
    return this.#undo.operations();
  }

  /**
   * Returns the changes that are not undone because nothing proves that the user made them: the folder came with them,
   * was elsewhere, or was changed before journals were signed. They stay in the folder. Their texts are the writer's.
   */
  unprovenOperations(): Promise<readonly Operation[]> {
    return this.#undo.unproven();
  }

  /**
   * Removes texts from the data that is kept for undo: changes of files that contained one can no longer be undone.
   *
   * @param holds tests whether a content has a text that has to be removed
   * @returns the number of old contents removed
   */
  forgetText(holds: (content: string) => boolean): Promise<number> {
    return new DiskStore(this.#root, 'forget').forget(holds);
  }

  /**
   * Keeps the contents of the files before a program runs that may change them, up to 50 MB, the smallest files first:
   * those that a search finds, except protected ones. `record` of the result then adds what was changed to the changes
   * that can be undone. They are in a file without a name, which is removed when the process ends.
   */
  keepFiles(signal?: AbortSignal): Promise<KeptFiles> {
    return this.#keeper.keep(signal);
  }

  /**
   * Lists the files and folders in this folder that no tool writes, for programs that must not write them either: three
   * levels deep, without what belongs to git and what is built or installed there; and all those that rules name.
   */
  listProtected(): Promise<readonly ProtectedEntry[]> {
    return listProtected(this.#root);
  }

  /** Absolute paths of the application's data, which no program of a model may read. */
  get ownData(): readonly string[] {
    return this.#root.ownData;
  }

  /** Finds the regular files that match a pattern, sorted, as paths relative to the root. */
  glob(query: GlobQuery): Promise<readonly string[]> {
    return findFiles(query, this.#root);
  }

  /** Finds the files whose content is shown only with the user's consent, and links with such names. */
  async secretFiles(query: Omit<GlobQuery, 'onLink'>): Promise<readonly string[]> {
    const links: string[] = [];
    const files = await this.glob({ ...query, onLink: (link) => links.push(link) });
    return [...files, ...links].filter((path) => findSecrecy({ protection: findProtection(path) }) !== undefined);
  }

  /** Finds the files that match a pattern, each with a stamp: a string that differs after the file was changed. */
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
    // Another program would not see the files of a draft.
    const program = this.#root.draft === undefined ? await findRipgrep(this.#ripgrep) : undefined;
    const job = { query, root: this.#root, target, limitMs: this.#searchMs, withoutLarge: this.#withoutLarge };
    return await runGrep(job, program);
  }

  /**
   * Changes a file. Without `expected`, a concurrent change by another program does not matter: the change is retried.
   */
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

/** Maximum number of attempts to change a file that another program constantly touches without changing it. */
const MOST_TRIES = 20;

/**
 * Plans a change and makes it; starts again when the file changed in between, so that the plan decides whether that
 * matters.
 *
 * @param plan its errors are final
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
