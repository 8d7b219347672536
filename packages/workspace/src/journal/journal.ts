import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PathQueue } from '../write/file-lock.ts';
import { createTemporaryName, createUnnamedFile } from '../write/write-atomically.ts';
import { getChangeId, parseNumber, type JournalRecord, type Operation, type OperationDraft } from './journal-record.ts';

export interface StoredJournal {
  readonly name: string;
  /** True while the process that writes it is alive. */
  readonly running: boolean;
  readonly records: readonly JournalRecord[];
  /** Its operations that cannot be proven to be the user's; they count for nothing. */
  readonly unproven: readonly Operation[];
}

/**
 * The storage of journals, each with one writer and its own name.
 *
 * Old content, and the record that an operation starts, are on disk when `keep` and `append` return, if the store uses
 * a disk. Other records may get lost in a power failure: the files show the outcome.
 */
export interface JournalStore {
  append(...records: readonly JournalRecord[]): Promise<void>;
  /** Replaces all records of this process's journal. */
  rewrite(records: readonly JournalRecord[]): Promise<void>;
  keep(number: number, content: Uint8Array): Promise<void>;
  /** Keeps old content of a change that has been made already: a power failure may cost it, and so the undo. */
  keepAfterwards(number: number, chunks: Iterable<Uint8Array>): Promise<void>;
  /** Opens a new file without a name, which is removed when it is closed or the process ends; returns its descriptor. */
  openUnnamed(): Promise<number>;
  drop(number: number): Promise<void>;
  /** Returns the old content of an operation of any journal; undefined when it is not kept. */
  content(id: string): Promise<Uint8Array | undefined>;
  /** Lists all journals except this process's, oldest first. */
  others(): Promise<readonly StoredJournal[]>;
}

/** Keeps a journal while the process is alive; the records are those that the journal itself holds. */
export class MemoryStore implements JournalStore {
  readonly #contents = new Map<number, Uint8Array>();
  readonly append = async (): Promise<void> => undefined;
  readonly rewrite = async (): Promise<void> => undefined;
  readonly others = async (): Promise<readonly StoredJournal[]> => [];

  async keep(number: number, content: Uint8Array): Promise<void> {
    this.#contents.set(number, content);
  }

  keepAfterwards(number: number, chunks: Iterable<Uint8Array>): Promise<void> {
    return this.keep(number, Buffer.concat([...chunks]));
  }

  async openUnnamed(): Promise<number> {
    return createUnnamedFile(join(tmpdir(), createTemporaryName()));
  }

  async drop(number: number): Promise<void> {
    this.#contents.delete(number);
  }

  async content(id: string): Promise<Uint8Array | undefined> {
    return this.#contents.get(parseNumber(id));
  }
}

/** The limits of a journal. The oldest changes are forgotten first; operations made together are forgotten together. */
export interface JournalBounds {
  readonly operations: number;
  /** Maximum total size of the old content of all operations, in bytes. */
  readonly bytes: number;
  /** Maximum total size of the contents that are kept before a program runs, in bytes, and of those that it leaves. */
  readonly kept: number;
}

export type Writer = Omit<Extract<JournalRecord, { type: 'journal' }>, 'type'>;

export interface KnownOperation {
  readonly operation: Operation;
  /** Outcome of the operation; `open` when it was not recorded. */
  readonly fate: 'open' | 'happened' | 'failed' | 'undone';
  /** True while the process that made it is alive. */
  readonly running: boolean;
}

/** A moment in the journals: the last operation of this process, and the time in ISO 8601. */
export interface JournalMark {
  readonly number: number;
  readonly time: string;
}

/** An operation that has been made already. */
export interface DoneOperation {
  readonly draft: OperationDraft;
  /** Reads the old content in chunks; absent when there was none. */
  readonly readBefore?: () => Iterable<Uint8Array>;
}

/** Records the operations of one process on files, each before and after it happens. */
export class Journal {
  readonly name: string;
  readonly #store: JournalStore;
  readonly bounds: JournalBounds;
  readonly #writer: Writer;
  #records: JournalRecord[] = [];
  /** The kept operations, oldest first, with number, name of the change, and size of old content in bytes. */
  #kept: { readonly number: number; readonly change: string; readonly size: number }[] = [];
  #last = 0;
  readonly #queue = new PathQueue();

  constructor(name: string, store: JournalStore, { bounds, writer }: { bounds: JournalBounds; writer: Writer }) {
    this.name = name;
    this.#store = store;
    this.bounds = bounds;
    this.#writer = writer;
  }

  /**
   * Records an operation that is about to start, and numbers it.
   *
   * @param before the old content; absent when there was none, or when it is too large
   */
  start(draft: OperationDraft, before: Uint8Array | undefined): Promise<Operation> {
    return this.#queue.run('', async () => {
      const number = ++this.#last;
      const operation = { ...draft, id: `${this.name}/${number}`, time: new Date().toISOString() };
      await this.#begin();
      if (before !== undefined) await this.#store.keep(number, before);
      await this.#append({ type: 'start', operation });
      this.#kept.push({ number, change: getChangeId(operation), size: before?.length ?? 0 });
      await this.#forget();
      return operation;
    });
  }

  /** Records operations that have been made already, as one change. */
  async record(operations: readonly DoneOperation[]): Promise<void> {
    if (operations.length === 0) return;
    await this.#queue.run('', async () => {
      const time = new Date().toISOString();
      const records: JournalRecord[] = [];
      const kept: { number: number; change: string; size: number }[] = [];
      await this.#begin();
      try {
        for (const { draft, readBefore } of operations) {
          const number = ++this.#last;
          const operation = { ...draft, id: `${this.name}/${number}`, time };
          records.push({ type: 'start', operation }, { type: 'end', id: operation.id, happened: true });
          kept.push({ number, change: getChangeId(operation), size: draft.before?.size ?? 0 });
          if (readBefore !== undefined) await this.#store.keepAfterwards(number, readBefore());
        }
        await this.#store.append(...records);
      } catch (error) {
        for (const { number } of kept) await this.#store.drop(number);
        throw error;
      }
      // A loop: a call takes a limited number of arguments.
      for (const record of records) this.#records.push(record);
      this.#kept = [...this.#kept, ...kept];
      await this.#forget();
    });
  }

  /** Opens a new file without a name, which is removed when it is closed or the process ends; returns its descriptor. */
  openUnnamed(): Promise<number> {
    return this.#store.openUnnamed();
  }

  /**
   * Records the outcomes of operations of any journal, or that they were undone. Never fails: if the records are not on
   * disk, the files show the outcomes.
   */
  note(...records: readonly Extract<JournalRecord, { type: 'end' | 'undone' }>[]): Promise<void> {
    return this.#queue.run('', async () => {
      try {
        await this.#begin();
        await this.#store.append(...records);
      } catch {
        // The disk may be full. This process still knows the outcome.
      }
      this.#records.push(...records);
    });
  }

  content(id: string): Promise<Uint8Array | undefined> {
    return this.#store.content(id);
  }

  /** Marks the current end of the journals. */
  mark(): JournalMark {
    return { number: this.#last, time: new Date().toISOString() };
  }

  /** Tests whether an operation started after a mark; by the clock if it is of another process. */
  isSince({ id, time }: Operation, mark: JournalMark): boolean {
    return id.startsWith(`${this.name}/`) ? parseNumber(id) > mark.number : time >= mark.time;
  }

  /** Lists all operations that are kept in any journal with their outcomes, oldest first, those of this one last. */
  async history(): Promise<readonly KnownOperation[]> {
    const own = { name: this.name, running: true, records: [...this.#records], unproven: [] };
    const journals = [...(await this.#store.others()), own];
    const fates = new Map<string, KnownOperation['fate']>();
    for (const record of journals.flatMap(({ records }) => records)) {
      if (record.type === 'undone') fates.set(record.id, 'undone');
      if (record.type === 'end' && fates.get(record.id) !== 'undone')
        fates.set(record.id, record.happened ? 'happened' : 'failed');
    }
    return journals.flatMap((journal) =>
      keptOperations(journal).map((operation) => {
        return { operation, fate: fates.get(operation.id) ?? 'open', running: journal.running };
      }),
    );
  }

  /** Lists the operations of other journals that cannot be proven to be the user's. */
  async unproven(): Promise<readonly Operation[]> {
    return (await this.#store.others()).flatMap(({ name, unproven }) =>
      unproven.map((operation) => ({ ...operation, id: `${name}/${parseNumber(operation.id)}` })),
    );
  }

  async #begin(): Promise<void> {
    if (this.#records.length === 0) await this.#append({ type: 'journal', ...this.#writer });
  }

  async #append(record: JournalRecord): Promise<void> {
    await this.#store.append(record);
    this.#records.push(record);
  }

  /**
   * Forgets the oldest changes until the rest is within bounds. The newest change stays: undoing it requires all of it.
   */
  async #forget(): Promise<void> {
    let size = this.#kept.reduce((sum, one) => sum + one.size, 0);
    let number = 0;
    while (this.#kept.length > this.bounds.operations || size > this.bounds.bytes) {
      const count = this.#countOldest();
      if (count === this.#kept.length) break;
      for (const oldest of this.#kept.splice(0, count)) {
        size -= oldest.size;
        number = oldest.number;
        await this.#store.drop(number);
      }
    }
    if (number > 0) await this.#append({ type: 'forgotten', number });
    if (this.#records.length > 8 * this.bounds.operations) await this.#compact();
  }

  /** Counts the kept operations of the oldest change, including all changes that came between its operations. */
  #countOldest(): number {
    let count = 1;
    for (let at = 0; at < count; at++) {
      const { change } = this.#kept[at]!;
      count = Math.max(count, this.#kept.findLastIndex((one) => one.change === change) + 1);
    }
    return count;
  }

  /** Drops the records of forgotten operations. Records about other journals stay. */
  async #compact(): Promise<void> {
    const oldest = this.#kept[0]?.number ?? this.#last;
    const isOld = (id: string) => id.startsWith(`${this.name}/`) && parseNumber(id) < oldest;
    const records = this.#records.filter((record) => {
      if (record.type === 'forgotten') return false;
      if (record.type === 'journal') return true;
      return !isOld(record.type === 'start' ? record.operation.id : record.id);
    });
    await this.#store.rewrite(records);
    this.#records = records;
  }
}

function keptOperations({ name, records }: StoredJournal): readonly Operation[] {
  // Uses `reduce` instead of spreading: a file made by another program may contain any number of records.
  const forgotten = records.reduce(
    (most, record) => (record.type === 'forgotten' ? Math.max(most, record.number) : most),
    0,
  );
  return records
    .flatMap((record) => (record.type === 'start' ? [record.operation] : []))
    .filter(({ id }) => id.startsWith(`${name}/`) && parseNumber(id) > forgotten);
}
