import { expect, it } from 'vitest';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { AgentEvent } from '../protocol/agent-event.ts';
import { asModelText } from '../protocol/model.ts';
import { createAgent } from './create-agent.ts';

function openWorks() {
  const test = tool('Runs tests.', {}, () => ({ text: '20 passed, 1 failed', failed: true }), { effect: 'read' });
  const lint = tool('Runs a linter.', {}, () => ({ text: 'clean', failed: false }), { effect: 'read' });
  return createAgent({
    spaces: [defineResourcespace({ name: 'works', description: 'Works.', tools: { test, lint } })],
  });
}

it('the header of a call says whether what it ran has failed', async () => {
  const { feedback } = await openWorks().run(asModelText('<works.test:>\n<works.lint:>'));
  expect(feedback).toMatch(/^#1 \w+ <works\.test:> \[works\] failed\n20 passed, 1 failed$/m);
  expect(feedback).toMatch(/^#2 \w+ <works\.lint:> \[works\] ok\nclean$/m);
});

it('the call itself is done: code gets its result, and its event has both facts', async () => {
  const agent = openWorks();
  const ends: AgentEvent[] = [];
  agent.subscribe((event) => void (event.type === 'call-end' && ends.push(event)));
  const { calls } = await agent.run(asModelText('<works.test:>\n<works.lint:>'));
  expect(calls[0]!.result).toMatchObject({ ok: true, failed: true, text: '20 passed, 1 failed' });
  expect(calls[1]!.result).not.toHaveProperty('failed');
  expect(ends.map((end) => 'failed' in end)).toEqual([true, false]);
});
