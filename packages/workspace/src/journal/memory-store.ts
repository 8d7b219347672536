import type { JournalStore, StoredJournal } from './journal-store.ts';
import { numberOf } from './operation-id.ts';

/** Keeps a journal for as long as the process lives. */
export class MemoryStore implements JournalStore {
  readonly #contents = new Map<number, Uint8Array>();

  async append(): Promise<void> {
    // The journal itself has its records at hand.
  }

  async rewrite(): Promise<void> {
    // The same.
  }

  async keep(number: number, content: Uint8Array): Promise<void> {
    this.#contents.set(number, content);
  }

  async drop(number: number): Promise<void> {
    this.#contents.delete(number);
  }

  async content(id: string): Promise<Uint8Array | undefined> {
    return this.#contents.get(numberOf(id));
  }

  async others(): Promise<readonly StoredJournal[]> {
    return [];
  }
}
