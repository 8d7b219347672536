import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ModelError } from '../errors/bae-error.ts';
import type { Entropy, Host } from '../protocol/host.ts';
import { RESPONSE_CAP } from '../protocol/limits.ts';
import type { EndReason, Model, ModelPart, Usage } from '../protocol/model.ts';
import { getRandomFraction, receiveResponse, requestWithRetries, type Request } from './model-request.ts';

type Parts = (signal: AbortSignal, alive: () => void) => AsyncIterable<ModelPart>;

function request(respond: Parts, more: Partial<Request> = {}): Request {
  const model: Model = { name: 'test', respond: (_, { signal, alive }) => respond(signal, alive!) };
  const timers = globalThis as unknown as Request['timers'];
  return {
    model,
    messages: [],
    signal: new AbortController().signal,
    timers,
    firstTokenMs: 5_000,
    idleMs: 5_000,
    onDelta: async () => undefined,
    onUsage: () => undefined,
    ...more,
  };
}

const text = (value: string): ModelPart => ({ type: 'text-delta', text: value });
const end = (reason: EndReason): ModelPart => ({ type: 'end', reason });

async function* of(...parts: ModelPart[]): AsyncIterable<ModelPart> {
  yield* parts;
}

it('leaves nothing behind in the signal of a turn', async () => {
  const { signal } = new AbortController();
  const host = { clock: performance, entropy: crypto, timers: globalThis as unknown as Request['timers'] };
  const policy = { tries: 1, deadlineMs: 5000, host, onRetry: async () => undefined };
  for (let step = 0; step < 3; step++)
    await requestWithRetries(
      request(() => of(text('a'), end('stop')), { signal }),
      policy,
    );
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('receiveResponse', () => {
  it('returns the text of a response that ended with a stop, and its usage', async () => {
    const usage = { inputTokens: 3, outputTokens: 2, cachedTokens: 1 };
    const response = await receiveResponse(
      request(() => of(text('a'), text('b'), { type: 'usage', usage }, end('stop'))),
    );
    expect(response).toEqual({ text: 'ab', usage });
  });

  it.each(['length', 'content-filter', 'error', 'cancelled', 'other'] as const)(
    'refuses a response that ended by %s',
    async (reason) => {
      await expect(receiveResponse(request(() => of(text('<W:a>'), end(reason))))).rejects.toThrow(
        /nothing of it was executed/,
      );
    },
  );

  it('refuses a response whose stream ended without an end', async () => {
    await expect(receiveResponse(request(() => of(text('<R:a>'))))).rejects.toThrow('broke off');
  });

  it('reports what a response cost, also one that it refuses', async () => {
    const costs: unknown[] = [];
    const usage = { inputTokens: 3, outputTokens: 2, cachedTokens: 1 };
    const cut = request(() => of(text('<W:a>'), { type: 'usage', usage }, end('length')), {
      onUsage: (cost) => void costs.push(cost),
    });
    await expect(receiveResponse(cut)).rejects.toThrow('output limit');
    expect(costs).toEqual([usage]);
  });

  it('refuses everything after an error part, even when a normal stop follows', async () => {
    const error = new ModelError('corrupt chunk');
    await expect(receiveResponse(request(() => of(text('<R:a>'), { type: 'error', error }, end('stop'))))).rejects.toBe(
      error,
    );
  });

  it('refuses an empty response', async () => {
    await expect(receiveResponse(request(() => of(text(' \n'), end('stop'))))).rejects.toThrow('empty answer');
  });

  it('gives up on a response that does not end', async () => {
    const piece = text('x'.repeat(1_000_000));
    const endless = async function* () {
      for (;;) yield piece;
    };
    await expect(receiveResponse(request(endless))).rejects.toThrow(`longer than ${RESPONSE_CAP / 1_000_000} MB`);
  });

  it('turns what an adapter throws into a model error', async () => {
    const broken = (): AsyncIterable<ModelPart> => {
      throw new TypeError('no such field');
    };
    await expect(receiveResponse(request(broken))).rejects.toMatchObject({
      name: 'ModelError',
      message: expect.stringContaining('no such field'),
    });
  });

  it('gives up on a silent model, also one that ignores its signal', async () => {
    const silent = async function* (): AsyncIterable<ModelPart> {
      yield text('a');
      await new Promise(() => undefined);
    };
    await expect(receiveResponse(request(silent, { idleMs: 20 }))).rejects.toMatchObject({
      name: 'ModelError',
      message: 'the model was silent for 0.02 s (idleMs).',
      hints: ['raise idleMs'],
      retryable: true,
    });
  });

  it('gives up on a model that does not begin, and names the option for it', async () => {
    const silent = (): AsyncIterable<ModelPart> => ({
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
    });
    await expect(receiveResponse(request(silent, { firstTokenMs: 20 }))).rejects.toMatchObject({
      message: 'no response began within 0.02 s (firstTokenMs).',
      hints: ['raise firstTokenMs (at the command line --first-token SECONDS)'],
    });
  });

  it('waits for a model that is silent and alive', async () => {
    const thinking: Parts = async function* (_, alive) {
      for (let time = 0; time < 20; time++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        alive();
      }
      yield* [text('a'), end('stop')];
      alive();
    };
    expect((await receiveResponse(request(thinking, { idleMs: 120 }))).text).toBe('a');
  });

  it('waits as long as a timer can when it may wait longer', async () => {
    const slow = async function* (): AsyncIterable<ModelPart> {
      await new Promise((resolve) => setTimeout(resolve, 5));
      yield* [text('a'), end('stop')];
    };
    expect((await receiveResponse(request(slow, { idleMs: Number.MAX_SAFE_INTEGER }))).text).toBe('a');
  });

  it('aborts at once, aborts the adapter’s signal, and leaves no listener behind', async () => {
    const controller = new AbortController();
    let told: AbortSignal | undefined;
    const hanging: Parts = (signal) => {
      told = signal;
      return (async function* () {
        yield text('a');
        await new Promise(() => undefined);
      })();
    };
    const pending = receiveResponse(request(hanging, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 5);
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    expect(told?.aborted).toBe(true);
  });
});

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
        firstTokenMs: IDLE_MS,
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
  it('retries a passing fault after a growing delay, and reports it', async () => {
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

  it('waits at least as long as the service requests', async () => {
    const { run, waits } = scripted([busy(2500), 'done']);
    await run();
    expect(waits).toEqual([2500]);
    const late = scripted([busy(2500), 'done'], { byte: 255 });
    await late.run();
    expect(late.waits).toEqual([2750]);
  });

  it('gives up when the service requests too long a delay', async () => {
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
      firstTokenMs: 60_000,
      idleMs: 60_000,
      onDelta: async () => undefined,
      onUsage: () => void usage++,
    };
    const policy = { tries: 3, deadlineMs: 40, host, onRetry: async (text: string) => void retries.push(text) };
    await expect(requestWithRetries(request, policy)).rejects.toMatchObject({
      name: 'ModelError',
      message: 'the model took longer than 0.04 s to answer; nothing of it was executed.',
      hints: [
        'ask for smaller steps',
        'go on from what was done, which stays done (at the command line: bae ask --continue "go on")',
        'raise deadlineMs (at the command line --first-token SECONDS, which raises both)',
      ],
    });
    // The estimated one.
    expect({ retries, usage }).toEqual({ retries: [], usage: 1 });
  });

  it.each([
    ['nothing', [], { inputTokens: 5, outputTokens: 3 }],
    [
      'its input',
      [{ type: 'usage', usage: { inputTokens: 9, outputTokens: 1, cachedTokens: 0 } }],
      { inputTokens: 9, outputTokens: 3 },
    ],
  ] as const)('has its usage estimated when it is cancelled, if it has reported %s', async (_, reports, sum) => {
    const controller = new AbortController();
    const used = { inputTokens: 0, outputTokens: 0 };
    const request = {
      model: {
        name: 'test',
        async *respond(): AsyncIterable<ModelPart> {
          yield* reports;
          yield { type: 'text-delta', text: 'Some words' };
          await new Promise(() => undefined);
        },
      },
      messages: [{ role: 'user', text: 'Count to a hundred' }] as const,
      signal: controller.signal,
      timers: globalThis,
      firstTokenMs: 60_000,
      idleMs: 60_000,
      onDelta: async () => controller.abort(),
      onUsage: ({ inputTokens, outputTokens }: Usage) => {
        used.inputTokens += inputTokens;
        used.outputTokens += outputTokens;
      },
    };
    await expect(receiveResponse(request)).rejects.toMatchObject({ name: 'AbortError' });
    expect(used).toEqual(sum);
  });
});

const always = (value: number): Entropy => ({ getRandomValues: (bytes) => bytes.fill(value) });

describe('drawFraction', () => {
  it('reaches from 0 to almost 1', () => {
    expect(getRandomFraction(always(0))).toBe(0);
    expect(getRandomFraction(always(255))).toBeCloseTo(1, 8);
    expect(getRandomFraction(always(255))).toBeLessThan(1);
    expect(getRandomFraction(always(128))).toBeCloseTo(0.5, 2);
  });
});
