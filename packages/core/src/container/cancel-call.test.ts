import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { AgentEvent } from '../protocol/agent-event.ts';
import type { CodeRunner } from '../protocol/code-runner.ts';
import type { Model } from '../protocol/model.ts';
import { createAgent } from './create-agent.ts';

/** An agent with a tool that ends only when it is cancelled, and a block runner that does the same. */
function openAgent(...responses: readonly string[]) {
  const ahead = [...responses];
  const prompts: string[] = [];
  const model: Model = {
    name: 'scripted',
    async *respond(messages) {
      prompts.push(messages.at(-1)!.text);
      yield { type: 'text-delta', text: ahead.shift()! };
      yield { type: 'end', reason: 'stop' };
    },
  };
  const wait = (signal: AbortSignal) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const tools = {
    wait: tool('Waits.', {}, (_args, { signal }) => wait(signal), { effect: 'read' }),
    read: tool('A file.', { target: z.string() }, ({ target }) => `text of ${target}`),
  };
  const codeRunner: CodeRunner = { run: (_code, { signal }) => wait(signal).then((output) => ({ ok: true, output })) };
  const home = defineResourcespace({ name: 'files', description: 'Files.', tools });
  const agent = createAgent({ home, model, codeRunner });
  return { agent, prompts };
}

/** Calls a function with the id of the first event of a type. */
function onFirst(
  agent: ReturnType<typeof openAgent>['agent'],
  type: 'call-start' | 'run-start',
  act: (id: string) => void,
): void {
  const unsubscribe = agent.subscribe((event: AgentEvent) => {
    if (event.type !== type) return;
    unsubscribe();
    // The call itself begins after its event.
    setImmediate(() => act(event.id));
  });
}

it('a cancelled call ends, and the turn goes on with the calls after it', async () => {
  const { agent, prompts } = openAgent('<wait:>\n<R:a.txt>', 'I see.');
  let isCancelled = false;
  onFirst(agent, 'call-start', (id) => (isCancelled = agent.cancel(id)));
  expect(await agent.ask('Go.')).toBe('I see.');
  expect(isCancelled).toBe(true);
  expect(prompts[1]).toContain(
    'AbortError: cancelled by the user: interrupted, outcome unknown. Check its effect before you repeat it.',
  );
  expect(prompts[1]).toContain('text of a.txt');
});

it('a cancelled run block ends, and the turn goes on', async () => {
  const { agent, prompts } = openAgent('<run>\nfor (;;);\n</run>', 'I see.');
  onFirst(agent, 'run-start', (id) => agent.cancel(id));
  expect(await agent.ask('Go.')).toBe('I see.');
  expect(prompts[1]).toContain('AbortError: cancelled by the user');
});

it('a call that is cancelled before it runs has no effect', async () => {
  const { agent, prompts } = openAgent('<wait:>\n<R:a.txt>', 'I see.');
  agent.subscribe((event) => {
    if (event.type === 'call-start') agent.cancel(event.id);
  });
  expect(await agent.ask('Go.')).toBe('I see.');
  expect(prompts[1]?.match(/AbortError: cancelled by the user before it ran\./g)).toHaveLength(2);
  expect(prompts[1]).not.toContain('text of a.txt');
});

it('what has ended cannot be cancelled', async () => {
  const { agent } = openAgent('<R:a.txt>', 'I see.');
  const ids: string[] = [];
  agent.subscribe((event) => {
    if (event.type === 'call-end') ids.push(event.id);
  });
  await agent.ask('Go.');
  expect(ids.map((id) => agent.cancel(id))).toEqual([false]);
  expect(agent.cancel('none')).toBe(false);
});

it('a call that is cancelled does not end what is cancelled with its turn', async () => {
  const { agent, prompts } = openAgent('<wait:>', 'never');
  const stop = new AbortController();
  onFirst(agent, 'call-start', () => stop.abort());
  await expect(agent.ask('Go.', { signal: stop.signal })).rejects.toThrow('cancelled');
  expect(prompts).toHaveLength(1);
});
