import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { CodeRunner } from '../protocol/code-runner.ts';
import { asModelText } from '../protocol/model.ts';
import { allowAll } from '../approval/approval-policy.ts';
import { createAgent } from './create-agent.ts';

function open() {
  const written: string[] = [];
  const space = (name: string) =>
    defineResourcespace({
      name,
      description: `About ${name}.`,
      tools: {
        read: tool('A note.', { target: z.string() }, ({ target }) => `${target} of ${name}`),
        write: tool(
          'What was written.',
          { target: z.string(), content: z.string() },
          ({ target }) => {
            written.push(`${name}: ${target}`);
            return 'Wrote it.';
          },
          { body: 'content' },
        ),
      },
    });
  const codeRunner: CodeRunner = {
    run: async (_code, { dispatch }) => {
      await dispatch({ verb: 'go', arg: 'notes.old', line: 1, tag: 'notes.old()' });
      await dispatch({ verb: 'write', arg: 'd', body: 'x', line: 1, tag: 'write("d")' });
      return { ok: true, output: '' };
    },
  };
  const spaces = [space('notes'), space('tasks')];
  const agent = createAgent({ home: space('files'), spaces, approver: allowAll, codeRunner });
  const run = async (text: string) =>
    (await agent.run(asModelText(text))).calls.map(({ result }) => result.text.split('\n')[0]);
  return { run, written };
}

describe('a call after a move that failed', () => {
  it.each([
    '@notes.old()',
    '@ntoes()',
    '@billing()',
    '@billing',
    '<enter>billing</enter>',
    'go("billing")',
    '- @billing()',
  ])('is not made where the session still is: %s', async (move) => {
    const { run, written } = open();
    const [, write, read] = await run(`${move}\n<W:oslo>Snow</W>\n<R:oslo>`);
    const skipped = `not run: ${move} failed and you are still in home.`;
    expect([write, read]).toEqual([skipped, skipped]);
    expect(written).toEqual([]);
  });

  it.each(['@nav()', '@help()'])('is not made after %s either, which goes nowhere', async (shown) => {
    const { run, written } = open();
    await run(`@notes.old()\n${shown}\n<W:oslo>Snow</W>`);
    expect(written).toEqual([]);
  });

  it('is made where an entry in another notation leads', async () => {
    const { run, written } = open();
    await run('@tasks\n<W:a>x</W>');
    await run('@home()\n<enter>notes</enter>\n<W:b>x</W>');
    expect(written).toEqual(['tasks: a', 'notes: b']);
  });

  it('is made after another move, in a place it names, and when it is sent again', async () => {
    const { run, written } = open();
    await run('@notes.old()\n@tasks()\n<W:a>x</W>');
    await run('@ntoes()\n<notes.W:b>x</W>');
    await run('<W:c>x</W>');
    expect(written).toEqual(['tasks: a', 'notes: b', 'tasks: c']);
  });

  it.each(['@notes.old()', '@ntoes()', '@billing()'])('nor is a run block: %s', async (move) => {
    const { run, written } = open();
    const [failed] = await run(`${move}\n<run>x</run>`);
    expect(failed).toMatch(/^ResourceError: no space/);
    expect(written).toEqual([]);
  });

  it('is made by code, which got the error of the move', async () => {
    const { run, written } = open();
    await run('<run>x</run>');
    expect(written).toEqual(['files: d']);
  });
});
