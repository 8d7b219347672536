import { randomBytes, randomUUID } from 'node:crypto';
import { EditError } from '../errors.ts';
import { digestOf, type FileDigest } from '../file/file-digest.ts';
import { type FileSnapshot, readSnapshot } from '../file/open-file.ts';
import { PathQueue } from '../file/path-queue.ts';
import type { ChangeContext } from '../file/planned-change.ts';
import { DiskStore, thisProcess } from './disk-store.ts';
import type { FileVersion, Operation } from './journal-record.ts';
import { Journal, JOURNAL_BOUNDS, type JournalBounds, MemoryStore } from './journal.ts';
import { Undo, type UndoPorts } from './undo.ts';
import { refuseProtected } from '../path/path-protection.ts';
import type { Held } from '../path/pinned-path.ts';
import type { Place } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { changedMeanwhile, removeEmptyFolders, removeFile, replaceFile } from '../write/change-file.ts';
import { removeLeftovers } from '../write/write-atomically.ts';

/** What becomes of one file. */
export interface FileStep {
  readonly file: {
    /** Below the root, without links. */
    readonly path: string;
    /** Walks to the file again, which must lead to the same path. */
    locate(): Place;
  };
  /** SHA-256 that the content has to have until the very moment of the change, null for nothing, undefined for any. */
  readonly expected: string | null | undefined;
  /** Null to remove the file. */
  readonly content: Uint8Array | null;
  /** Permission bits of a file that is new. Default: what the process gives. */
  readonly mode?: number | undefined;
  /** What is done, as a noun. Default: `write` or `remove`. */
  readonly action?: string | undefined;
  /** Lines that are replaced, and lines that take their place. Default: all of them. */
  readonly lines?: readonly [before: number, after: number] | undefined;
  /** True to replace also a read-only file. */
  readonly force?: boolean | undefined;
}

/** A file as it was written. */
export interface WrittenFile extends FileDigest {
  /** False when the content it replaced was too large for the journal. */
  readonly undoable: boolean;
}

interface StepContext extends ChangeContext {
  /** The same for files that are changed together, each once: an undo takes them back as one change, or none. */
  readonly group?: string | undefined;
}

/** Changes files, and writes down before and after it how to undo that. */
export class JournaledFiles {
  readonly #root: RootFolder;
  readonly #journal: Journal;
  readonly #undo: Undo;
  /** One change of a file at a time, so that the journal says what came after what. */
  readonly #queue: PathQueue;
  readonly #cleaned = new Set<string>();
  #settled: Promise<void> | undefined;

  constructor({ root, journal, queue }: UndoPorts, undo: Undo) {
    this.#root = root;
    this.#journal = journal;
    this.#queue = queue;
    this.#undo = undo;
  }

  /**
   * Makes all steps or none; several are one change for undo.
   *
   * @returns what was written, in the order of the steps; undefined for what was removed
   * @throws ConflictError when a file is not as expected, or its path leads elsewhere; EditError when what was
   *   changed by then cannot be taken back
   */
  async apply(steps: readonly FileStep[], context: StepContext): Promise<readonly (WrittenFile | undefined)[]> {
    // What was interrupted by a kill is told from the files, which are about to change.
    await (this.#settled ??= this.#undo.settle());
    const group = steps.length > 1 ? randomUUID() : undefined;
    return this.#queue.runAll(
      steps.map(({ file }) => file.path),
      async () => {
        const done: Operation[] = [];
        const written: (WrittenFile | undefined)[] = [];
        try {
          for (const step of steps) {
            context.signal?.throwIfAborted();
            const after = step.content === null ? undefined : digestOf(step.content);
            const operation = await this.#change(step, after, { group, ...context });
            done.push(operation);
            written.push(after && { ...after, undoable: operation.kept });
          }
          return written;
        } catch (error) {
          await this.#takeBack(done);
          throw error;
        }
      },
    );
  }

  /** Removes from a folder what a killed process may have left there, once for every folder. */
  async clean(folder: Held, path: string): Promise<void> {
    if (this.#cleaned.has(path)) return;
    this.#cleaned.add(path);
    await removeLeftovers(folder);
  }

  async #change(step: FileStep, after: FileDigest | undefined, context: StepContext): Promise<Operation> {
    using place = step.file.locate();
    refuseProtected(place);
    await this.clean(place.folder, parentOf(place.path));
    const before = await readSnapshot(place, this.#journal.largest);
    const old = before?.hash ?? null;
    if (step.expected !== undefined && step.expected !== old) throw changedMeanwhile(place);
    // Somebody else was faster to remove it.
    if (before === undefined && after === undefined) throw changedMeanwhile(place);
    const operation = await this.#start(place, step, { before, after, context });
    try {
      if (step.content === null) await removeFile(place, old);
      else await replaceFile(place, { content: step.content, expected: old, mode: step.mode, force: step.force });
    } catch (error) {
      await this.#clearUp(operation, step);
      throw error;
    }
    await this.#journal.end(operation.id, true);
    return operation;
  }

  #start(place: Place, { action, content, lines }: FileStep, { before, after, context }: Versions): Promise<Operation> {
    const draft = {
      session: context.session?.id ?? '',
      action: action ?? (content === null ? 'remove' : 'write'),
      path: place.path,
      ...(before !== undefined && { before: versionOf(before) }),
      ...(after !== undefined && { after: { hash: after.hash, size: after.size, lines: after.lines } }),
      lines: lines ?? ([before?.lines ?? 0, after?.lines ?? 0] as const),
      folders: foldersToCreate(place),
      ...(context.group !== undefined && { group: context.group }),
      kept: before === undefined || before.content !== undefined,
    };
    return this.#journal.start(draft, before?.content);
  }

  /** After an error the old content is there, unless it came at the very last step. */
  async #clearUp({ id, folders, after }: Operation, { file }: FileStep): Promise<void> {
    const now = await hashOf(file);
    const happened = now === (after?.hash ?? null);
    if (!happened) await removeEmptyFolders(folders, this.#root);
    await this.#journal.end(id, happened);
  }

  /** @throws EditError when something else stands in the way of that */
  async #takeBack(done: readonly Operation[]): Promise<void> {
    try {
      for (const operation of done.toReversed()) await this.#undo.revert(operation);
    } catch (error) {
      const { message } = error as Error;
      throw new EditError(
        `not all files could be written, and those that were are left: ${message}`,
        ['<undo:>'],
        error,
      );
    }
  }
}

interface Versions {
  readonly before: FileSnapshot | undefined;
  readonly after: FileDigest | undefined;
  readonly context: StepContext;
}

function versionOf({ hash, size, lines, mode }: FileSnapshot): FileVersion {
  return { hash, size, lines, mode };
}

async function hashOf(file: FileStep['file']): Promise<string | null | undefined> {
  try {
    using place = file.locate();
    return (await readSnapshot(place, 0))?.hash ?? null;
  } catch {
    return undefined;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** The folders above a file that are not there, outermost first. */
function foldersToCreate({ path, absent }: Place): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  const first = parts.length - absent.length;
  return absent.map((_, index) => parts.slice(0, first + index + 1).join('/'));
}

/** Where a journal is kept: as long as the process lives, or in the folder `.bae/journal` of the workspace. */
export type JournalKind = 'memory' | 'disk';

/** Everything that a journal makes possible. */
export interface OpenJournal {
  readonly files: JournaledFiles;
  readonly undo: Undo;
  readonly ports: UndoPorts;
}

/** Begins a journal of what is done to files from now on. Nothing is written before something is done. */
export function openJournal(root: RootFolder, kind: JournalKind, bounds: JournalBounds = JOURNAL_BOUNDS): OpenJournal {
  const name = journalName();
  const store = kind === 'disk' ? new DiskStore(root, name) : new MemoryStore();
  const journal = new Journal(name, store, { bounds, writer: thisProcess() });
  const ports = { root, journal, queue: new PathQueue() };
  const undo = new Undo(ports);
  return { files: new JournaledFiles(ports, undo), undo, ports };
}

/** Names sort by the time they were given: `20261120T101500123Z-1f2e3d4c`. */
function journalName(): string {
  return `${new Date().toISOString().replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}`;
}
