import { describe, expect, it } from 'vitest';
import { ModelError } from '../errors/model-error.ts';
import type { Model, ModelPart } from '../protocol/model.ts';
import type { Request } from './receive-response.ts';
import { requestWithRetries } from './request-with-retries.ts';

/** Answers request after request from a list of errors and texts; timers fire at once and are recorded. */
function scripted(answers: readonly (ModelError | string)[]) {
  const waits: number[] = [];
  const retries: string[] = [];
  let next = 0;
  const model: Model = {
    name: 'test',
    async *respond(): AsyncIterable<ModelPart> {
      const answer = answers[next++];
      if (answer instanceof ModelError) yield { type: 'error', error: answer };
      else yield* [{ type: 'text-delta', text: answer ?? '' } as const, { type: 'end', reason: 'stop' } as const];
    },
  };
  const timers = {
    setTimeout(callback: () => void, ms: number) {
      if (ms === 7777) return undefined;
      waits.push(ms);
      return setTimeout(callback, 0);
    },
    clearTimeout: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout),
  };
  const request: Request = {
    model,
    messages: [],
    signal: new AbortController().signal,
    timers,
    idleMs: 7777,
    onDelta: async () => undefined,
  };
  const run = (tries = 3) => requestWithRetries(request, { tries, onRetry: async (text) => void retries.push(text) });
  return { run, waits, retries, sends: () => next };
}

const busy = (retryAfterMs?: number) =>
  new ModelError('the service is overloaded (529).', {
    retryable: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });

describe('requestWithRetries', () => {
  it('tries a passing fault again after a growing wait, and says so', async () => {
    const { run, waits, retries } = scripted([busy(), busy(), 'done']);
    expect((await run()).text).toBe('done');
    expect(waits).toEqual([500, 1000]);
    expect(retries).toEqual([
      'the service is overloaded (529). Trying again in 0.5 s (try 2 of 3).',
      'the service is overloaded (529). Trying again in 1 s (try 3 of 3).',
    ]);
  });

  it('waits as long as the service asks for', async () => {
    const { run, waits } = scripted([busy(2500), 'done']);
    await run();
    expect(waits).toEqual([2500]);
  });

  it('gives up when the service asks for too long a wait', async () => {
    const { run, sends } = scripted([busy(3_600_000), 'done']);
    await expect(run()).rejects.toThrow('overloaded');
    expect(sends()).toBe(1);
  });

  it('gives up after the last try', async () => {
    const { run, sends } = scripted([busy(), busy(), busy(), 'never']);
    await expect(run()).rejects.toThrow('overloaded');
    expect(sends()).toBe(3);
  });

  it('does not try again what will not pass', async () => {
    const { run, sends } = scripted([new ModelError('the key is not valid.'), 'never']);
    await expect(run()).rejects.toThrow('key');
    expect(sends()).toBe(1);
  });
});
