import { expect, it } from 'vitest';
import { z } from 'zod';
import { createScriptedModel } from '../../test/scripted-model.ts';
import { approvalPolicy } from '../approval/approval-policy.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { AgentEvent } from '../protocol/agent-event.ts';
import type { ApprovalRequest } from '../protocol/approver.ts';
import { asModelText } from '../protocol/model.ts';
import { createAgent } from './create-agent.ts';
import type { AgentOptions } from './agent-options.ts';

type Hooks = NonNullable<AgentOptions['hooks']>;

const sent: string[] = [];
const send = tool('Sent.', { text: z.string() }, ({ text }) => `sent ${sent[sent.push(text) - 1]}`, {
  effect: 'write',
});
const post = defineResourcespace({ name: 'post', description: 'Letters.', tools: { send } });

async function call(hooks: Hooks) {
  sent.length = 0;
  const asked: ApprovalRequest[] = [];
  const ask = async (request: ApprovalRequest) => (asked.push(request), { decision: 'allow' } as const);
  const agent = createAgent({ spaces: [post], hooks, approver: approvalPolicy({ ask }) });
  const events: AgentEvent[] = [];
  agent.subscribe((event) => void events.push(event));
  const { calls } = await agent.run(asModelText('<post.send:everything>'));
  const runs = events.flatMap((event) =>
    event.type === 'hook' ? [`${event.hook} ${event.part} ${event.outcome}`] : [],
  );
  return { text: calls[0]!.result.text, asked, runs };
}

it('a hook changes a call before anybody is asked, in the order of the list: what is shown is what runs', async () => {
  const { text, asked, runs } = await call([
    { name: 'one', beforeCall: ({ arg }) => ({ arg: `${arg} of it` }) },
    { name: 'two', beforeCall: ({ tool: name, space, arg }) => ({ arg: `${space} ${name}: ${arg.slice(0, 5)}` }) },
    { name: 'three', beforeCall: () => undefined },
  ]);
  expect(text).toBe('sent post send: every');
  expect(asked).toMatchObject([{ tag: '<post.send:post send: every>', args: { text: 'post send: every' } }]);
  expect(runs).toEqual(['one beforeCall changed', 'two beforeCall changed', 'three beforeCall unchanged']);
});

it('a hook refuses a call, of which nobody is asked', async () => {
  const { text, asked, runs } = await call([
    { name: 'night', beforeCall: () => ({ refuse: 'it is late' }) },
    { name: 'never', beforeCall: () => ({ arg: 'x' }) },
  ]);
  expect(text).toBe('ApprovalError: send was not run: the hook night refuses it: it is late');
  expect([asked, sent, runs]).toEqual([[], [], ['night beforeCall refused']]);
});

it.each([
  [() => Promise.reject(new Error('no rules')), 'Error: no rules'],
  [() => new Promise<undefined>(() => undefined), 'Error: it took longer than 0.01 s'],
  [() => ({ verb: 'read' }) as never, 'TypeError: beforeCall: verb: a hook changes arg, kwargs and body of a call'],
  [() => ({ space: 'home' }) as never, 'TypeError: beforeCall: space: a hook changes'],
  [() => ({ arg: 7 }) as never, 'TypeError: beforeCall: arg, body: expected texts'],
  [() => 'no' as never, 'TypeError: beforeCall: expected { refuse } or { arg, kwargs, body }'],
])('a hook that fails, or wants something else, refuses the call', async (beforeCall, failure) => {
  const { text, runs } = await call([{ name: 'broken', timeoutMs: 10, beforeCall }]);
  expect(text).toContain(`ApprovalError: send was not run: the hook broken failed: ${failure}`);
  expect([sent, runs]).toEqual([[], ['broken beforeCall failed']]);
});

it('a hook takes something out of a result, which nobody gets then, and hides all of it when it fails', async () => {
  const hide = await call([{ name: 'hide', afterCall: (_call, { text }) => text.replace('everything', '…') }]);
  expect(hide.text).toBe('sent …');
  const broken = await call([
    {
      name: 'broken',
      afterCall: () => {
        throw new Error('no rules');
      },
    },
  ]);
  expect(broken.text).toBe('(the result is not shown: the hook broken failed: Error: no rules)');
});

it('hooks add to the end of a message, and hear every event', async () => {
  const { model, sends } = createScriptedModel('done');
  const heard: string[] = [];
  const hooks: Hooks = [
    { name: 'one', beforeSend: () => 'It rains.', onEvent: ({ type }) => void heard.push(type) },
    { name: 'two', beforeSend: (message) => (message.endsWith('It rains.') ? 'Take an umbrella.' : undefined) },
    {
      name: 'broken',
      beforeSend: () => {
        throw new Error('x');
      },
    },
  ];
  expect(await createAgent({ model, hooks }).ask('go')).toBe('done');
  expect(sends[0]?.at(-1)?.text).toMatch(/go\n\nIt rains\.\n\nTake an umbrella\.$/);
  expect(heard).toContain('turn-end');
});

it('a hook knows which session a message belongs to', async () => {
  const { model, sends } = createScriptedModel('done', 'done');
  const hooks: Hooks = [{ name: 'one', beforeSend: (_message, label) => `session ${label}` }];
  const agent = createAgent({ model, hooks });
  await agent.ask('go');
  await agent.session('other').ask('go');
  expect(sends.map((messages) => messages.at(-1)?.text.split('\n').at(-1))).toEqual(['session 1', 'session other']);
});

it.each([
  [[{ beforeCall: () => undefined }], "hooks[0].name: expected a name like 'audit'."],
  [[{ name: 'a' }], 'hooks[0] (a): expected one of the functions beforeCall, afterCall, beforeSend, onEvent.'],
])('what is no hook is named', (hooks, message) => {
  expect(() => createAgent({ hooks: hooks as never })).toThrow(message);
});
