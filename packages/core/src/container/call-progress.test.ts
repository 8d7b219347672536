import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { AgentEvent } from '../protocol/agent-event.ts';
import { asModelText } from '../protocol/model.ts';
import type { ToolContext } from '../protocol/tool-definition.ts';
import { createAgent } from './create-agent.ts';
import { createDefaultHost } from '../protocol/host.ts';

/** An agent whose clock the test moves, and what its tool does. */
function open(work: (report: ToolContext['progress'], wait: (ms: number) => void) => Promise<void>) {
  let now = 0;
  const host = { ...createDefaultHost(), clock: { now: () => now } };
  const wait = (ms: number): void => void (now += ms);
  let late: ToolContext['progress'] | undefined;
  const build = tool(
    'Builds it.',
    { target: z.string() },
    async (_args, { progress }) => {
      late = progress;
      await work(progress, wait);
      return 'built';
    },
    { effect: 'read' },
  ).named('build');
  const logged: string[] = [];
  const agent = createAgent({
    host,
    spaces: [defineResourcespace({ name: 'works', description: 'Works.', tools: { build } })],
    log: { append: async ({ type }: AgentEvent) => void logged.push(type) },
  });
  const events: AgentEvent[] = [];
  agent.subscribe((event) => void events.push(event));
  return { agent, events, logged, reportLate: () => late?.(9) };
}

it('what a tool reports of its progress is an event between the start and the end of its call', async () => {
  const { agent, events, logged, reportLate } = open(async (report, wait) => {
    report(0, 3, 'reading a.ts');
    wait(100);
    report(1, 3);
    wait(100);
    report(2);
  });
  await agent.run(asModelText('<works.build:all>'));
  reportLate();
  await agent.run(asModelText('@works()'));
  const [start, ...rest] = events.slice(0, 5);
  expect(start).toMatchObject({ type: 'call-start' });
  expect(
    rest.map((event) => (event.type === 'call-progress' ? [event.done, event.total, event.text] : event.type)),
  ).toEqual([[0, 3, 'reading a.ts'], [1, 3, undefined], [2, undefined, undefined], 'call-end']);
  expect(logged).not.toContain('call-progress');
  expect(events.filter(({ type }) => type === 'call-progress')).toHaveLength(3);
});

it('at most ten reports a second are passed on, and always that all is done', async () => {
  const { agent, events } = open(async (report, wait) => {
    for (let done = 0; done < 1000; done++) {
      report(done, 1000);
      wait(1);
    }
    report(1000, 1000);
  });
  await agent.run(asModelText('<works.build:all>'));
  const passed = events.flatMap((event) => (event.type === 'call-progress' ? [event.done] : []));
  expect(passed).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
});
