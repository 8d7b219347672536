import { ModelError, type Model, type ModelPart } from '@bae/core';
import { expect, it } from 'vitest';
import { fallbackModel } from './fallback-model.ts';

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
