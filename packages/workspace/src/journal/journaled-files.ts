import { ConflictError } from '@bae/core';
import { randomBytes, randomUUID } from 'node:crypto';
import { EditError } from '../errors.ts';
import {
  type FileDigest,
  type FileSnapshot,
  PERMISSIONS,
  computeFileDigest,
  readEntrySnapshot,
  readFileSnapshot,
  refuseIrregular,
  getEntryType,
} from '../file/file-content.ts';
import { PathQueue } from '../write/file-lock.ts';
import { DraftFiles } from '../draft/draft-files.ts';
import type { ChangeContext, FileStep, WrittenFile } from '../file/planned-change.ts';
import { DiskStore, type GetKey, identifyProcess } from './disk-store.ts';
import { FileKeeper } from './file-keeper.ts';
import { type Operation, toVersion } from './journal-record.ts';
import { Journal, type JournalBounds, MemoryStore } from './journal.ts';
import { Undo, type UndoPorts } from './undo.ts';
import { refuseProtected } from '../path/path-protection.ts';
import type { ResolvedPath } from '../path/resolve-path.ts';
import { type PinnedPath } from '../path/pinned-path.ts';
import { type RootFolder, parentsOf, parentOf } from '../path/root-folder.ts';
import { createConflict, removeEmptyFolders, removeFile, replaceFile } from '../write/change-file.ts';
import { removeLeftovers } from '../write/write-atomically.ts';

interface StepContext extends ChangeContext {
  /**
   * Identifier shared by files that are changed together, each once: an undo reverts them as one change, or not at all.
   */
  readonly group?: string | undefined;
}

/** Changes files, and records before and after each change how to undo it. */
export class JournaledFiles {
  readonly #root: RootFolder;
  readonly #journal: Journal;
  readonly #undo: Undo;
  /** Runs one change of a file at a time, so that the journal keeps the order of changes. */
  readonly #queue: PathQueue;
  readonly #cleaned = new Set<string>();
  #settled: Promise<void> | undefined;

  constructor({ root, journal, queue }: UndoPorts, undo: Undo) {
    this.#root = root;
    this.#journal = journal;
    this.#queue = queue;
    this.#undo = undo;
  }

  /** Applies all steps or none; several steps form one change for undo. The result is undefined for removed files. */
  async apply(steps: readonly FileStep[], context: StepContext): Promise<readonly (WrittenFile | undefined)[]> {
    const paths = steps.map(({ file }) => file.path);
    this.#root.refuseUndeclared(paths);
    const { draft } = this.#root;
    if (draft instanceof DraftFiles) return draft.apply(steps);
    await this.settle();
    const group = steps.length > 1 ? randomUUID() : undefined;
    return this.#queue.runAll(paths, async () => {
      const done: Operation[] = [];
      const written: (WrittenFile | undefined)[] = [];
      try {
        for (const step of steps) {
          context.signal?.throwIfAborted();
          const after = step.content === null ? undefined : computeFileDigest(step.content);
          const operation = await this.#change(step, after, { group, ...context });
          done.push(operation);
          written.push(after && { ...after, undoable: operation.kept });
        }
        return written;
      } catch (error) {
        await this.#takeBack(done);
        throw error;
      }
    });
  }

  /** Determines the outcome of interrupted changes, once: it is read from the files, which are about to change. */
  settle(): Promise<void> {
    return (this.#settled ??= this.#undo.settle());
  }

  /** Removes leftover files of a killed process from a folder, once. */
  async clean(folder: PinnedPath, path: string): Promise<void> {
    if (this.#cleaned.has(path)) return;
    this.#cleaned.add(path);
    await removeLeftovers(folder);
  }

  async #change(step: FileStep, after: FileDigest | undefined, context: StepContext): Promise<Operation> {
    using file = step.file.resolve();
    refuseProtected(file);
    await this.clean(file.folder, parentOf(file.path));
    const before = await this.#readBefore(file, step);
    const old = before?.hash ?? null;
    if (step.expected !== undefined && step.expected !== old) throw createConflict(file);
    // Another program has already removed the file.
    if (before === undefined && after === undefined) throw createConflict(file);
    const operation = await this.#start(file, step, { before, after, ...context });
    try {
      if (step.content === null) await removeFile(file, old, before?.mode);
      else await replaceFile(file, old, { content: step.content, mode: step.mode, force: step.force });
    } catch (error) {
      await this.#clearUp(operation, step, error);
      throw error;
    }
    await this.#journal.note({ type: 'end', id: operation.id, happened: true });
    return operation;
  }

  #start(
    file: ResolvedPath,
    { action, content, lines, mode }: FileStep,
    context: StepContext & { before: FileSnapshot | undefined; after: FileDigest | undefined },
  ): Promise<Operation> {
    const { before, after, session, group } = context;
    const above = parentsOf(file.path);
    const draft = {
      session: session?.id ?? '',
      action: action ?? (content === null ? 'remove' : 'write'),
      path: file.path,
      ...(before !== undefined && { before: toVersion(before)! }),
      ...(after !== undefined && {
        after: {
          hash: after.hash,
          size: after.size,
          lines: after.lines,
          ...(mode !== undefined && getEntryType(mode) !== 0 && { mode }),
        },
      }),
      lines: lines ?? ([before?.lines ?? 0, after?.lines ?? 0] as const),
      folders: above.slice(above.length - file.missingFolders.length),
      ...(group !== undefined && { group }),
      kept: before === undefined || before.content !== undefined,
    };
    return this.#journal.start(draft, before?.content);
  }

  /** Reads the old content for the journal. The step that replaces it checks that it is still current. */
  async #readBefore(file: ResolvedPath, { plannedOn }: FileStep): Promise<FileSnapshot | undefined> {
    const { bytes: largest } = this.#journal.bounds;
    if (plannedOn === undefined) return await readFileSnapshot(file, largest);
    if (getEntryType(plannedOn?.mode) !== 0) {
      const now = await readEntrySnapshot(file, largest);
      if (now?.hash !== plannedOn?.hash || now?.mode !== plannedOn?.mode) throw createConflict(file);
      return now;
    }
    if (file.stats !== undefined) refuseIrregular(file.stats, file.given);
    if (file.stats?.size !== plannedOn?.size) throw createConflict(file);
    if (plannedOn === null) return undefined;
    const { content, ...rest } = { ...plannedOn, mode: file.stats!.mode & PERMISSIONS };
    return content === undefined || content.length > largest ? rest : { ...rest, content };
  }

  /** Cleans up after an error: the old content is still there, unless the error occurred in the very last step. */
  async #clearUp({ id, folders, after }: Operation, { file }: FileStep, error: unknown): Promise<void> {
    const happened = !(error instanceof ConflictError) && (await readHash(file)) === (after?.hash ?? null);
    if (!happened) await removeEmptyFolders(folders, this.#root);
    await this.#journal.note({ type: 'end', id, happened });
  }

  async #takeBack(done: readonly Operation[]): Promise<void> {
    try {
      for (const operation of done.toReversed()) await this.#undo.revert(operation);
    } catch (error) {
      const fact = 'not all files could be written, and those that were are left';
      throw new EditError(`${fact}: ${(error as Error).message}`, ['<undo:>'], error);
    }
  }
}

async function readHash(file: FileStep['file']): Promise<string | null | undefined> {
  try {
    using resolved = file.resolve();
    return (await readEntrySnapshot(resolved, 0))?.hash ?? null;
  } catch {
    return undefined;
  }
}

export type JournalKind = 'memory' | 'disk';

const MB = 1024 * 1024;
const BOUNDS: JournalBounds = { operations: 1000, bytes: 64 * MB, kept: 50 * MB };

/** Where a journal is kept, with which proof of its writer, and how much of it. */
export interface JournalOptions {
  readonly kind: JournalKind;
  readonly getKey?: GetKey | undefined;
  readonly bounds?: JournalBounds;
}

/** Opens a journal of file operations. Nothing is written before the first operation. */
export function openJournal(
  root: RootFolder,
  { kind, getKey, bounds = BOUNDS }: JournalOptions,
): { readonly files: JournaledFiles; readonly undo: Undo; readonly keeper: FileKeeper } {
  // Names sort by creation time: `20261120T101500123Z-1f2e3d4c`.
  const name = `${new Date().toISOString().replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}`;
  const store = kind === 'disk' ? new DiskStore(root, name, getKey) : new MemoryStore();
  const journal = new Journal(name, store, { bounds, writer: identifyProcess() });
  const ports = { root, journal, queue: new PathQueue() };
  const undo = new Undo(ports);
  const files = new JournaledFiles(ports, undo);
  return { files, undo, keeper: new FileKeeper(ports, () => files.settle()) };
}
