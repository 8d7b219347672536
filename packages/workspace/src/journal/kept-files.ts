import { randomUUID } from 'node:crypto';
import { closeSync, readSync, writeSync, type Stats } from 'node:fs';
import { DigestBuilder, readFileSnapshot } from '../file/file-content.ts';
import { isUnsettled, readNumber, readState, type StampFinder } from '../list/folder-cache.ts';
import { resolveWithoutLinks } from '../path/resolve-path.ts';
import { parentsOf } from '../path/root-folder.ts';
import { showSize } from '../path/show-path.ts';
import { BY_COMMAND, toVersion, type FileVersion, type Operation } from './journal-record.ts';
import type { DoneOperation, JournalBounds, JournalMark, KnownOperation } from './journal.ts';
import type { UndoPorts } from './undo.ts';

/** The files that a search finds; ignored ones and folders such as node_modules are not among them. */
export const ALL_FILES = '**/*';

/** Time by which the clock of a disk may be behind, in milliseconds. */
const TICK_MS = 10;

/** A file as it was when it was kept. */
export interface KeptFile extends PackedContent {
  readonly stamp: string;
  readonly mode: number;
}

/** The files of a workspace before a program runs, by path. */
export interface WorkspaceSnapshot {
  readonly since: JournalMark;
  readonly stamps: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
  readonly kept: ReadonlyMap<string, KeptFile>;
  /** Why files are not kept, as clauses. */
  readonly unkept: ReadonlyMap<string, string>;
}

/** A file that was changed while a program ran. */
export interface ProgramChange {
  readonly path: string;
  /** True if it was removed. */
  readonly isGone: boolean;
  /** Why the change cannot be undone, as a clause; absent if it can. */
  readonly obstacle?: string;
}

interface Comparison extends ProgramChange {
  readonly versions?: Pick<Operation, 'before' | 'after'>;
}

/** Says that a content has no room among those that are kept, as a clause. */
export function describeTooMuch(size: number, { kept }: JournalBounds): string {
  return `it has ${showSize(size)}, and at most ${showSize(kept)} are kept in all`;
}

/** Files that were kept before a program ran. */
export class KeptFiles {
  readonly #before: WorkspaceSnapshot;
  readonly #ports: UndoPorts & { readonly finder: StampFinder };
  /** Numbers of the kept files on the disk. */
  #numbers: ReadonlySet<string | undefined> | undefined;
  #stampsAfter: ReadonlyMap<string, string> | undefined;

  constructor(before: WorkspaceSnapshot, ports: UndoPorts & { readonly finder: StampFinder }) {
    this.#before = before;
    this.#ports = ports;
  }

  /** All files before the program ran, kept or not, each with a stamp as `WorkspaceRoot.stamps` returns it. */
  get stamps(): ReadonlyMap<string, string> {
    return this.#before.stamps;
  }

  /** All files as they were when their changes were recorded; undefined before that. */
  get stampsAfter(): ReadonlyMap<string, string> | undefined {
    return this.#stampsAfter;
  }

  /**
   * Records in the journal what has changed since, as one change of a session, and lists the changed files. What tools
   * have changed meanwhile is recorded already, and is left out. A change that could not be recorded has an obstacle.
   *
   * @throws FileError when the workspace does not exist any more
   */
  record(session: string): Promise<readonly ProgramChange[]> {
    return this.#ports.root.inDraft(undefined, () => this.#record(session));
  }

  async #record(session: string): Promise<readonly ProgramChange[]> {
    const { finder, queue, journal } = this.#ports;
    const { stamps } = this.#before;
    const now = await finder.find({ pattern: ALL_FILES });
    this.#stampsAfter = now;
    const isDifferent = (path: string): boolean => readState(stamps.get(path)) !== readState(now.get(path));
    const all = [...new Set([...stamps.keys(), ...now.keys()])].toSorted();
    const different = all.filter(isDifferent);
    const listAll = (obstacle: string) => different.map((path) => ({ path, isGone: !now.has(path), obstacle }));
    const { operations: most } = journal.bounds;
    if (different.length > most) return listAll(`more than ${most} files were changed at once`);
    const paths = all.filter((path) => isDifferent(path) || this.#isRecent(path));
    return queue.runAll(paths, async () => {
      const changes: Comparison[] = [];
      try {
        await this.#compareAll(paths, changes);
        await journal.record(this.#makeOperations(changes, session));
        return changes.map(({ versions: _versions, ...change }) => change);
      } catch (error) {
        return listAll(`the journal cannot be written: ${(error as Error).message}`);
      }
    });
  }

  /** Tests whether a kept file was changed so recently that the clock of the disk may not show a later change. */
  #isRecent(path: string): boolean {
    return this.#before.kept.has(path) && isUnsettled(this.#before.stamps.get(path));
  }

  async #compareAll(paths: readonly string[], changes: Comparison[]): Promise<void> {
    const history = paths.length === 0 ? [] : await this.#ports.journal.history();
    const others = Map.groupBy(history, ({ operation }) => operation.path);
    let room = this.#ports.journal.bounds.kept;
    for (const path of paths) {
      const change = await this.#compare(path, others.get(path) ?? [], room);
      room -= change?.versions?.after?.size ?? 0;
      if (change !== undefined) changes.push(change);
    }
  }

  /** Compares a file with what was kept of it; undefined if the program did not change it. */
  async #compare(path: string, others: readonly KnownOperation[], room: number): Promise<Comparison | undefined> {
    using found = resolveWithoutLinks(path, this.#ports.root);
    if (found === undefined) return { path, isGone: false, obstacle: 'a link has taken its place' };
    const { stats, protection } = found;
    const isGone = stats === undefined;
    const obstacle =
      this.#before.unkept.get(path) ??
      (protection && `it ${protection.is}`) ??
      (isGone || stats.isFile() ? undefined : 'something else has taken its place') ??
      (!isGone && stats.size > room ? describeTooMuch(stats.size, this.#ports.journal.bounds) : undefined);
    if (obstacle !== undefined) return { path, isGone, obstacle };
    if (stats !== undefined && this.#wasElsewhere(path, stats))
      return { path, isGone, obstacle: 'it was there before, ignored or under another name' };
    const after = toVersion(await readFileSnapshot(found, 0));
    const before = this.#readBefore(path);
    if (before?.hash === after?.hash && before?.mode === after?.mode) return undefined;
    const recent = others.filter(({ operation }) => this.#ports.journal.isSince(operation, this.#before.since));
    if (recent.some(({ fate, operation }) => fate !== 'failed' && operation.after?.hash === after?.hash))
      return undefined;
    if (others.some((other) => isUndone(other, before, after))) return undefined;
    if (recent.length > 0) return { path, isGone, obstacle: 'a tool has changed it meanwhile, too' };
    return { path, isGone, versions: { ...(before && { before }), ...(after && { after }) } };
  }

  /**
   * Tests whether a file is an older one that was not kept, such as an ignored or protected file that was moved: an undo
   * would remove the only copy of it.
   */
  #wasElsewhere(path: string, { ino, birthtimeMs, mtimeMs }: Stats): boolean {
    const { stamps, kept, since } = this.#before;
    if (readNumber(stamps.get(path)) === String(ino)) return false;
    // Some file systems do not tell when a file was made.
    if ((birthtimeMs || mtimeMs) >= Date.parse(since.time) - TICK_MS) return false;
    this.#numbers ??= new Set([...kept.values()].map(({ stamp }) => readNumber(stamp)));
    return !this.#numbers.has(String(ino));
  }

  #readBefore(path: string): FileVersion | undefined {
    const file = this.#before.kept.get(path);
    if (file === undefined) return undefined;
    const digest = new DigestBuilder();
    for (const chunk of file.pack.read(file)) digest.add(chunk);
    return toVersion({ ...digest.finish(), mode: file.mode });
  }

  #makeOperations(changes: readonly Comparison[], session: string): readonly DoneOperation[] {
    // The undo begins at the end: a new file may be where a folder was.
    const done = [true, false].flatMap((existed) =>
      changes.filter(({ versions }) => versions !== undefined && (versions.before !== undefined) === existed),
    );
    const unkept = changes.flatMap(({ path, obstacle }) => (obstacle === undefined ? [] : [path]));
    const group = randomUUID();
    return done.map(({ path, versions: { before, after } = {} }, index) => {
      const file = this.#before.kept.get(path);
      return {
        draft: {
          session,
          action: BY_COMMAND,
          path,
          ...(before && { before }),
          ...(after && { after }),
          lines: [before?.lines ?? 0, after?.lines ?? 0],
          folders: before === undefined ? this.#findNewFolders(path) : [],
          group,
          kept: true,
          ...(index === 0 && unkept.length > 0 && { unkept }),
        },
        ...(file && { readBefore: () => file.pack.read(file) }),
      };
    });
  }

  /** Finds the folders above a file that did not exist before, outermost first. */
  #findNewFolders(path: string): readonly string[] {
    return parentsOf(path).filter((folder) => !this.#before.folders.has(folder));
  }
}

/** Tests whether the undo of an operation made the difference between two versions. */
function isUndone(
  { operation, fate }: KnownOperation,
  before: FileVersion | undefined,
  after: FileVersion | undefined,
): boolean {
  return fate === 'undone' && operation.before?.hash === after?.hash && operation.after?.hash === before?.hash;
}

/** Closes the files of packs that are no longer referenced. */
const abandoned = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor));

/** Size of the parts in which a content is read, in bytes. */
const CHUNK = 256 * 1024;

interface PackedContent {
  readonly pack: ContentPack;
  readonly offset: number;
  readonly size: number;
}

/**
 * Contents of many files one after the other in one file: creating and removing a copy of each takes ten times as long.
 * The file is closed, and its room on the disk free, once nothing refers to the pack or its contents.
 */
export class ContentPack {
  readonly #descriptor: number;
  #size = 0;

  /** @param descriptor an empty file, open for reading and writing, which belongs to the pack from then on */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    abandoned.register(this, descriptor);
  }

  /** Total size of the contents, in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Adds a content; one at a time. If it fails, nothing was added. */
  async add(chunks: AsyncIterable<Uint8Array>): Promise<PackedContent> {
    const offset = this.#size;
    let end = offset;
    for await (const chunk of chunks) {
      for (let done = 0; done < chunk.length;)
        done += writeSync(this.#descriptor, chunk, done, chunk.length - done, end + done);
      end += chunk.length;
    }
    this.#size = end;
    return { pack: this, offset, size: end - offset };
  }

  /** Reads a content of this pack, in chunks. */
  *read({ offset, size }: PackedContent): Generator<Uint8Array> {
    for (let done = 0; done < size;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size - done));
      const count = readSync(this.#descriptor, chunk, 0, chunk.length, offset + done);
      if (count === 0) throw new Error('the kept content ends early');
      yield chunk.subarray(0, count);
      done += count;
    }
  }
}
