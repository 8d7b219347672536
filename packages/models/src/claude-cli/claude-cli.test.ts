// @module-tag long

import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import {
  allowAll,
  createAgent,
  defineResourcespace,
  tool,
  type AgentEvent,
  type Message,
  type Model,
  type ModelPart,
} from '@bae/core';
import { expectBalanced, recordEvents } from '@bae/testing';
import { describeModel } from '@bae/testing/vitest';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FakeClaude, isAlive, type FakeTurn } from '../../test/fake-claude.ts';
import { claudeCli, type ClaudeCliOptions } from './claude-cli.ts';

describeModel('the claude command line', async (responses) => {
  const turns = responses.map((response): FakeTurn => {
    if (response.kind === 'fault') return { stderr: 'something broke', code: 1 };
    return response.kind === 'stall' ? { text: response.text, hang: true } : { text: response.text };
  });
  const fake = await FakeClaude.create(turns);
  return { model: claudeCli({ command: fake.command }), dispose: () => fake.remove() };
});

const fakes: FakeClaude[] = [];
afterEach(async () => {
  await Promise.all(fakes.splice(0).map((fake) => fake.remove()));
});

async function setUp(turns: readonly FakeTurn[], options: ClaudeCliOptions = {}) {
  const fake = await FakeClaude.create(turns);
  fakes.push(fake);
  return { fake, model: claudeCli({ command: fake.command, ...options }) };
}

async function ask(model: Model, messages: readonly Message[], signal = new AbortController().signal) {
  const parts: ModelPart[] = [];
  for await (const part of model.respond(messages, { signal })) parts.push(part);
  return parts;
}

const system = (text: string): Message => ({ role: 'system', text });
const user = (text: string): Message => ({ role: 'user', text });
const assistant = (text: string): Message => ({ role: 'assistant', text });
const START = [system('Be terse.'), user('Hello')];
const after = (args: readonly string[] | undefined, flag: string) => args?.[args.indexOf(flag) + 1];
const prompt = (args: readonly string[] | undefined) => args?.at(-1);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('a send', () => {
  it('asks for text, with every tool, server, command and project setting switched off', async () => {
    const { fake, model } = await setUp([{ text: 'Hi.' }]);
    await ask(model, START);
    const [call] = await fake.calls();
    const id = after(call?.args, '--session-id');
    expect(id).toMatch(UUID);
    expect(call?.args).toEqual([
      '--print',
      '--output-format',
      'text',
      '--tools',
      '',
      '--strict-mcp-config',
      '--disable-slash-commands',
      '--setting-sources',
      'user',
      '--system-prompt',
      'Be terse.',
      '--session-id',
      id,
      '--',
      'Hello',
    ]);
  });

  it('gives the command nothing to read and a process group of its own', async () => {
    const { fake, model } = await setUp([{ text: 'Hi.' }]);
    await ask(model, START);
    expect((await fake.calls())[0]).toMatchObject({ stdin: '/dev/null', leader: true });
  });

  it('runs in the given folder and with the given model', async () => {
    const cwd = await realpath(tmpdir());
    const { fake, model } = await setUp([{ text: 'Hi.' }], { cwd, model: 'opus' });
    await ask(model, START);
    const [call] = await fake.calls();
    expect([call?.cwd, after(call?.args, '--model'), model.name]).toEqual([cwd, 'opus', 'claude-cli/opus']);
  });

  it('takes a prompt that looks like an option for a prompt', async () => {
    const { fake, model } = await setUp([{ text: 'Hi.' }]);
    await ask(model, [user('--help')]);
    expect((await fake.calls())[0]?.args.slice(-2)).toEqual(['--', '--help']);
  });

  it('drops the line break that the command adds, and no other', async () => {
    const { model } = await setUp([{ text: 'one\ntwo\n' }]);
    const parts = await ask(model, START);
    expect(parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')).toBe('one\ntwo\n');
  });
});

describe('a conversation', () => {
  it('resumes its session, and sends only what is new', async () => {
    const { fake, model } = await setUp([{ text: 'Hi.' }, { text: 'Fine.' }]);
    await ask(model, START);
    await ask(model, [...START, assistant('Hi.'), user('How are you?')]);
    const [first, second] = await fake.calls();
    expect(after(second?.args, '--resume')).toBe(after(first?.args, '--session-id'));
    expect(second?.args).not.toContain('--session-id');
    expect(prompt(second?.args)).toBe('How are you?');
  });

  it('gives the instructions again, because a resumed session does not keep them', async () => {
    const { fake, model } = await setUp([{ text: 'Hi.' }, { text: 'Fine.' }]);
    await ask(model, START);
    await ask(model, [...START, assistant('Hi.'), user('How are you?')]);
    expect(after((await fake.calls())[1]?.args, '--system-prompt')).toBe('Be terse.');
  });

  it('is kept apart from another one of the same model', async () => {
    const { fake, model } = await setUp([{ text: 'A1' }, { text: 'B1' }, { text: 'A2' }]);
    await ask(model, [user('A')]);
    await ask(model, [user('B')]);
    await ask(model, [user('A'), assistant('A1'), user('more')]);
    const ids = (await fake.calls()).map(({ args }) => after(args, '--session-id') ?? '');
    expect(after((await fake.calls())[2]?.args, '--resume')).toBe(ids[0]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('that was rewritten gets a fresh session, which receives all of it', async () => {
    const { fake, model } = await setUp([{ text: 'Hi.' }, { text: 'Fine.' }]);
    await ask(model, START);
    await ask(model, [system('Be terse.'), user('Hello, masked'), assistant('Hi.'), user('How are you?')]);
    const [first, second] = await fake.calls();
    expect(after(second?.args, '--session-id')).not.toBe(after(first?.args, '--session-id'));
    expect(prompt(second?.args)).toMatchInlineSnapshot(`
      "The conversation so far, oldest message first. Answer the last one.

      --- user ---
      Hello, masked

      --- assistant ---
      Hi.

      --- user ---
      How are you?"
    `);
  });

  const troubles: readonly (readonly [string, FakeTurn, ClaudeCliOptions])[] = [
    ['an error', { stderr: 'broken', code: 2 }, {}],
    ['a timeout', { text: 'I beg', hang: true }, { timeoutMs: 1200 }],
  ];
  it.each(troubles)('goes on in a fresh session after %s', async (_, trouble, options) => {
    const { fake, model } = await setUp([{ text: 'Hi.' }, trouble, { text: 'Here again.' }], options);
    const second = [...START, assistant('Hi.'), user('And?')];
    await ask(model, START);
    expect((await ask(model, second)).at(-1)?.type).toBe('error');
    expect((await ask(model, second)).at(-1)).toEqual({ type: 'end', reason: 'stop' });
    const calls = await fake.calls();
    expect(after(calls[1]?.args, '--resume')).toBe(after(calls[0]?.args, '--session-id'));
    expect(after(calls[2]?.args, '--session-id')).toMatch(UUID);
    expect(prompt(calls[2]?.args)).toContain('--- user ---\nHello\n\n--- assistant ---\nHi.\n\n--- user ---\nAnd?');
  });

  it('goes on in a fresh session after it was cancelled', async () => {
    const { fake, model } = await setUp([{ text: 'Half', hang: true }, { text: 'Whole.' }]);
    const controller = new AbortController();
    for await (const _ of model.respond(START, controller)) controller.abort();
    await ask(model, [...START, user('Again')]);
    const [first, second] = await fake.calls();
    expect(after(second?.args, '--session-id')).not.toBe(after(first?.args, '--session-id'));
    expect(prompt(second?.args)).toContain('--- user ---\nHello\n\n--- user ---\nAgain');
  });
});

async function hang() {
  const { fake, model } = await setUp([{ text: 'Working', hang: true }]);
  const controller = new AbortController();
  const parts = model.respond(START, controller)[Symbol.asyncIterator]();
  await parts.next();
  await expect.poll(() => fake.childPid()).toBeTypeOf('number');
  return { fake, model, controller, parts, child: (await fake.childPid())! };
}

describe('ending a send', () => {
  it('by cancelling it leaves no process behind, its children included', async () => {
    const { controller, parts, child } = await hang();
    expect(isAlive(child)).toBe(true);
    controller.abort();
    expect(await parts.next()).toEqual({ done: false, value: { type: 'end', reason: 'cancelled' } });
    expect((await parts.next()).done).toBe(true);
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it('by not reading on leaves no process behind', async () => {
    const { parts, child } = await hang();
    await parts.return?.();
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it('by disposing of the model leaves no process behind', async () => {
    const { model, parts, child } = await hang();
    await model.dispose?.();
    expect((await parts.next()).value).toMatchObject({ type: 'error' });
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it('takes along what a finished command left running', async () => {
    const { fake, model } = await setUp([{ text: 'Done.', leaveChild: true }]);
    const parts = await ask(model, START);
    expect(parts.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    const child = await fake.childPid();
    await expect.poll(() => isAlive(child!)).toBe(false);
  });
});

async function failure(turns: readonly FakeTurn[], options: ClaudeCliOptions = {}) {
  const { model } = await setUp(turns, options);
  const last = (await ask(model, START)).at(-1);
  if (last?.type !== 'error') throw new Error(`no error, but ${JSON.stringify(last)}`);
  const { message, retryable, hints } = last.error;
  return { message, retryable, hints };
}

describe('a failed send', () => {
  it('contains the message of the command', async () => {
    const failed = await failure([{ stderr: 'Invalid API key · Please run /login', code: 1 }]);
    expect(failed.message).toBe('claude-cli ended with exit code 1: Invalid API key · Please run /login');
    expect(failed.retryable).toBe(false);
    expect(failed.hints[0]).toMatch(/once and log in$/);
  });

  it('looks on standard output when there is no complaint', async () => {
    const failed = await failure([{ text: 'API Error: 529 Overloaded', code: 1 }]);
    expect(failed.message).toBe('claude-cli ended with exit code 1: API Error: 529 Overloaded');
    expect(failed.retryable).toBe(true);
  });

  it('may be tried again when its session is in use', async () => {
    const failed = await failure([{ stderr: 'Error: Session ID 1 is already in use.', code: 1 }]);
    expect(failed.retryable).toBe(true);
  });

  it('reports that it took too long', async () => {
    const failed = await failure([{ hang: true }], { timeoutMs: 300 });
    expect(failed.message).toMatch(/^claude-cli gave no answer within \d+ s and was stopped\.$/);
    expect(failed.retryable).toBe(true);
  });

  it('reports that there is no such command', async () => {
    const failed = await failure([], { command: '/nonexistent/claude' });
    expect(failed.message).toBe("claude-cli is not there: the command '/nonexistent/claude' was not found.");
    expect(failed.retryable).toBe(false);
  });

  it('reports that a prompt is too long for a command line', async () => {
    const { model } = await setUp([{ text: 'Hi.' }]);
    const last = (await ask(model, [user('x'.repeat(3_000_000))])).at(-1);
    expect(last).toMatchObject({
      type: 'error',
      error: { retryable: false, message: expect.stringContaining('too long') },
    });
  });
});

const SETTLES_MS = 250;
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
  it('leaves no process, and the next one reports in a fresh session what ran', async () => {
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
