import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { CodeRunner } from '../protocol/code-runner.ts';
import { asModelText } from '../protocol/model-text.ts';
import { createScriptedModel } from '../../test/scripted-model.ts';
import { createAgent } from './create-agent.ts';

const DECLARED = 'declare const\nread: (target?: string) => Answer;';

const space = (name: string) =>
  defineResourcespace({
    name,
    description: `About ${name}.`,
    tools: { read: tool('A file.', { target: z.string().default('') }, () => '') },
  });

const codeRunner: CodeRunner = { run: async () => ({ ok: true, output: 'done' }) };

function agentAtHome(options: { readonly codeRunner?: CodeRunner } = { codeRunner }) {
  const { model, sends } = createScriptedModel();
  const agent = createAgent({ home: space('files'), spaces: [space('tasks')], model, ...options });
  const moved = async (tags: string) => (await agent.run(asModelText(tags))).calls.map(({ result }) => result.text);
  return { agent, sends, moved };
}

describe('how code calls the tools of a place', () => {
  it('is shown on the first move to it, home included, and not again', async () => {
    const { moved } = agentAtHome();
    const [tasks, home, tasksAgain, homeAgain] = await moved('@tasks()\n@home()\n@tasks()\n@home()');
    expect(tasks).toContain(DECLARED);
    expect(home).toContain(`Advanced: from anywhere <home.R:…>; in code <run>await read("…")</run>:\n`);
    expect(home).toContain(DECLARED);
    expect(tasksAgain).not.toContain('declare');
    expect(homeAgain).not.toContain('declare');
    expect(homeAgain).toContain('Spaces:\n  tasks() -- About tasks.');
  });

  it('is shown again where a move was cancelled before its result', async () => {
    const stop = new AbortController();
    const enter = async () => {
      stop.abort();
      return '';
    };
    const slow = defineResourcespace({ ...space('slow'), enter });
    const agent = createAgent({ home: space('files'), spaces: [slow], codeRunner });
    await agent.run(asModelText('@slow()'), { signal: stop.signal }).catch(() => undefined);
    const { calls } = await agent.run(asModelText('@home()\n@slow()'));
    expect(calls.at(-1)?.result.text).toContain(DECLARED);
  });

  it('is not shown, nor remembered as shown, where nothing moved', async () => {
    const { moved } = agentAtHome();
    const [already, , home] = await moved('@home()\n@tasks()\n@home()');
    expect(already).toBe('Already in home.');
    expect(home).toContain(DECLARED);
  });

  it('is shown to the model with the first message, which is where its session begins', async () => {
    const { agent, sends, moved } = agentAtHome();
    await agent.ask('Hello');
    expect(sends[0]?.at(-1)?.text).toContain(DECLARED);
    await agent.ask('And again');
    expect(sends[1]?.at(-1)?.text).not.toContain('declare');
    expect((await moved('@tasks()\n@home()'))[1]).not.toContain('declare');
  });

  it('is not shown where no code is run', async () => {
    const { agent, sends, moved } = agentAtHome({});
    expect((await moved('@tasks()\n@home()')).join('\n')).not.toContain('declare');
    await agent.ask('Hello');
    expect(sends[0]?.at(-1)?.text).not.toMatch(/declare|Advanced/);
    expect(await agent.describe([])).not.toContain('Advanced');
  });

  it('is part of the description of home', async () => {
    const { agent } = agentAtHome();
    expect(await agent.describe([])).toContain(DECLARED);
    expect(await agent.describe([])).toContain(DECLARED);
  });
});
