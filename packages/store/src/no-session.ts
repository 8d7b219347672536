import { StoreError } from './errors/store-error.ts';

/** Says that there is no session of this name. */
export function noSession(id: string): StoreError {
  return new StoreError(`no session '${id.slice(0, 60)}'.`, ['list what there is: bae sessions']);
}
