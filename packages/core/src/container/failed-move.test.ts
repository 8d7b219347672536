import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { asModelText } from '../protocol/model-text.ts';
import { allowAll } from './approvers.ts';
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
  const agent = createAgent({ home: space('files'), spaces: [space('notes'), space('tasks')], approver: allowAll });
  const run = async (text: string) =>
    (await agent.run(asModelText(text))).calls.map(({ result }) => result.text.split('\n')[0]);
  return { run, written };
}

describe('a change after a move that failed', () => {
  it.each(['@notes.old()', '@ntoes()'])('is not made where the session still stands: %s', async (move) => {
    const { run, written } = open();
    const [, write, read] = await run(`${move}\n<W:oslo>Snow</W>\n<R:oslo>`);
    expect(write).toBe(
      `ResourceError: write was not run: ${move} before it failed, so this is still home. Send it again if that is meant. Nothing was changed.`,
    );
    expect(read).toBe('oslo of files');
    expect(written).toEqual([]);
  });

  it('is made after another move, in a place it names, and when it is sent again', async () => {
    const { run, written } = open();
    await run('@ntoes()\n@tasks()\n<W:a>x</W>');
    await run('@ntoes()\n<notes.W:b>x</W>');
    await run('<W:c>x</W>');
    expect(written).toEqual(['tasks: a', 'notes: b', 'tasks: c']);
  });
});
