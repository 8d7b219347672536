import { allowAll, createAgent, defineResourcespace, tool, type AgentEvent } from '@bae/core';
import { expectBalanced, recordEvents } from '@bae/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FakeClaude, isAlive, type FakeTurn } from '../../test/fake-claude.ts';
import { claudeCli } from './claude-cli.ts';

const SETTLES_MS = 250;
const fakes: FakeClaude[] = [];
afterEach(async () => {
  await Promise.all(fakes.splice(0).map((fake) => fake.remove()));
});

/** An agent over a command that does this, call by call, with one tool. */
async function agentOf(turns: readonly FakeTurn[]) {
  const fake = await FakeClaude.create(turns);
  fakes.push(fake);
  const read = tool('Text.', { target: z.string() }, ({ target }) => `content of ${target}`);
  const home = defineResourcespace({ name: 'shelf', description: 'x', tools: { read } });
  const agent = createAgent({ model: claudeCli({ command: fake.command }), home, approver: allowAll });
  const recorder = recordEvents();
  agent.subscribe(recorder);
  return { fake, agent, events: recorder.events };
}

/** Cancels a turn once the command hangs, and returns the number of the command’s child. */
async function cancelWhileItHangs({ fake, agent, events }: Awaited<ReturnType<typeof agentOf>>): Promise<number> {
  const controller = new AbortController();
  const turn = agent.ask('Go.', { signal: controller.signal }).catch((error: unknown) => (error as Error).name);
  await expect.poll(() => fake.childPid(), { timeout: 20_000 }).toBeDefined();
  controller.abort();
  const late = new Promise((resolve) => setTimeout(resolve, SETTLES_MS, 'late'));
  expect(await Promise.race([turn, late])).toBe('AbortError');
  expectBalanced(events);
  expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'aborted' });
  return (await fake.childPid())!;
}

const typesOf = (events: readonly AgentEvent[]): readonly string[] => events.map(({ type }) => type);

describe('a turn over the command line that is cancelled', () => {
  it('leaves no process, and the next one is told in a fresh session what ran', async () => {
    const stage = await agentOf([{ text: '<R:a>' }, { text: '<R:b>', hang: true }, { text: 'Fine.' }]);
    const child = await cancelWhileItHangs(stage);
    await expect.poll(() => isAlive(child)).toBe(false);
    expect(typesOf(stage.events).filter((type) => type === 'call-start')).toHaveLength(1);

    expect(await stage.agent.ask('And now?')).toBe('Fine.');
    const [first, , next] = await stage.fake.calls();
    expect(next?.args).toContain('--session-id');
    expect(next?.args.at(-1)).not.toBe(first?.args.at(-1));
    expect(next?.args.at(-1)).toContain('content of a');
    expect(next?.args.at(-1)).toMatch(/\[Note\] The turn before was cancelled by the user\.\n\nAnd now\?$/);
  });

  it('executes nothing of what had been printed', async () => {
    const stage = await agentOf([{ text: '<R:a>\n<R:b>\n', hang: true }, { text: 'Fine.' }]);
    await cancelWhileItHangs(stage);
    expect(typesOf(stage.events)).not.toContain('call-start');
    expect(await stage.agent.ask('And now?')).toBe('Fine.');
  });
});
