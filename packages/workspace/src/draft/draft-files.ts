import {
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { tmpdir, userInfo } from 'node:os';
import { FileError } from '../errors.ts';
import { computeFileDigest, readFileSnapshot, FOLDER, getEntryType, type FileSnapshot } from '../file/file-content.ts';
import type { ChangeDetails, FileStep, WrittenFile } from '../file/planned-change.ts';
import { refuseProtected } from '../path/path-protection.ts';
import type { ResolvedPath } from '../path/resolve-path.ts';
import { isWithin, pinPath, type PinnedPath } from '../path/pinned-path.ts';
import { appendPath, type FilesView, type FolderEntry } from '../path/root-folder.ts';
import { formatPath } from '../path/show-path.ts';
import { createConflict } from '../write/change-file.ts';
import { refuseReadOnly, isRunning } from '../write/write-atomically.ts';

export interface DraftedFile extends ChangeDetails {
  readonly path: string;
  /** The new content; null when the file is removed. */
  readonly content: Uint8Array | null;
  readonly mode: number | undefined;
}

interface Entry {
  /** SHA-256 of the file on disk when the draft first changed it; null if there was no file. */
  readonly base: string | null;
  /** Path of the content outside of the workspace; null when the file is removed. */
  readonly copy: string | null;
  readonly hash: string | null;
  readonly mode: number | undefined;
  readonly details: ChangeDetails;
}

/**
 * Changed files of a workspace that are not written yet. Their contents are stored in a private folder outside of the
 * workspace, so that they are read in the same way as other files.
 */
export class DraftFiles implements FilesView {
  isOpen = true;
  readonly #entries = new Map<string, Entry>();
  readonly #removedFolders = new Set<string>();
  #folder: string | undefined;
  #copies = 0;

  /** Folders that have become empty, outermost first. */
  get removedFolders(): readonly string[] {
    return [...this.#removedFolders].toSorted((a, b) => a.length - b.length);
  }

  find(path: string, onDisk: PinnedPath | undefined): PinnedPath | undefined {
    const entry = this.#entries.get(path);
    if (entry !== undefined) return entry.copy === null ? undefined : pinPath(entry.copy);
    const hasFiles = [...this.#entries].some(([file, { copy }]) => copy !== null && file.startsWith(`${path}/`));
    if (hasFiles) return onDisk?.stats.isDirectory() === true ? onDisk : pinPath(this.#emptyFolder());
    return [...this.#removedFolders].some((folder) => isWithin(path, folder)) ? undefined : onDisk;
  }

  list(folder: string, entries: readonly FolderEntry[]): readonly FolderEntry[] {
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    const prefix = appendPath(folder, '');
    for (const removed of this.#removedFolders) {
      const name = removed.startsWith(prefix) ? removed.slice(prefix.length) : '';
      if (!name.includes('/')) byName.delete(name);
    }
    for (const [path, { copy }] of this.#entries) {
      if (!path.startsWith(prefix)) continue;
      const [name = '', ...below] = path.slice(prefix.length).split('/');
      if (copy !== null) byName.set(name, new DraftedEntry(name, below.length > 0));
      else if (below.length === 0) byName.delete(name);
    }
    return [...byName.values()];
  }

  stampOf(path: string): string | undefined {
    const entry = this.#entries.get(path);
    return entry && (entry.hash === null ? '' : `draft:${entry.hash}`);
  }

  /** Applies all steps to the draft or none, and refuses steps that the disk would refuse. */
  async apply(steps: readonly FileStep[]): Promise<readonly (WrittenFile | undefined)[]> {
    const checked: { readonly step: FileStep; readonly path: string; readonly before: FileSnapshot | undefined }[] = [];
    for (const step of steps) {
      using file = step.file.resolve();
      checked.push({ step, path: file.path, before: await checkStep(file, step) });
    }
    return checked.map(({ step, path, before }) => {
      if (getEntryType(step.plannedOn?.mode) !== FOLDER) return this.#set(path, step, before);
      this.removeFolder(path);
      return undefined;
    });
  }

  #set(path: string, step: FileStep, before: FileSnapshot | undefined): WrittenFile | undefined {
    const { content, action, lines, force, mode = before?.mode } = step;
    const known = this.#entries.get(path);
    const written = content === null ? undefined : computeFileDigest(content);
    this.#entries.set(path, {
      base: known === undefined ? (before?.hash ?? null) : known.base,
      copy: content === null ? null : this.#keep(content, mode),
      hash: written?.hash ?? null,
      mode,
      // The combined effect of several steps on one file has no name.
      details: known === undefined ? { action, lines, force } : { force: force === true || known.details.force },
    });
    return written && { ...written, undoable: true };
  }

  removeFolder(path: string): void {
    this.#removedFolders.add(path);
  }

  /** Lists the changed files by path. */
  changed(): readonly DraftedFile[] {
    const changed = [...this.#entries].filter(([, { base, hash }]) => base !== hash);
    return changed
      .map(([path, { base, copy, mode, details }]) => {
        return { ...details, path, expected: base, mode, content: copy === null ? null : readFileSync(copy) };
      })
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  close(): void {
    this.isOpen = false;
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #keep(content: Uint8Array, mode = 0o600): string {
    this.#copies++;
    const copy = join(this.#ownFolder(), String(this.#copies));
    // The owner can always read the copy, regardless of the mode of the file.
    writeFileSync(copy, content, { mode: mode | 0o600, flag: 'wx' });
    return copy;
  }

  #emptyFolder(): string {
    const folder = join(this.#ownFolder(), 'empty');
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  #ownFolder(): string {
    return (this.#folder ??= makeDraftFolder());
  }
}

class DraftedEntry implements FolderEntry {
  readonly name: string;
  readonly #isFolder: boolean;

  constructor(name: string, isFolder: boolean) {
    this.name = name;
    this.#isFolder = isFolder;
  }

  isSymbolicLink(): boolean {
    return false;
  }

  isFile(): boolean {
    return !this.#isFolder;
  }

  isDirectory(): boolean {
    return this.#isFolder;
  }
}

/** Maximum number of bytes that are read to compare a file; the digest covers the whole file. */
const NONE = 0;

/** Returns the file before a step. @throws the error that the step would throw on disk */
async function checkStep(file: ResolvedPath, step: FileStep): Promise<FileSnapshot | undefined> {
  const { expected, plannedOn, content, force } = step;
  refuseProtected(file);
  const type = getEntryType(content === null ? plannedOn?.mode : step.mode);
  if (type === FOLDER && content === null) return undefined;
  if (type !== 0) throw createEntryError(file, type);
  const before = await readFileSnapshot(file, NONE);
  const hash = before?.hash ?? null;
  const isExpected = expected === undefined || expected === hash;
  const isPlannedOn = plannedOn === undefined || (plannedOn?.hash ?? null) === hash;
  if (!isExpected || !isPlannedOn || (before === undefined && content === null)) throw createConflict(file);
  if (content === null) return before;
  refuseReadOnly(file, force);
  const [first] = file.missingFolders;
  using inTheWay = first === undefined ? undefined : file.folder.child(first);
  if (inTheWay !== undefined && !inTheWay.stats.isDirectory()) {
    const name = formatPath(file.given);
    throw new FileError(`${name} cannot be written: a part of its path is not a folder.`, [`<R:${name}>`]);
  }
  return before;
}

function createEntryError({ given }: ResolvedPath, type: number): FileError {
  const name = formatPath(given);
  const what = type === FOLDER ? 'an empty folder' : 'a link';
  const fact = `${name} is ${what}, which a block neither moves nor deletes. Nothing was changed.`;
  return new FileError(`${fact} Do it with a tag of its own, outside of the block.`, [`<R:${name}>`]);
}

const NAME = /^bae-draft-(\d+)-(\d+)-\w{6}$/;

/**
 * Makes a private folder for a draft. Its name identifies the process, so that it can be removed once the process has
 * ended.
 */
export function makeDraftFolder(): string {
  return mkdtempSync(join(tmpdir(), `bae-draft-${getPidNamespace()}-${process.pid}-`));
}

/** Removes from the temporary folder this user's draft folders whose processes were killed. */
export function removeAbandonedDrafts(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, namespace, pid] = NAME.exec(name) ?? [];
    // A process id is meaningless in a container with its own PID namespace.
    if (pid === undefined || namespace !== getPidNamespace() || isRunning(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    const isOurs = found?.isDirectory() === true && [-1, found.uid].includes(userInfo().uid);
    if (isOurs) rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the number of the PID namespace of this process; 0 if the system has only one. */
function getPidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}
