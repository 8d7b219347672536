import type { LanguageModelV2, LanguageModelV3, LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Message, Model, ModelPart } from '@bae/core';
import { describeModel } from '@bae/testing/vitest';
import { describe, expect, it } from 'vitest';
import { aiSdkModel } from './ai-sdk-model.ts';

const QUESTION: readonly Message[] = [
  { role: 'system', text: 'Be terse.' },
  { role: 'user', text: 'Hello' },
];
const V4_USAGE = {
  inputTokens: { total: 10, noCache: 4, cacheRead: 6, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const USAGE = { type: 'usage', usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 6 } };
const STOP = finish('stop', 'end_turn');

function finish(unified: string, raw: string | undefined) {
  return { type: 'finish', finishReason: { unified, raw }, usage: V4_USAGE };
}

function delta(text: string) {
  return { type: 'text-delta', id: '0', delta: text };
}

interface FakeSdkModel extends LanguageModelV4 {
  readonly asked: LanguageModelV4CallOptions[];
  readonly cancelled: () => number;
}

/** An SDK model whose stream is given as a function; what it enqueues is not checked, as on a real wire. */
function sdkModel(start: (controller: ReadableStreamDefaultController<unknown>) => void): FakeSdkModel {
  const asked: LanguageModelV4CallOptions[] = [];
  let cancelled = 0;
  const doStream = (options: LanguageModelV4CallOptions) => {
    asked.push(options);
    return Promise.resolve({ stream: new ReadableStream({ start, cancel: () => void cancelled++ }) });
  };
  const shape = { specificationVersion: 'v4', provider: 'fake.chat', modelId: 'one', supportedUrls: {} };
  return { ...shape, doStream, asked, cancelled: () => cancelled } as unknown as FakeSdkModel;
}

function ofParts(...parts: readonly unknown[]): FakeSdkModel {
  return sdkModel((controller) => {
    for (const part of parts) controller.enqueue(part);
    controller.close();
  });
}

async function ask(model: Model, signal = new AbortController().signal): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.respond(QUESTION, { signal })) parts.push(part);
  return parts;
}

describeModel('an AI SDK model', (responses) => {
  const left = [...responses];
  const next = sdkModel((controller) => {
    const response = left.shift();
    if (response?.kind === 'fault') return controller.error(new Error('broken'));
    controller.enqueue(delta(response?.text ?? ''));
    if (response?.kind === 'stall') return;
    controller.enqueue(STOP);
    controller.close();
  });
  return { model: aiSdkModel(next) };
});

describe('a request', () => {
  it.each([
    ['v4', { type: 'data', data: 'AAAA' }],
    ['v3', 'AAAA'],
  ])('has the images that a model of %s takes in, also where it calls functions', async (version, data) => {
    const sdk = ofParts(STOP);
    Object.assign(sdk, { specificationVersion: version });
    const media = [
      { type: 'image', mediaType: 'image/png', name: 'a.png', ref: 'result:1', bytes: 3, data: 'AAAA' },
      { type: 'audio', mediaType: 'audio/wav', ref: 'result:2', bytes: 3, data: 'BBBB' },
    ] as const;
    const messages: Message[] = [
      { role: 'user', text: 'Look' },
      { role: 'assistant', text: '<tool_call>{"name":"shoot","arguments":{}}</tool_call>' },
      { role: 'user', text: '[Location: home]\n[Tool output abcdef]\n#1 abcdef x\n[end abcdef]', media },
    ];
    const image = { type: 'file', mediaType: 'image/png', filename: 'a.png', data };
    for (const protocol of ['tags', 'tools'] as const) {
      const options = { accepts: ['image'], protocol } as const;
      for await (const _ of aiSdkModel(sdk, options).respond(messages, { signal: new AbortController().signal }));
      expect(sdk.asked.at(-1)?.prompt.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'text' }, image] });
    }
    for await (const _ of aiSdkModel(sdk).respond(messages, { signal: new AbortController().signal }));
    expect(JSON.stringify(sdk.asked.at(-1)?.prompt)).not.toContain('AAAA');
  });

  it('is the system prompt as system and the rest as text parts', async () => {
    const sdk = ofParts(STOP);
    await ask(aiSdkModel(sdk));
    expect(sdk.asked[0]?.prompt).toEqual([
      { role: 'system', content: 'Be terse.' },
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
    ]);
  });

  it('joins consecutive messages of one side', async () => {
    const sdk = ofParts(STOP);
    const [system, first] = QUESTION;
    const messages: readonly Message[] = [
      system!,
      first!,
      { role: 'assistant', text: ' ' },
      { role: 'user', text: 'Again' },
    ];
    for await (const _ of aiSdkModel(sdk).respond(messages, { signal: new AbortController().signal }));
    expect(sdk.asked[0]?.prompt).toEqual([
      { role: 'system', content: 'Be terse.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello' },
          { type: 'text', text: 'Again' },
        ],
      },
    ]);
  });

  it('carries the limits and provider options it was given, and no others', async () => {
    const sdk = ofParts(STOP);
    await ask(aiSdkModel(sdk));
    const settings = { temperature: 0, stop: ['END'], reasoning: 'high', headers: { 'x-a': 'b' } } as const;
    await ask(aiSdkModel(sdk, { ...settings, maxOutputTokens: 99, providerOptions: { fake: { a: 1 } } }));
    expect(Object.keys(sdk.asked[0]!)).toEqual(['prompt', 'abortSignal', 'includeRawChunks']);
    const { stop: stopSequences, ...others } = settings;
    expect(sdk.asked[1]).toMatchObject({
      ...others,
      stopSequences,
      maxOutputTokens: 99,
      providerOptions: { fake: { a: 1 } },
    });
  });

  it('is named after the provider and the model, unless it is given a name', () => {
    expect(aiSdkModel(ofParts()).name).toBe('fake/one');
    expect(aiSdkModel(ofParts(), { name: 'mine' }).name).toBe('mine');
  });
});

describe('a stream', () => {
  it('gives its text, its tokens and its end, and nothing of the reasoning', async () => {
    const sdk = ofParts(
      { type: 'stream-start', warnings: [] },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hmm <R:secret>' },
      { type: 'text-start', id: '0' },
      delta('Hello '),
      delta(''),
      delta('you'),
      { type: 'text-end', id: '0' },
      { type: 'raw', rawValue: 'whatever' },
      STOP,
    );
    expect(await ask(aiSdkModel(sdk))).toEqual([
      { type: 'text-delta', text: 'Hello ' },
      { type: 'text-delta', text: 'you' },
      USAGE,
      { type: 'end', reason: 'stop' },
    ]);
  });

  it('reports that the model is alive while it thinks', async () => {
    let alive = 0;
    const thoughts = Array.from({ length: 5 }, () => ({ type: 'reasoning-delta', id: 'r', delta: 'hmm' }));
    const model = aiSdkModel(ofParts(...thoughts, delta('Hi'), STOP));
    const parts: string[] = [];
    const options = { signal: new AbortController().signal, alive: () => void alive++ };
    for await (const { type } of model.respond(QUESTION, options)) parts.push(`${type} ${alive}`);
    expect(parts).toEqual(['text-delta 6', 'usage 7', 'end 7']);
  });

  it('is refused when it continues after its end', async () => {
    const chunk = (content: string, finish_reason: string | null) => ({
      type: 'raw',
      rawValue: { choices: [{ delta: { content }, finish_reason }] },
    });
    const model = aiSdkModel(ofParts(chunk('a', 'length'), delta('a'), chunk('', 'stop'), STOP));
    expect((await ask(model)).at(-1)).toMatchObject({
      type: 'error',
      error: { retryable: true, message: expect.stringContaining('ended its response in two ways') },
    });
  });

  it('is not over when the model only pauses', async () => {
    const parts = await ask(aiSdkModel(ofParts(delta('<R:a>'), finish('stop', 'pause_turn'))));
    expect(parts.at(-1)).toEqual({ type: 'end', reason: 'other' });
  });

  it.each([
    ['length', 'length'],
    ['content-filter', 'content-filter'],
    ['error', 'error'],
    ['tool-calls', 'other'],
    ['other', 'other'],
    ['unheard-of', 'other'],
  ])('that finished by %s ends by %s', async (unified, reason) => {
    const parts = await ask(aiSdkModel(ofParts(delta('x'), finish(unified, 'raw'))));
    expect(parts.at(-1)).toEqual({ type: 'end', reason });
  });

  it('of the generation before the last is understood', async () => {
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, cachedInputTokens: 6 };
    const old = ofParts(delta('Hi'), { type: 'finish', finishReason: 'stop', usage });
    const model = { ...old, specificationVersion: 'v2' } as unknown as LanguageModelV2;
    expect((await ask(aiSdkModel(model))).slice(-2)).toEqual([USAGE, { type: 'end', reason: 'stop' }]);
  });

  it('of the last generation is understood', async () => {
    const model = { ...ofParts(delta('Hi'), STOP), specificationVersion: 'v3' } as unknown as LanguageModelV3;
    expect((await ask(aiSdkModel(model))).slice(-2)).toEqual([USAGE, { type: 'end', reason: 'stop' }]);
  });

  it('without any count of tokens counts none', async () => {
    const sdk = ofParts({ type: 'finish', finishReason: 'stop', usage: {} });
    const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
    expect((await ask(aiSdkModel(sdk)))[0]).toEqual({ type: 'usage', usage });
  });

  it('passes nothing on after an error, though a normal stop follows', async () => {
    const sdk = ofParts(delta('<R:a>'), { type: 'error', error: new SyntaxError('bad JSON') }, delta('<R:b>'), STOP);
    const parts = await ask(aiSdkModel(sdk));
    expect(parts.map(({ type }) => type)).toEqual(['text-delta', 'error']);
    expect(parts[1]).toMatchObject({ error: { retryable: true } });
  });

  it.each([
    ['closes without a finish', [delta('Hel')]],
    ['was interrupted', [delta('Hel'), finish('interrupted', undefined)]],
    ['finished for no reason at all', [delta('Hel'), finish('other', undefined)]],
  ])('that %s broke off', async (_, given) => {
    const last = (await ask(aiSdkModel(ofParts(...given)))).at(-1);
    expect(last).toMatchObject({ type: 'error', error: { retryable: true } });
    expect(last?.type === 'error' && last.error.message).toBe(
      'the response of fake/one broke off before its end; nothing of it was executed.',
    );
  });

  it('that fails while it is read is an error', async () => {
    const sdk = sdkModel((controller) => controller.error(new Error('gone')));
    expect((await ask(aiSdkModel(sdk))).at(-1)).toMatchObject({
      type: 'error',
      error: { message: 'fake/one failed: gone.' },
    });
  });
});

describe('a model that fails before it streams', () => {
  it.each([
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
  ])('because it %s gives one error', async (_, doStream) => {
    const parts = await ask(aiSdkModel({ ...ofParts(), doStream }));
    expect(parts).toMatchObject([{ type: 'error', error: { message: 'fake/one failed: no.' } }]);
  });
});

describe('cancelling', () => {
  it('aborts the request, and cancels the stream', async () => {
    const sdk = sdkModel((controller) => controller.enqueue(delta('Half')));
    const controller = new AbortController();
    const parts: ModelPart[] = [];
    for await (const part of aiSdkModel(sdk).respond(QUESTION, controller)) {
      parts.push(part);
      controller.abort();
    }
    expect(parts).toEqual([
      { type: 'text-delta', text: 'Half' },
      { type: 'end', reason: 'cancelled' },
    ]);
    expect([sdk.asked[0]?.abortSignal?.aborted, sdk.cancelled()]).toEqual([true, 1]);
  });

  it('does not wait for a model that takes no notice, and cancels what it delivers late', async () => {
    const late = ofParts(delta('late'), STOP);
    const opening = Promise.withResolvers<unknown>();
    const model = aiSdkModel({ ...late, doStream: () => opening.promise } as unknown as LanguageModelV4);
    expect(await ask(model, AbortSignal.timeout(10))).toEqual([{ type: 'end', reason: 'cancelled' }]);
    let cancelled = false;
    opening.resolve({ stream: new ReadableStream({ cancel: () => void (cancelled = true) }) });
    await expect.poll(() => cancelled).toBe(true);
  });

  it('after the end changes nothing', async () => {
    const controller = new AbortController();
    const parts: ModelPart[] = [];
    for await (const part of aiSdkModel(ofParts(delta('x'), STOP)).respond(QUESTION, controller)) {
      parts.push(part);
      if (part.type === 'end') controller.abort();
    }
    expect(parts.filter(({ type }) => type === 'end')).toEqual([{ type: 'end', reason: 'stop' }]);
  });

  it('leaves no listener on the signal behind', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
    await ask(aiSdkModel(ofParts(delta('x'), STOP)), signal);
    expect(listeners).toBe(0);
  });
});
