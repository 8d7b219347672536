import 'reflect-metadata';
import { expect, it } from 'vitest';
import type { Model } from '../protocol/model.ts';
import { createAgent } from './create-agent.ts';

/** A model that never says anything, and calls so much silence normal. */
function silent(idleMs: number): Model {
  return {
    name: 'silent',
    idleMs,
    respond: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }),
  };
}

it('prefers its own limit to that of the model', async () => {
  const agent = createAgent({ model: silent(1000), tries: 1, idleMs: 10 });
  await expect(agent.ask('Hello')).rejects.toThrow('the model was silent for 0.01 s.');
});

it('takes the silence that is normal for the model for its limit', async () => {
  const agent = createAgent({ model: silent(10), tries: 1 });
  await expect(agent.ask('Hello')).rejects.toThrow('the model was silent for 0.01 s.');
});
