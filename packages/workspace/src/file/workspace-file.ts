import { ConflictError } from '@bae/core';
import { FileError } from '../errors.ts';
import {
  PlannedChange,
  type ChangeDetails,
  type FileStep,
  type WrittenFile,
  type ChangeContext,
} from './planned-change.ts';
import type { JournaledFiles } from '../journal/journaled-files.ts';
import { refuseProtected, refuseSecret } from '../path/path-protection.ts';
import {
  createMissingError,
  describePath,
  resolveGivenPath,
  type PathInfo,
  type ResolvedPath,
} from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { formatPath } from '../path/show-path.ts';
import { renderFileChange, renderTextChange } from '../text/unified-diff.ts';
import { createConflict } from '../write/change-file.ts';
import { readEntrySnapshot, readFileSnapshot, type FileSnapshot, getEntryType, LINK } from './file-content.ts';
import {
  readUnsavedText,
  createTooLargeError,
  decodeFile,
  decodeText,
  encodeText,
  LARGEST_WHOLE,
  type ReadOptions,
  type TextFile,
} from './text-file.ts';

export interface FileAccess {
  readonly root: RootFolder;
  readonly changes: JournaledFiles;
}

export interface OpenOptions {
  /** True to refuse, on every access, files that no tool may write. Default: false. */
  readonly toChange?: boolean | undefined;
  /**
   * True for what the path names, to remove or move it: a link at its end is not followed, and an empty folder counts.
   * Default: false.
   */
  readonly itself?: boolean | undefined;
}

/** A file, and its intended content. */
export interface FileDraft extends ChangeDetails {
  readonly file: WorkspaceFile;
  readonly content: string | Uint8Array | null;
  /** Permission bits of a new file. Default: those that the process assigns. */
  readonly mode?: number | undefined;
}

/** A change of several files, some of which may be left out. */
interface ChangeOfParts {
  readonly files: readonly {
    readonly path: string;
    readonly preview: string;
    readonly texts: ReturnType<typeof describeTexts>;
  }[];
  apply(context: ChangeContext, only?: ReadonlySet<string>): Promise<unknown>;
}

type GuardedPath = Pick<ResolvedPath, 'given' | 'protection' | 'stats'>;

type ExistingPath = ResolvedPath & Required<Pick<ResolvedPath, 'stats' | 'target'>>;

interface PlannedStep extends FileStep {
  readonly file: WorkspaceFile;
  readonly preview: () => string;
}

/**
 * A file of the workspace, or a path where one may be created: its location, its protection, and its content as last
 * read.
 *
 * Nothing is looked up before it is needed, and nothing is held between accesses: each access walks from the root. The
 * first one settles the path; later accesses that would lead to another file fail with a `ConflictError`.
 */
export class WorkspaceFile {
  /** The path as given by the caller: for messages and tags. */
  readonly given: string;
  readonly #access: FileAccess;
  readonly #toChange: boolean;
  readonly #itself: boolean;
  #info: PathInfo | undefined;
  #protection: ResolvedPath['protection'];
  #content: Promise<FileSnapshot | undefined> | undefined;

  constructor(given: string, access: FileAccess, { toChange = false, itself = false }: OpenOptions = {}) {
    this.given = given;
    this.#access = access;
    this.#toChange = toChange;
    this.#itself = itself;
  }

  /**
   * Path relative to the root, with links resolved: the same for every spelling of the same file. Approval rules are
   * compared with it.
   *
   * @throws PathError when the path leads out of the root; FileError when it cannot be followed
   */
  get path(): string {
    return this.info.path;
  }

  /** The kind of the path as of the last access: file, folder, special or missing, and whether it is a secret. */
  get info(): PathInfo {
    if (this.#info === undefined) this.resolve()[Symbol.dispose]();
    return this.#info!;
  }

  /** @throws ProtectedFileError for files that no tool may write */
  checkWritable(): void {
    using resolved = this.resolve();
    refuseProtected(resolved);
  }

  /**
   * Returns the content as last read, up to 64 MB, and its digest, on which a change is planned. It is read now if it
   * was not read yet. Returns undefined when the file does not exist.
   *
   * @throws FileError when it is a folder or not a regular file; ProtectedFileError for a secret
   */
  read(): Promise<FileSnapshot | undefined> {
    return this.#load((resolved) => this.#guard(resolved));
  }

  /**
   * Reads the whole text file.
   *
   * @throws FileNotFoundError when it does not exist; BinaryFileError when it is binary; FileError when it is not UTF-8
   *   or larger than 64 MB; ProtectedFileError for a secret, unless `secrets`
   */
  async readText({ secrets, forCode }: ReadOptions = {}): Promise<TextFile> {
    const snapshot = await this.#load((file) => {
      this.#guard(file, secrets);
      if (file.stats?.isFile() === true && file.stats.size > LARGEST_WHOLE)
        throw createTooLargeError(this.given, file.stats.size);
    });
    if (snapshot === undefined) throw createMissingError(this, this.#access.root);
    return decodeFile(snapshot, this.given, forCode);
  }

  /**
   * Plans to write content to the file, creating it and its folders if they do not exist.
   *
   * @throws ProtectedFileError for files that no tool may write; FileError for a folder, or for a lone surrogate
   */
  async planWrite(content: string, details: ChangeDetails = {}): Promise<PlannedChange<WrittenFile>> {
    const change = await WorkspaceFile.planGroup([{ ...details, file: this, content }], this.#access);
    return change.map(([written]) => written!);
  }

  /**
   * Plans to remove the file.
   *
   * @throws FileNotFoundError when it does not exist; ProtectedFileError as for writing
   */
  async planRemove(details: ChangeDetails = {}): Promise<PlannedChange<undefined>> {
    const change = await WorkspaceFile.planGroup([{ ...details, file: this, content: null }], this.#access);
    return change.map(() => undefined);
  }

  /**
   * Plans to move files to other paths, which must not exist: all are moved or none, and one undo reverts the move.
   *
   * @throws FileNotFoundError when a file does not exist; FileError when it is larger than 64 MB, or when the other path
   *   exists; ProtectedFileError for files that no tool may write
   */
  static async planMoves(
    pairs: readonly (readonly [from: WorkspaceFile, to: WorkspaceFile])[],
    access: FileAccess,
  ): Promise<PlannedChange<readonly WrittenFile[]>> {
    const steps: PlannedStep[] = [];
    for (const [from, to] of pairs) steps.push(...(await from.#planMove(to)));
    const change = WorkspaceFile.#join(steps, access);
    return change.map((written) => written.filter((one) => one !== undefined));
  }

  async #planMove(to: WorkspaceFile): Promise<readonly PlannedStep[]> {
    const removal = await this.#planStep({ action: 'move', file: this, content: null });
    const { content, mode, size } = removal.plannedOn!;
    if (content === undefined) throw createTooLargeError(this.given, size);
    if ((await to.#load(refuseProtected)) !== undefined) {
      const name = formatPath(to.given);
      throw new FileError(`${name} already exists. Delete it first, or choose another name.`, [`<R:${name}>`]);
    }
    const what = getEntryType(mode) === LINK ? ` (the link to ${formatPath(decodeText(content) ?? '')})` : '';
    const preview = () => `${formatPath(this.path)}${what} -> ${formatPath(to.path)}`;
    return [
      { action: 'move', file: to, plannedOn: null, content, mode, preview },
      { ...removal, preview: () => '' },
    ];
  }

  /** Plans changes of several files as one: all are made or none, and one undo reverts them. */
  static async planGroup(
    drafts: readonly FileDraft[],
    access: FileAccess,
  ): Promise<PlannedChange<readonly (WrittenFile | undefined)[]>> {
    return WorkspaceFile.#join(await WorkspaceFile.#planSteps(drafts), access);
  }

  static async #planSteps(drafts: readonly FileDraft[]): Promise<readonly PlannedStep[]> {
    const steps: PlannedStep[] = [];
    for (const draft of drafts) steps.push(await draft.file.#planStep(draft));
    return steps;
  }

  /** Plans changes of several files, of which the caller of `apply` selects those to make. */
  static async planParts(drafts: readonly FileDraft[], access: FileAccess): Promise<ChangeOfParts> {
    const steps = await WorkspaceFile.#planSteps(drafts);
    const files = steps.map((step) => ({
      path: step.file.path,
      preview: joinPreviews([step.preview(), '']),
      texts: describeTexts(step),
    }));
    const select = (only?: ReadonlySet<string>) => steps.filter(({ file }) => only?.has(file.path) ?? true);
    return { files, apply: (context, only) => WorkspaceFile.#join(select(only), access).apply(context) };
  }

  static #join(steps: readonly PlannedStep[], { changes }: FileAccess) {
    return new PlannedChange({
      touches: steps.map(({ file }) => ({ path: file.path })),
      preview: () => joinPreviews(steps.map(({ preview }) => preview())),
      texts: () => steps.flatMap(describeTexts),
      apply: async (context) => {
        try {
          return await changes.apply(steps, context);
        } finally {
          // The file was changed by this or by another program: a new plan has to read it again.
          for (const { file } of steps) file.#content = undefined;
        }
      },
    });
  }

  async #planStep({ content, ...details }: FileDraft): Promise<PlannedStep> {
    const before = await this.#load(refuseProtected);
    // What changes is the file that a link leads to.
    const { path } = this;
    if (!this.#toChange) {
      using resolved = this.resolve();
      await this.#refuseUnsaved(resolved);
    }
    if (details.expected !== undefined && details.expected !== (before?.hash ?? null)) throw createConflict(this);
    if (content instanceof Uint8Array) {
      const old = before && { before: before.content ?? new Uint8Array(before.size) };
      const type = getEntryType(details.mode);
      const note = before === undefined && type === 0 && hasExecutableBit(details.mode) ? renderExecutable(path) : '';
      const preview = () => renderFileChange({ path, ...old, after: content, type }) + note;
      return { ...details, plannedOn: before ?? null, content, preview };
    }
    if (content !== null) {
      const isProgram = before === undefined && startsAsProgram(content);
      const mode = isProgram ? { mode: 0o777 & ~process.umask() } : {};
      const note = isProgram ? renderExecutable(path) : '';
      const preview = () => renderTextChange({ path, before, after: content }) + note;
      return { ...details, ...mode, plannedOn: before ?? null, content: encodeText(content, this.given), preview };
    }
    if (before === undefined) throw createMissingError(this, this.#access.root);
    const type = getEntryType(before.mode);
    const preview = () => renderFileChange({ path, before: before.content ?? new Uint8Array(before.size), type });
    return { ...details, plannedOn: before, content, preview };
  }

  /**
   * Resolves the path, walking from the root; the caller disposes of the result.
   *
   * @throws ConflictError when the path leads to another file than before
   */
  resolve(): ResolvedPath {
    const resolved = resolveGivenPath(this.given, this.#access.root, { itself: this.#itself });
    const known = this.#info?.path ?? resolved.path;
    if (resolved.path === known) {
      this.#info = describePath(resolved);
      this.#protection = resolved.protection;
      return resolved;
    }
    resolved[Symbol.dispose]();
    const name = formatPath(this.given);
    const fact = `${name} leads to ${formatPath(resolved.path)} now, and led to ${formatPath(known)} before.`;
    throw new ConflictError(`${fact} Nothing was changed. Read it again, then change it.`, [`<R:${name}>`]);
  }

  /** Resolves a path that must exist: fails with a `FileNotFoundError` that names the nearest sibling otherwise. */
  resolveExisting(): ExistingPath {
    const resolved = this.resolve();
    if (isExisting(resolved)) return resolved;
    resolved[Symbol.dispose]();
    throw createMissingError(resolved, this.#access.root);
  }

  /** Reads the content unless it was read already. The walk is synchronous: the path is known when this returns. */
  async #load(guard: (file: GuardedPath) => void): Promise<FileSnapshot | undefined> {
    if (this.#content !== undefined) {
      guard({ given: this.given, protection: this.#protection });
      return this.#content;
    }
    using resolved = this.resolve();
    guard(resolved);
    this.#content = this.#readSaved(resolved);
    try {
      return await this.#content;
    } catch (error) {
      this.#content = undefined;
      throw error;
    }
  }

  /**
   * Reads the content on disk. A change is planned on it, so an editor must not have unsaved changes that would be
   * lost.
   */
  async #readSaved(resolved: ResolvedPath): Promise<FileSnapshot | undefined> {
    const snapshot = await (this.#itself ? readEntrySnapshot : readFileSnapshot)(resolved, LARGEST_WHOLE);
    if (this.#toChange) await this.#refuseUnsaved(resolved);
    return snapshot;
  }

  async #refuseUnsaved(resolved: ResolvedPath): Promise<void> {
    if ((await readUnsavedText(resolved, this.#access.root)) === undefined) return;
    const name = formatPath(this.given);
    const fact = `${name} has changes in the editor that are not saved. Nothing was changed.`;
    throw new ConflictError(`${fact} Tell the user to save it, then read it again.`, [`<R:${name}>`]);
  }

  #guard(file: GuardedPath, secrets?: boolean): void {
    if (this.#toChange) refuseProtected(file);
    refuseSecret(file, secrets);
  }
}

/** Tests for a text that names the program which runs it: a new file with such a text is made executable. */
export function startsAsProgram(text: string): boolean {
  return text.startsWith('#!');
}

function hasExecutableBit(mode = 0): boolean {
  return (mode & 0o111) !== 0;
}

function renderExecutable(path: string): string {
  return `${formatPath(path)}: executable\n`;
}

/** Returns the texts before and after a step; nothing when one of them is not text. */
function describeTexts({ file, plannedOn, content, mode }: PlannedStep) {
  if (getEntryType(content === null ? plannedOn?.mode : mode) !== 0) return [];
  const before = toText(plannedOn === null ? null : plannedOn?.content);
  const after = toText(content);
  return before === undefined || after === undefined ? [] : [{ path: file.path, before, after }];
}

function toText(bytes: Uint8Array | null | undefined): string | null | undefined {
  return bytes === null || bytes === undefined ? bytes : decodeText(bytes);
}

function isExisting(resolved: ResolvedPath): resolved is ExistingPath {
  return resolved.stats !== undefined;
}

/** Joins previews: diffs end with a line feed, descriptions in words do not. */
function joinPreviews(previews: readonly string[]): string {
  if (previews.length === 1) return previews[0]!;
  return previews.map((preview) => (preview === '' || preview.endsWith('\n') ? preview : `${preview}\n`)).join('');
}
