import type { JournalRecord } from './journal-record.ts';

/** A journal as it is kept. */
export interface StoredJournal {
  readonly name: string;
  /** True while the process that writes it lives. */
  readonly running: boolean;
  readonly records: readonly JournalRecord[];
}

/**
 * Where journals are kept. Each has one writer, and a name of its own.
 *
 * Contract: old content, and the record that an operation starts, are on disk when `keep` and `append` return,
 * where there is a disk. Other records may get lost when the power does: they can be told from the files.
 */
export interface JournalStore {
  /** Adds a record to the own journal, which begins with the first. */
  append(record: JournalRecord): Promise<void>;
  /** Puts these records in place of all that the own journal has. */
  rewrite(records: readonly JournalRecord[]): Promise<void>;
  /** Keeps the old content of an operation of the own journal. */
  keep(number: number, content: Uint8Array): Promise<void>;
  /** Lets go of it. */
  drop(number: number): Promise<void>;
  /** Old content of an operation of any journal; undefined when it is not kept. */
  content(id: string): Promise<Uint8Array | undefined>;
  /** All journals but the own one, oldest first. */
  others(): Promise<readonly StoredJournal[]>;
}
