import type { StoredJournal } from './journal-store.ts';
import { numberOf } from './operation-id.ts';
import type { Operation } from './operation.ts';

/** What became of an operation; `open` when nobody wrote it down. */
export type Fate = 'open' | 'happened' | 'failed' | 'undone';

/** An operation, and what journals say about it. */
export interface KnownOperation {
  readonly operation: Operation;
  readonly fate: Fate;
  /** True while the process that made it lives. */
  readonly running: boolean;
}

/** All operations that are kept, oldest first, and what became of each by everything that journals say. */
export function operationHistory(journals: readonly StoredJournal[]): readonly KnownOperation[] {
  const records = journals.flatMap((journal) => journal.records);
  const ended = new Map(records.flatMap((record) => (record.type === 'end' ? [[record.id, record.happened]] : [])));
  const undone = new Set(records.flatMap((record) => (record.type === 'undone' ? [record.id] : [])));
  const fateOf = (id: string): Fate => {
    if (undone.has(id)) return 'undone';
    const happened = ended.get(id);
    return happened === undefined ? 'open' : happened ? 'happened' : 'failed';
  };
  return journals.flatMap((journal) =>
    operationsOf(journal).map((operation) => ({ operation, fate: fateOf(operation.id), running: journal.running })),
  );
}

function operationsOf({ name, records }: StoredJournal): readonly Operation[] {
  const forgotten = Math.max(0, ...records.flatMap((record) => (record.type === 'forgotten' ? [record.number] : [])));
  return records
    .flatMap((record) => (record.type === 'start' ? [record.operation] : []))
    .filter(({ id }) => id.startsWith(`${name}/`) && numberOf(id) > forgotten);
}
