import { createAgent, defineResourcespace, tool, ModelError, type Model, type ModelPart } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createLedger, fallbackModel } from './model-wrappers.ts';

const read = tool('Reads.', { target: z.string().default('') }, ({ target }) => `text of ${target}`);
const home = defineResourcespace({ name: 'files', description: 'Files.', tools: { read } });
const shop = defineResourcespace({ name: 'shop', description: 'A shop.', tools: { read } });

/** Runs turns of a model that gives these responses, each for 1,000 tokens in, 400 of them cached, and 100 out. */
async function keepLedger(...turns: readonly (readonly string[])[]) {
  const left = turns.flat();
  const model: Model = {
    name: 'scripted',
    async *respond() {
      yield { type: 'text-delta', text: left.shift() ?? '' };
      yield { type: 'usage', usage: { inputTokens: 1000, outputTokens: 100, cachedTokens: 400 } };
      yield { type: 'end', reason: 'stop' };
    },
  };
  const ledger = createLedger({ input: 10, output: 50, cached: 1 });
  const agent = createAgent({ home, spaces: [shop], model });
  agent.subscribe(ledger.add);
  for (const _ of turns) await agent.ask('Go.');
  return ledger;
}

describe('a ledger', () => {
  it('adds up turns, and what the cache saves', async () => {
    const ledger = await keepLedger(['<R:a>', 'Done.'], ['Done.']);
    // (600 x 10 + 400 x 1 + 100 x 50) dollars for a million.
    expect(ledger.list('turn')).toEqual([
      { name: 'turn 1', inputTokens: 2000, outputTokens: 200, cachedTokens: 800, count: 2, cost: 0.0228 },
      { name: 'turn 2', inputTokens: 1000, outputTokens: 100, cachedTokens: 400, count: 1, cost: 0.0114 },
    ]);
    expect(ledger.total()).toMatchObject({ inputTokens: 3000, count: 3, cost: expect.closeTo(0.0342) });
  });

  it('gives a request to what its response called, in equal parts', async () => {
    const ledger = await keepLedger(['<R:a>\n<shop.R:b>\n<shop.R:c>\n<R:d>', 'Done.']);
    const count = (kind: 'call' | 'place') => ledger.list(kind).map((row) => [row.name, row.inputTokens, row.count]);
    expect(count('call')).toEqual([
      ['answer', 1000, 1],
      ['home.read', 500, 2],
      ['shop.read', 500, 2],
    ]);
    expect(count('place')).toEqual([
      ['answer', 1000, 1],
      ['home', 500, 2],
      ['shop', 500, 2],
    ]);
  });

  it('has all tokens in every list', async () => {
    const ledger = await keepLedger(['@shop()', '<R:a>\n<R:b>\n<R:c>', 'Done.'], ['<R:x>', 'Done.']);
    for (const kind of ['turn', 'call', 'place'] as const) {
      const sum = ledger.list(kind).reduce((total, { inputTokens }) => total + inputTokens, 0);
      expect(sum).toBeCloseTo(ledger.total().inputTokens);
    }
  });

  it('has no costs without prices', () => {
    expect(createLedger().total()).toEqual({
      name: 'total',
      count: 0,
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
    });
  });
});

function model(name: string, ...parts: readonly ModelPart[]) {
  let asked = 0;
  const made: Model = {
    name,
    async *respond() {
      asked++;
      yield* parts;
    },
  };
  return Object.assign(made, { asked: () => asked });
}

async function respond(asked: Model): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of asked.respond([], { signal: new AbortController().signal })) parts.push(part);
  return parts;
}

const fault = (text: string): ModelPart => ({ type: 'error', error: new ModelError(text, { retryable: true }) });
const say = (text: string): ModelPart => ({ type: 'text-delta', text });
const END: ModelPart = { type: 'end', reason: 'stop' };

it('asks the next model where one fails before its first word', async () => {
  const [one, two] = [model('a/one', fault('overloaded.')), model('b/two', say('Hi'), END)];
  const both = fallbackModel(one, two);
  expect(both.name).toBe('a/one');
  expect(await respond(both)).toEqual([say('Hi'), END]);
  expect([one.asked(), two.asked()]).toEqual([1, 1]);
});

it('asks no other one when the first responds, or breaks off', async () => {
  const two = model('b/two', say('Hi'), END);
  expect(await respond(fallbackModel(model('a/one', say('Hello'), END), two))).toEqual([say('Hello'), END]);
  const broken = await respond(fallbackModel(model('a/one', say('Hel'), fault('broken off.')), two));
  expect(broken.at(-1)).toMatchObject({ type: 'error', error: { message: 'broken off.' } });
  expect(two.asked()).toBe(0);
});

it('says what went wrong with each when all fail', async () => {
  const all = fallbackModel(model('a/one', fault('overloaded.')), model('b/two', fault('no such model.')));
  expect(await respond(all)).toMatchObject([
    { type: 'error', error: { message: 'a/one: overloaded. b/two: no such model.', retryable: true } },
  ]);
});
