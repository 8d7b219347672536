import type { ResultStore } from '../protocol/pruner.ts';

/** Keeps whole texts in memory, as `result:1`, `result:2` and so on, for as long as the store itself lives. */
export function createMemoryResults(): ResultStore {
  const texts = new Map<string, string>();
  return {
    keep(text) {
      const ref = `result:${texts.size + 1}`;
      texts.set(ref, text);
      return ref;
    },
    get: (ref) => texts.get(ref),
    handles: () => [...texts.keys()],
  };
}
