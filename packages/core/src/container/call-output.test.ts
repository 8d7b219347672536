import { expect, it } from 'vitest';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { AgentEvent } from '../protocol/agent-event.ts';
import { asModelText } from '../protocol/model.ts';
import type { ToolContext } from '../protocol/tool-definition.ts';
import { createAgent } from './create-agent.ts';

/** What is passed on of a tool's output, and the types of all events. */
async function watch(work: (context: ToolContext) => unknown) {
  const build = tool('Builds it.', {}, (_args, context) => work(context) as string, { effect: 'read' });
  const logged: string[] = [];
  const agent = createAgent({
    spaces: [defineResourcespace({ name: 'works', description: 'Works.', tools: { build } })],
    log: { append: ({ type }: AgentEvent) => void logged.push(type) },
  });
  const texts: string[] = [];
  const types: string[] = [];
  agent.subscribe((event) => {
    types.push(event.type);
    if (event.type === 'call-output') texts.push(event.text);
  });
  const { calls } = await agent.run(asModelText('<works.build:>'));
  return { texts, types, logged, text: calls[0]!.result.text };
}

const pause = () => new Promise((resolve) => setImmediate(resolve));

it('what a tool passes on arrives as it comes, in whole lines, between start and end of its call', async () => {
  const { texts, types, logged, text } = await watch(async ({ output }) => {
    output('one\nt');
    await pause();
    output('wo\n');
    await pause();
    output('three');
    return 'built';
  });
  expect(texts).toEqual(['one\n', 'two\n', 'three']);
  expect(types).toEqual(['call-start', 'call-output', 'call-output', 'call-output', 'call-end']);
  expect([text, logged]).toEqual(['built', ['call-start', 'call-end']]);
});

it('texts of a generator are passed on, and are the result', async () => {
  const { texts, text } = await watch(async function* build() {
    yield 'one\n';
    await pause();
    yield 'two\n';
  });
  expect([texts.join(''), text]).toEqual(['one\ntwo\n', 'one\ntwo\n']);
});

it('keys are masked, also one that comes in two pieces', async () => {
  const { texts } = await watch(async ({ output }) => {
    output('key: ghp_0123456789abc');
    await pause();
    output('defghijklmnopqrstuvwxyz0123\n');
    return 'built';
  });
  expect(texts.join('')).toMatch(/^key: /);
  expect(texts.join('')).not.toContain('0123456789abc');
});

it('a tool that prints without end is passed on up to a limit, and not at all once its call is over', async () => {
  let late: ToolContext['output'] | undefined;
  const { texts } = await watch(({ output }) => {
    late = output;
    for (let count = 0; count < 3000; count++) output(`${'x'.repeat(999)}\n`);
    return 'built';
  });
  late!('late\n');
  await pause();
  const all = texts.join('');
  expect(all.length).toBeLessThan(1_010_000);
  expect(all).toMatch(/\(what follows is only in the result\)\n$/);
});
