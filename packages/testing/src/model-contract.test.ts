import { ModelError, type Model, type ModelPart } from '@bae/core';
import { expect, it } from 'vitest';
import { modelContract } from './model-contract.ts';

type Respond = Model['respond'];

/** The complaint of one case about a model that answers as given. */
async function complaint(title: string, respond: Respond, name = 'broken'): Promise<string> {
  const contractCase = modelContract(() => ({ model: { name, respond } })).find((one) => one.title === title);
  if (contractCase === undefined) throw new Error(`no case '${title}'`);
  return contractCase.run().then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  );
}

function saying(...parts: readonly ModelPart[]): Respond {
  return async function* respond() {
    yield* parts;
  };
}

const TEXT: ModelPart = { type: 'text-delta', text: 'Just an answer.' };
const STOP: ModelPart = { type: 'end', reason: 'stop' };
const ERROR: ModelPart = { type: 'error', error: new ModelError('no') };
const STREAMS = 'streams a text and ends it with one stop';
const FAILS = 'reports a failure as one error, after which nothing follows';
const CANCELS = 'sends nothing when it is cancelled before it starts';
const COUNTS = 'reports usage at most once, before the end';

function counting(inputTokens: number): ModelPart {
  return { type: 'usage', usage: { inputTokens, outputTokens: 1, cachedTokens: 0 } };
}

function throwing(): never {
  throw new Error('thrown');
}

function meddling(...[messages, options]: Parameters<Respond>): ReturnType<Respond> {
  (messages as unknown[]).push('more');
  return saying(TEXT, STOP)(messages, options);
}

it.each<readonly [string, Respond, string]>([
  [STREAMS, saying(TEXT, STOP), 'none'],
  [STREAMS, saying(TEXT), `its last part is ${JSON.stringify(TEXT)}, not a stop`],
  [STREAMS, saying(TEXT, STOP, STOP), 'it ended more than once'],
  [STREAMS, saying(STOP), 'it sent "" instead of "Just an answer."'],
  [
    STREAMS,
    saying(TEXT, { type: 'end', reason: 'length' }),
    'its last part is {"type":"end","reason":"length"}, not a stop',
  ],
  [STREAMS, saying(TEXT, ERROR), 'it failed: no'],
  [STREAMS, saying(), 'it sent "" instead of "Just an answer."'],
  [STREAMS, throwing, 'thrown'],
  [FAILS, saying(ERROR), 'none'],
  [FAILS, saying(STOP), 'it has 0 error parts, not one'],
  [FAILS, saying(ERROR, ERROR), 'it has 2 error parts, not one'],
  [FAILS, saying(ERROR, STOP), 'its last part is {"type":"end","reason":"stop"}, not the error'],
  [FAILS, saying({ type: 'error', error: new Error('plain') as ModelError }), 'its error is not a ModelError'],
  [CANCELS, saying(), 'none'],
  [CANCELS, saying({ type: 'end', reason: 'cancelled' }), 'none'],
  [CANCELS, saying(TEXT), 'it sent "Just an answer.", which is more than ""'],
  [CANCELS, saying(STOP), 'it ended with a normal stop although it was cancelled'],
  [CANCELS, saying(ERROR), 'it reported an error for a cancellation'],
  [COUNTS, saying(TEXT, STOP), 'none'],
  [COUNTS, saying(counting(1), STOP), 'none'],
  [COUNTS, saying(counting(1), counting(1), STOP), 'it reported usage 2 times'],
  [COUNTS, saying(counting(1.5), STOP), 'its inputTokens is 1.5, not a whole number'],
  [COUNTS, saying(STOP, counting(1)), `its last part is ${JSON.stringify(counting(1))}, not the end`],
])('%s: of a model the complaint is as expected (%#)', async (title, respond, expected) => {
  expect(await complaint(title, respond)).toBe(expected);
});

it('complains of a model without a name', async () => {
  expect(await complaint('has a name', saying(), ' ')).toBe('its name is empty');
});

it('complains of a model that changes the messages', async () => {
  expect(await complaint(STREAMS, meddling)).toMatch(/not extensible/);
});

it('disposes of the model and of what was started for it, also after a failure', async () => {
  const disposed: string[] = [];
  const model: Model = { name: 'x', respond: saying(), dispose: () => void disposed.push('model') };
  const [, second] = modelContract(() => ({ model, dispose: () => void disposed.push('subject') }));
  await expect(second?.run()).rejects.toThrow('it sent ""');
  expect(disposed).toEqual(['model', 'subject']);
});
