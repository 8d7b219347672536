import { defineResourcespace, tool } from '@bae/core';
import { expectBalanced } from '@bae/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sent, stage } from './stage.ts';

/** A home whose tool cancels the turn on its second call and then takes its time. */
function cancelling(controller: AbortController) {
  let calls = 0;
  const read = tool('x', { target: z.string() }, async ({ target }, { signal }) => {
    if (++calls !== 2) return `content of ${target}`;
    setTimeout(() => controller.abort(), 1);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return 'too late';
  });
  return { home: defineResourcespace({ name: 'shelf', description: 'x', tools: { read } }), count: () => calls };
}

describe('cancelling a turn', () => {
  it('rejects, runs nothing more, and the next prompt still knows what ran', async () => {
    const controller = new AbortController();
    const { home, count } = cancelling(controller);
    const { agent, model, events } = stage(['<R:a>\n<R:b>\n<R:c>', 'Going on.'], {}, { home });
    await expect(agent.ask('read all', { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(count()).toBe(2);
    expectBalanced(events);
    expect(events.filter(({ type }) => type === 'answer')).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'aborted' });
    const before = events.length;

    expect(await agent.ask('and now?')).toBe('Going on.');
    expect(sent(model, 1)).toMatch(/#1 [0-9a-f]{6} <R:a> \[home\] ok\ncontent of a/);
    expect(sent(model, 1)).toMatch(
      /#2 [0-9a-f]{6} <R:b> \[home\] AbortError\nAbortError: interrupted, outcome unknown\. Check its effect/,
    );
    expect(sent(model, 1)).toContain('[Note] 1 of 3 calls did not run.');
    expect(sent(model, 1)).toContain('[Note] The turn before was cancelled by the user.');
    expect(sent(model, 1).endsWith('and now?')).toBe(true);
    expect(events.slice(before).every(({ turn }) => turn === 2)).toBe(true);
  });

  it('refuses a turn whose signal has aborted already, without asking the model', async () => {
    const { agent, model, events } = stage(['never']);
    await expect(agent.ask('hi', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(model.sends).toHaveLength(0);
    expectBalanced(events);
  });

  it('ends a prompt that waits for the one before it, at once and without a trace', async () => {
    const { promise: read, resolve: finish } = Promise.withResolvers<string>();
    const { agent, model, events } = stage([() => read, 'Third.']);
    const controller = new AbortController();
    const first = agent.ask('first');
    const second = agent.ask('second', { signal: controller.signal });
    const third = agent.ask('third');
    await expect.poll(() => model.sends.length).toBe(1);
    controller.abort();
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    finish('First.');
    expect([await first, await third]).toEqual(['First.', 'Third.']);
    expect(sent(model, 1)).not.toContain('second');
    expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(2);
    expectBalanced(events);
  });

  it('of a move keeps the move, and shows the place whole the next time', async () => {
    const { promise: open, resolve: letIn } = Promise.withResolvers<string>();
    const work = tool('Works for a while.', { target: z.string() }, () => 'done');
    const controller = new AbortController();
    const enter = () => {
      setImmediate(() => controller.abort());
      return open;
    };
    const slow = defineResourcespace({ name: 'slow', description: 'x', tools: { work }, enter });
    const { agent, model, events } = stage(['@slow()', '@home()\n@slow()', 'Done.'], {}, { spaces: [slow] });
    await expect(agent.ask('go', { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(events.filter(({ type }) => type === 'space-enter')).toMatchObject([{ from: 'home', to: 'slow' }]);
    letIn('You are in.');
    await new Promise(setImmediate);
    await agent.ask('again');
    expect(sent(model, 1)).toContain('[Location: home > slow]');
    expect(sent(model, 2).split(/#2 [0-9a-f]{6} @slow\(\)/)[1]).toContain('Works for a while.');
  });

  it('happens when the reader of a stream leaves', async () => {
    const { agent, events } = stage(['<R:a>', 'done'], { a: 'A' });
    for await (const event of agent.stream('read')) if (event.type === 'call-end') break;
    await agent.run('' as never);
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'aborted' });
  });
});
