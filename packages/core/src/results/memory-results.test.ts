import { describe, expect, it } from 'vitest';
import { createMemoryResults } from './memory-results.ts';

describe('memoryResults', () => {
  it('gives every text a handle of its own', () => {
    const store = createMemoryResults();
    expect([store.keep('a'), store.keep('b'), store.keep('a')]).toEqual(['result:1', 'result:2', 'result:3']);
    expect([store.get('result:1'), store.get('result:2'), store.get('result:3')]).toEqual(['a', 'b', 'a']);
    expect(store.handles?.()).toEqual(['result:1', 'result:2', 'result:3']);
  });

  it('knows nothing of handles it did not give', () => {
    const store = createMemoryResults();
    expect(store.get('result:1')).toBeUndefined();
    expect(store.handles?.()).toEqual([]);
  });

  it('keeps an empty text', () => {
    const store = createMemoryResults();
    expect(store.get(store.keep(''))).toBe('');
  });
});
