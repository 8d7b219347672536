import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Store, type StoreOptions } from '../src/store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A clock that goes on by a second each time it is read. */
export function steadyClock(start = '2026-11-20T10:00:00Z'): () => Date {
  let time = Date.parse(start);
  return () => new Date((time += 1000));
}

/** A store in a folder of its own; closed when the test is over. */
export function temporaryStore(options: StoreOptions = { now: steadyClock() }): Store {
  const store = Store.open(join(temporaryFolder(), 'bae.db'), options);
  onTestFinished(() => store.close());
  return store;
}
