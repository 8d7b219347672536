import { describe, expect, it } from 'vitest';
import { ModelError } from '../errors/session-errors.ts';
import type { Host } from '../protocol/host.ts';
import type { Model, ModelPart } from '../protocol/model.ts';
import { requestWithRetries } from './request-with-retries.ts';

const IDLE_MS = 7777;

/**
 * Answers request after request from a list of errors and texts. Waits are over at once and are recorded;
 * chance gives the byte that it is told.
 */
function scripted(answers: readonly (ModelError | string)[], { byte = 0, deadlineMs = 600_000 } = {}) {
  const waits: number[] = [];
  const retries: string[] = [];
  let next = 0;
  let now = 0;
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
      if (ms === IDLE_MS || ms === deadlineMs) return undefined;
      waits.push(ms);
      now += ms;
      return setTimeout(callback, 0);
    },
    clearTimeout: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout),
  };
  const entropy: Host['entropy'] = { getRandomValues: (bytes) => bytes.fill(byte) };
  const host: Host = { clock: { now: () => now }, entropy, timers };
  const controller = new AbortController();
  const run = (tries = 3, onRetry = async (text: string): Promise<void> => void retries.push(text)) =>
    requestWithRetries(
      {
        model,
        messages: [],
        signal: controller.signal,
        idleMs: IDLE_MS,
        onDelta: async () => undefined,
        onUsage: () => undefined,
      },
      { tries, deadlineMs, host, onRetry },
    );
  return { run, waits, retries, controller, sends: () => next };
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
    expect(waits).toEqual([250, 500]);
    expect(retries).toEqual([
      'the service is overloaded (529). Trying again in 0.3 s (try 2 of 3).',
      'the service is overloaded (529). Trying again in 0.5 s (try 3 of 3).',
    ]);
  });

  it('waits up to twice as long by chance, so that agents do not come back together', async () => {
    const { run, waits } = scripted([busy(), busy(), 'done'], { byte: 255 });
    await run();
    expect(waits).toEqual([500, 1000]);
  });

  it('waits at least as long as the service asks for', async () => {
    const { run, waits } = scripted([busy(2500), 'done']);
    await run();
    expect(waits).toEqual([2500]);
    const late = scripted([busy(2500), 'done'], { byte: 255 });
    await late.run();
    expect(late.waits).toEqual([2750]);
  });

  it('gives up when the service asks for too long a wait', async () => {
    const { run, sends } = scripted([busy(3_600_000), 'done']);
    await expect(run()).rejects.toThrow('overloaded');
    expect(sends()).toBe(1);
  });

  it('gives up when the time would be up before the next try', async () => {
    const { run, sends } = scripted([busy(2500), 'done'], { deadlineMs: 2500 });
    await expect(run()).rejects.toThrow('overloaded');
    expect(sends()).toBe(1);
  });

  it('gives up after the last try', async () => {
    const { run, sends } = scripted([busy(), busy(), busy(), 'never']);
    await expect(run()).rejects.toThrow('overloaded');
    expect(sends()).toBe(3);
  });

  it('keeps its own waits within bounds however many tries there are', async () => {
    const { run, waits } = scripted([...Array.from({ length: 12 }, () => busy()), 'done']);
    expect((await run(20)).text).toBe('done');
    expect(Math.max(...waits)).toBe(30_000);
  });

  it('does not try again what will not pass', async () => {
    const { run, sends } = scripted([new ModelError('the key is not valid.'), 'never']);
    await expect(run()).rejects.toThrow('key');
    expect(sends()).toBe(1);
  });

  it('does not try again once it is cancelled', async () => {
    const { run, sends, controller } = scripted([busy(), 'never']);
    await expect(run(3, async () => controller.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(sends()).toBe(1);
  });
});

describe('a model that drips', () => {
  const dripping: Model = {
    name: 'test',
    async *respond(_, { signal }): AsyncIterable<ModelPart> {
      while (!signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        yield { type: 'text-delta', text: 'x' };
      }
    },
  };

  it('is stopped at the deadline, and not asked again', async () => {
    const host = { clock: performance, entropy: crypto, timers: globalThis };
    const retries: string[] = [];
    let usage = 0;
    const request = {
      model: dripping,
      messages: [],
      signal: new AbortController().signal,
      idleMs: 60_000,
      onDelta: async () => undefined,
      onUsage: () => void usage++,
    };
    const policy = { tries: 3, deadlineMs: 40, host, onRetry: async (text: string) => void retries.push(text) };
    await expect(requestWithRetries(request, policy)).rejects.toMatchObject({
      name: 'ModelError',
      message: 'the model took longer than 0.04 s to answer; nothing of it was executed.',
      hints: ['ask for smaller steps', 'raise deadlineMs'],
    });
    expect({ retries, usage }).toEqual({ retries: [], usage: 0 });
  });
});
