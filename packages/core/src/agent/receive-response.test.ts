import { describe, expect, it } from 'vitest';
import { ModelError } from '../errors/session-errors.ts';
import { RESPONSE_CAP } from '../protocol/limits.ts';
import type { EndReason, Model, ModelPart } from '../protocol/model.ts';
import { receiveResponse, type Request } from './receive-response.ts';

type Parts = (signal: AbortSignal, alive: () => void) => AsyncIterable<ModelPart>;

function request(respond: Parts, more: Partial<Request> = {}): Request {
  const model: Model = { name: 'test', respond: (_, { signal, alive }) => respond(signal, alive!) };
  const timers = globalThis as unknown as Request['timers'];
  return {
    model,
    messages: [],
    signal: new AbortController().signal,
    timers,
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

  it('tells what a response cost, also one that it refuses', async () => {
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
    await expect(receiveResponse(request(() => of(text(' \n'), end('stop'))))).rejects.toThrow('answered with nothing');
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
      message: 'the model was silent for 0.02 s.',
      retryable: true,
    });
  });

  it('waits for a model that says nothing and is alive', async () => {
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

  it('aborts at once, tells the adapter, and leaves no listener behind', async () => {
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
