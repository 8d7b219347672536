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
const desk = defineResourcespace({ name: 'desk', description: 'A desk.', tools: { book } });

/** The timers that run. */
const running = new Set<unknown>();
const timers = {
  setTimeout: (callback: () => void) => {
    running.add(callback);
    return callback;
  },
  clearTimeout: (callback: unknown) => void running.delete(callback),
};

async function run(askPerson?: AskPerson) {
  const host = { ...createDefaultHost(), timers };
  const agent = createAgent({ host, spaces: [desk], ...(askPerson && { askPerson }) });
  const { calls } = await agent.run(asModelText('<desk.book:>'));
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

it('where nobody is there, a question is an error that says so', async () => {
  const { ok, text } = await run();
  expect(ok).toBe(false);
  expect(text).toBe(
    'ResourceError: desk: book asks a question, but no one is available to answer: Where to?\nTry: run it where a person can answer: in the shell',
  );
});
