import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { CodeCall, CodeRunner } from '../protocol/code-runner.ts';
import { asModelText } from '../protocol/model.ts';
import { allowAll } from '../approval/approval-policy.ts';
import { createAgent } from './create-agent.ts';

type Sent = Pick<CodeCall, 'verb' | 'arg'> & Partial<CodeCall>;

/** An agent with the places notes and tasks, whose code makes the calls that are sent. */
function open() {
  const ran: string[] = [];
  const remove = (name: string) =>
    tool('What was removed.', { target: z.string() }, ({ target }) => `${ran.push(`${name}: ${target}`)}`, {
      effect: 'write',
    });
  const space = (name: string) =>
    defineResourcespace({ name, description: `About ${name}.`, tools: { remove: remove(name) } });
  const sent: Sent[] = [];
  const places: (string | undefined)[] = [];
  const codeRunner: CodeRunner = {
    run: async (_code, { dispatch, scope }) => {
      const texts: string[] = [];
      for (const call of sent) {
        places.push(scope?.().place);
        texts.push((await dispatch({ line: 1, tag: call.verb, ...call })).text);
      }
      return { ok: true, output: texts.join('\n---\n') };
    },
  };
  const agent = createAgent({ spaces: [space('notes'), space('tasks')], approver: allowAll, codeRunner });
  const code = async (...calls: readonly Sent[]) => {
    sent.splice(0, Infinity, ...calls);
    const { runs, location } = await agent.run(asModelText('<run>\nx\n</run>'));
    return { output: runs[0]?.output ?? '', location };
  };
  const tag = async (text: string) => (await agent.run(asModelText(text))).calls[0]?.result.text ?? '';
  return { code, tag, ran, places };
}

describe('code that moves', () => {
  it('calls the tool whose function it took, wherever it has moved since', async () => {
    const { code, ran, places } = open();
    await code(
      { verb: 'go', arg: 'tasks' },
      { verb: 'remove', arg: 'a', from: 'tasks' },
      { verb: 'go', arg: 'notes' },
      { verb: 'remove', arg: 'b', from: 'tasks' },
      { verb: 'remove', arg: 'c', from: 'notes' },
      { verb: 'remove', arg: 'd' },
    );
    expect(ran).toEqual(['tasks: a', 'tasks: b', 'notes: c', 'notes: d']);
    expect(places).toEqual(['home', 'tasks', 'tasks', 'notes', 'notes', 'notes']);
  });

  it('gets hints in code that work from where it is', async () => {
    const { code } = open();
    const wrong = { verb: 'remove', arg: '', from: 'tasks' } as const;
    const { output } = await code({ verb: 'go', arg: 'tasks' }, wrong, { verb: 'go', arg: 'notes' }, wrong);
    const [, there, , elsewhere] = output.split('\n---\n');
    expect(there).toContain('Try: remove("…")');
    expect(elsewhere).toContain('Try: tasks.remove("…")');
  });

  it('keeps no place from being shown whole to the model', async () => {
    const { code, tag } = open();
    expect((await code({ verb: 'go', arg: 'tasks' }, { verb: 'go', arg: 'home' })).location).toBe('home');
    expect(await tag('@tasks()')).toContain('About tasks.');
    await tag('@home()');
    expect(await tag('@tasks()')).not.toContain('About tasks.');
  });

  it('gets a place in short when it comes back, as a model does', async () => {
    const { code } = open();
    const there = { verb: 'go', arg: 'tasks' } as const;
    const { output } = await code(there, { verb: 'go', arg: 'home' }, there);
    const [first, , again] = output.split('\n---\n');
    expect(first).toContain('About tasks.');
    expect(again).not.toContain('About tasks.');
  });
});
