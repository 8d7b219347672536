import { expect, it } from 'vitest';
import { z } from 'zod';
import { approvalPolicy, allowAll } from '../approval/approval-policy.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { ApprovalRequest } from '../protocol/approver.ts';
import { asModelText, type Message, type Model } from '../protocol/model.ts';
import { createAgent } from './create-agent.ts';

const translate = tool(
  'In English.',
  { text: z.string() },
  async ({ text }, { model }) => `English: ${await model(`Translate: ${text}`)}`,
  { effect: 'read' },
);
const words = defineResourcespace({ name: 'words', description: 'Words.', tools: { translate } });

/** A model that answers prompts of tools, and else calls the tool once. */
function scriptedModel() {
  const asked: (readonly Message[])[] = [];
  const model: Model = {
    name: 'test/one',
    async *respond(messages) {
      asked.push([...messages]);
      const isTool = messages.length === 1;
      const isOver = messages.some(({ role }) => role === 'assistant');
      yield { type: 'text-delta', text: isTool ? '<W:a.txt>owned</W>' : isOver ? 'done' : '<words.translate:Hund>' };
      yield { type: 'usage', usage: { inputTokens: 10, outputTokens: isTool ? 5 : 1, cachedTokens: 0 } };
      yield { type: 'end', reason: 'stop' };
    },
  };
  return { model, asked };
}

it('a tool asks the model without the conversation; what it uses counts for the turn', async () => {
  const { model, asked } = scriptedModel();
  const agent = createAgent({ model, spaces: [words], approver: allowAll });
  let totals: object = {};
  const verbs: string[] = [];
  agent.subscribe((event) => {
    if (event.type === 'turn-end') ({ totals } = event);
    if (event.type === 'call-start') verbs.push(event.verb);
  });
  expect(await agent.ask('go')).toBe('done');
  expect(asked[1]).toEqual([{ role: 'user', text: 'Translate: Hund' }]);
  expect(totals).toMatchObject({ inputTokens: 30, outputTokens: 7, sends: 2 });
  // What it answers is never a call.
  expect(verbs).toEqual(['translate']);
  expect(asked[2]?.at(-1)?.text).toContain('English: <W:a.txt>owned</W>');
});

it('the person is asked first, with the prompt, and may refuse', async () => {
  const { model, asked } = scriptedModel();
  const requests: ApprovalRequest[] = [];
  const ask = async (request: ApprovalRequest) => {
    requests.push(request);
    return { decision: 'deny' } as const;
  };
  const agent = createAgent({ model, spaces: [words], approver: approvalPolicy({ ask }) });
  const { calls } = await agent.run(asModelText('<words.translate:Hund>'));
  expect(requests).toMatchObject([{ target: 'model:test/one', reason: 'it asks the model test/one' }]);
  expect(await requests[0]!.preview!()).toBe('Translate: Hund');
  expect(calls[0]?.result).toMatchObject({ ok: false, errorType: 'ApprovalError' });
  expect(asked).toEqual([]);
});

it('no model is asked when a limit of the turn is reached, or when there is none', async () => {
  const { model, asked } = scriptedModel();
  const agent = createAgent({ model, spaces: [words], approver: allowAll, maxTokens: 5 });
  await agent.ask('go');
  expect(asked).toHaveLength(1);
  const { calls } = await createAgent({ spaces: [words], approver: allowAll }).run(
    asModelText('<words.translate:Hund>'),
  );
  expect(calls[0]?.result.text).toBe(
    'ResourceError: words: translate asks a model, but there is none here.\nTry: start bae with a model: --model NAME',
  );
});
