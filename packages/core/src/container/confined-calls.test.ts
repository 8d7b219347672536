import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { Approver } from '../protocol/approver.ts';
import { asModelText } from '../protocol/model.ts';
import type { SpaceLifetime } from '../protocol/resourcespace.ts';
import type { Provision } from './agent-options.ts';
import { createScriptedModel } from '../../test/scripted-model.ts';
import { createAgent } from './create-agent.ts';

const path = { path: z.string() };

const approver: Approver = {
  async approve({ preview }) {
    await preview?.();
    return { allow: true };
  },
};

/** An agent with one space; every function of it notes the files that it may change. */
function open() {
  const store = new AsyncLocalStorage<readonly string[]>();
  const noted: string[] = [];
  const note = (what: string): string => {
    noted.push(`${what}: ${store.getStore()?.join(', ') ?? 'anything'}`);
    return what;
  };
  const change = (touches: readonly ({ readonly path: string } | { readonly outside: string })[]) => ({
    touches,
    preview: () => note('preview'),
    apply: () => note('apply'),
  });
  const tools = {
    peek: tool('Text.', path, () => note('read'), { effect: 'read' }),
    jot: tool('Text.', path, () => note('write'), { effect: 'write' }),
    aim: tool('Text.', path, () => note('aimed'), {
      effect: 'write',
      target: ({ path: to }) => ({ path: `in/${to}` }),
    }),
    pour: tool(
      'Text.',
      path,
      async function* () {
        note('generator');
        yield 'part';
      },
      { effect: 'write' },
    ),
    plot: tool(
      'Text.',
      path,
      ({ path: to }) => {
        note('plan');
        return change([{ path: to }, { outside: 'npm install' }, { path: 'b' }]);
      },
      { effect: 'write', plan: true },
    ),
  };
  const space = defineResourcespace({
    name: 'notes',
    description: 'Notes.',
    enter: () => note('enter'),
    status: () => (note('status'), {}),
    onOpen: ({ background }: SpaceLifetime) => {
      note('open');
      background(async () => {
        await Promise.resolve();
        note('background');
      });
    },
    dispose: () => void note('dispose'),
    tools,
  });
  const files: Provision = { token: 'files', value: 1, confine: (paths, work) => store.run(paths, work) };
  const agent = createAgent({
    spaces: [{ name: 'notes', create: () => (note('create'), space) }],
    provide: [files],
    approver,
    model: createScriptedModel('done').model,
  });
  return { agent, noted, note, run: (text: string) => agent.run(asModelText(text)) };
}

describe('what a space may change', () => {
  it.each([
    ['<notes.peek:a>', ['read: ']],
    ['<notes.jot:a>', ['write: a']],
    ['<notes.aim:a>', ['aimed: in/a']],
    ['<notes.pour:a>', ['generator: a']],
    ['<notes.plot:a>', ['plan: ', 'preview: ', 'apply: a, b']],
  ])('is what the change of a call names: %s', async (tag, expected) => {
    const { run, noted, agent } = open();
    onTestFinished(() => agent.close());
    const [report] = (await run(tag)).calls;
    expect(report?.result.ok).toBe(true);
    expect(noted.filter((line) => !/^(?:create|open|background): $/.test(line))).toEqual(expected);
  });

  it('is nothing when it is made, opens, is entered, described or listed, in the background, and at its end', async () => {
    const { run, noted, agent } = open();
    await agent.describe(['notes']);
    await agent.ask('Hello.');
    await run('@notes()');
    await run('<notes.jot:a>');
    await agent.close();
    expect(new Set(noted)).toEqual(
      new Set(['create: ', 'open: ', 'background: ', 'enter: ', 'status: ', 'write: a', 'dispose: ']),
    );
  });
});
