import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { asModelText } from '../protocol/model.ts';
import type { AskPerson } from '../protocol/tool-definition.ts';
import { createAgent } from './create-agent.ts';
import { createDefaultHost } from '../protocol/host.ts';

const book = tool(
  'Books it.',
  { target: z.string().default('') },
  async (_args, { ask }) => {
    const answers = await ask({ text: 'Where to?', fields: { city: { type: 'string' } } });
    return answers === undefined ? 'not booked' : `booked ${String(answers['city'])}`;
  },
  { effect: 'read' },
).named('book');
const wait = tool(
  'Books it in time.',
  { target: z.string().default('') },
  async ({ target }, { ask }) => {
    const city = { type: 'string', ...(target === '' ? {} : { default: target }) } as const;
    const fields = {
      city,
      class: { type: 'integer', optional: true },
      quiet: { type: 'boolean', default: false },
    } as const;
    return JSON.stringify(await ask({ text: 'Where to?', fields, timeoutMs: 30_000 }));
  },
  { effect: 'read' },
).named('wait');
const desk = defineResourcespace({ name: 'desk', description: 'A desk.', tools: { book, wait } });

/** The timers that run. */
const running = new Set<() => void>();
const timers = {
  setTimeout: (callback: () => void) => {
    running.add(callback);
    return callback;
  },
  clearTimeout: (callback: unknown) => void running.delete(callback as () => void),
};

async function run(askPerson?: AskPerson, tag = '<desk.book:>') {
  const host = { ...createDefaultHost(), timers };
  const agent = createAgent({ host, spaces: [desk], ...(askPerson && { askPerson }) });
  const { calls } = await agent.run(asModelText(tag));
  return calls[0]!.result;
}

it('a tool asks the person, with the time of the call paused', async () => {
  const questions: unknown[] = [];
  const result = await run(async (question) => {
    questions.push(question);
    expect(running.size).toBe(0);
    return { city: 'Rome' };
  });
  expect(result).toMatchObject({ ok: true, text: 'booked Rome' });
  expect(questions).toEqual([{ text: 'Where to?', fields: { city: { type: 'string' } }, space: 'desk', tool: 'book' }]);
});

it('a person need not answer', async () => {
  expect(await run(async () => undefined)).toMatchObject({ text: 'not booked' });
});

it('a question with a time limit is answered by its defaults when the time is up, and no longer shown', async () => {
  const signals: AbortSignal[] = [];
  const wait: AskPerson = (_question, signal) => {
    signals.push(signal);
    queueMicrotask(() => {
      // The time of the call is paused: this is that of the question.
      for (const callback of running) callback();
    });
    return new Promise(() => undefined);
  };
  expect(await run(wait, '<desk.wait:Rome>')).toMatchObject({ ok: true, text: '{"city":"Rome","quiet":false}' });
  expect(await run(wait, '<desk.wait:>')).toMatchObject({
    ok: false,
    text: expect.stringContaining('ResourceError: desk: no one answered wait within 30 s: Where to?'),
  });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(await run(async () => ({ city: 'Bern' }), '<desk.wait:Rome>')).toMatchObject({ text: '{"city":"Bern"}' });
  expect(running.size).toBe(0);
});

it('where nobody is there, a question is an error that says so', async () => {
  const { ok, text } = await run();
  expect(ok).toBe(false);
  expect(text).toBe(
    'ResourceError: desk: book asks a question, but no one is available to answer: Where to?\nTry: run it where a person can answer: in the shell',
  );
});
