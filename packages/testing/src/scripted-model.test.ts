import { ModelError, type Message, type ModelPart } from '@bae/core';
import { assert, asyncProperty, integer, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeModel } from './vitest.ts';
import { ScriptedModel, type ScriptedModelOptions, type ScriptedResponse } from './scripted-model.ts';

const HELLO: readonly Message[] = [{ role: 'user', text: 'Hello' }];

describeModel('a scripted model', (responses) => {
  const script = responses.map((response): ScriptedResponse => {
    if (response.kind === 'text') return response.text;
    if (response.kind === 'fault') return { parts: [{ type: 'error', error: new ModelError('broken') }] };
    return response.text === '' ? () => new Promise<string>(() => undefined) : response.text;
  });
  return { model: new ScriptedModel(script, { chunk: 3 }) };
});

async function ask(model: ScriptedModel, messages = HELLO): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.respond(messages, { signal: new AbortController().signal })) parts.push(part);
  return parts;
}

async function deltas(text: string, options: ScriptedModelOptions): Promise<readonly string[]> {
  const parts = await ask(new ScriptedModel([text], options));
  return parts.filter((part) => part.type === 'text-delta').map((part) => part.text);
}

describe('a text', () => {
  it('is sent in one piece, with tokens estimated at four characters each, and a stop', async () => {
    expect(await ask(new ScriptedModel(['Hi there.']))).toEqual([
      { type: 'text-delta', text: 'Hi there.' },
      { type: 'usage', usage: { inputTokens: 2, outputTokens: 3, cachedTokens: 0 } },
      { type: 'end', reason: 'stop' },
    ]);
  });

  it('is sent in chunks of the given size', async () => {
    expect(await deltas('abcdefg', { chunk: 3 })).toEqual(['abc', 'def', 'g']);
  });

  it('is never cut within a character', async () => {
    expect(await deltas('a😀b', { chunk: 1 })).toEqual(['a', '😀', 'b']);
  });

  it('is the same in chunks of any size', { tags: ['long'] }, async () => {
    await assert(
      asyncProperty(string({ unit: 'binary' }), integer({ min: 1, max: 20 }), async (text, chunk) => {
        expect((await deltas(text, { chunk })).join('')).toBe(text);
      }),
    );
  });

  it('may be empty', async () => {
    expect((await ask(new ScriptedModel(['']))).map(({ type }) => type)).toEqual(['usage', 'end']);
  });
});

describe('a script', () => {
  it('is followed in order', async () => {
    const model = new ScriptedModel(['One', () => 'Two', () => Promise.resolve('Three')]);
    const first = async () => (await ask(model))[0];
    expect([await first(), await first(), await first()]).toEqual(
      ['One', 'Two', 'Three'].map((text) => ({ type: 'text-delta', text })),
    );
    model.expectDone();
  });

  it('may respond according to what it was sent', async () => {
    const model = new ScriptedModel([(messages) => `You said ${messages.at(-1)?.text}.`]);
    expect((await ask(model))[0]).toEqual({ type: 'text-delta', text: 'You said Hello.' });
  });

  it('may spell out its parts, to which nothing is added', async () => {
    const parts: readonly ModelPart[] = [
      { type: 'text-delta', text: '<R:a' },
      { type: 'end', reason: 'length' },
    ];
    expect(await ask(new ScriptedModel([{ parts }]))).toEqual(parts);
    expect(await ask(new ScriptedModel([() => ({ parts: [] })]))).toEqual([]);
  });

  it('sends nothing after an end or an error, whatever its parts are', async () => {
    const parts: readonly ModelPart[] = [
      { type: 'error', error: new ModelError('broken') },
      { type: 'end', reason: 'stop' },
    ];
    expect(await ask(new ScriptedModel([{ parts }]))).toEqual(parts.slice(0, 1));
  });

  it('that has run out gives an error that reports it', async () => {
    const model = new ScriptedModel(['One']);
    await ask(model);
    const last = (await ask(model)).at(-1);
    expect(last?.type === 'error' && last.error.message).toBe(
      'the script has no response for send 2; it has 1. The last message was "Hello".',
    );
  });

  it('that throws gives an error with its cause', async () => {
    const cause = new TypeError('no such thing');
    const model = new ScriptedModel([() => Promise.reject(cause)]);
    const last = (await ask(model)).at(-1);
    expect(last).toMatchObject({ type: 'error', error: { message: 'the script failed: no such thing', cause } });
  });
});

describe('expecting a script to be done', () => {
  it('fails on what was left, and shows the next text', async () => {
    const model = new ScriptedModel(['One', 'Two', 'Three']);
    await ask(model);
    expect(() => model.expectDone()).toThrow(
      'the script has 3 responses, and 1 were requested. The next one is "Two".',
    );
  });

  it('fails when more was requested', async () => {
    const model = new ScriptedModel([]);
    await ask(model);
    expect(() => model.expectDone()).toThrow('the script has 0 responses, and 1 were requested.');
  });
});

describe('sends', () => {
  it('are kept as copies that later changes do not reach', async () => {
    const messages = [{ role: 'user' as const, text: 'Hello' }];
    const model = new ScriptedModel(['One', 'Two']);
    await ask(model, messages);
    messages[0]!.text = 'Changed';
    messages.push({ role: 'user', text: 'More' });
    await ask(model, messages);
    expect(model.sends.map((send) => send.map(({ text }) => text))).toEqual([['Hello'], ['Changed', 'More']]);
  });

  it('are frozen', async () => {
    const model = new ScriptedModel(['One']);
    await ask(model);
    const [send] = model.sends;
    expect(() => Object.assign(send![0]!, { text: 'Changed' })).toThrow(TypeError);
    expect(Object.isFrozen(send)).toBe(true);
  });
});
