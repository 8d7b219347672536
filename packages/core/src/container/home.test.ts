import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { ResourceError } from '../errors/bae-error.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import { asModelText } from '../protocol/model.ts';
import { createAgent } from './create-agent.ts';

const LISTING = 'tasks() -- Things to do.';

const home = (target: z.ZodType<string>) =>
  defineResourcespace({
    name: 'files',
    description: 'Files.',
    tools: { read: tool('A file.', { target }, (args) => `text of '${args.target}'`) },
  });
const files = home(z.string().default(''));
const tasks = defineResourcespace({ name: 'tasks', description: 'Things to do.', tools: {} });

/** The result of a read that code makes at home. */
async function readAtHome(sent: Pick<ToolCall, 'kwargs'> & { readonly arg?: string }, at = files): Promise<string> {
  const answers: string[] = [];
  const agent = createAgent({
    home: at,
    spaces: [tasks],
    codeRunner: {
      run: async (_code, { dispatch, signal }) => {
        const call: ToolCall = { verb: 'read', arg: '', line: 1, tag: 'read(…)', ...sent };
        answers.push((await dispatch(call, { signal, pauseDuring: (work) => work() })).text);
        return { ok: true, output: '' };
      },
    },
  });
  await agent.run(asModelText('<run>read()</run>'));
  return answers.join('\n');
}

describe('the listing at home', () => {
  it.each([{}, { arg: '  ' }, { kwargs: {} }, { kwargs: { target: '' } }, { kwargs: { target: ' ' } }])(
    'is the result of a read of nothing, unless home has something of its own to show: %j',
    async (sent) => {
      expect(await readAtHome(sent, home(z.string()))).toContain(LISTING);
      expect(await readAtHome(sent)).toContain('text of');
    },
  );

  it.each([
    [{ arg: 'a.txt' }, "text of 'a.txt'"],
    [{ kwargs: { target: 'a=b.txt' } }, "text of 'a=b.txt'"],
    [{ kwargs: { target: 'main.js ' } }, "text of 'main.js '"],
    [{ kwargs: { target: 123 } }, "text of '123'"],
    [{ kwargs: { target: true } }, "text of 'true'"],
    [
      { kwargs: { path: 'a.txt' } },
      'ParameterError: tool \'read\' parameter error (1 problem)\n- path: unknown parameter (did you mean target?)\nUsage: read(target: string = "")\n  A file.',
    ],
    [
      { kwargs: { target: null } },
      'ParameterError: tool \'read\' parameter error (1 problem)\n- target: expected string, got null\nUsage: read(target: string = "")\n  A file.',
    ],
    [
      { kwargs: { target: ['a'] } },
      `ParameterError: tool 'read' parameter error (1 problem)\n- target: expected string, got ["a"]`,
    ],
  ])('is not the result of %j', async (sent, text) => {
    expect((await readAtHome(sent)).startsWith(text)).toBe(true);
    expect(await readAtHome(sent)).not.toContain(LISTING);
  });

  it('takes a group of spaces from either place', async () => {
    const refusal = await readAtHome({ arg: 'group:nope' });
    expect(refusal).toMatch(/^ResourceError: /);
    expect(await readAtHome({ kwargs: { target: 'group:nope' } })).toBe(refusal);
  });
});

const readFile = tool('A file.', { target: z.string() }, ({ target }) => {
  if (target === 'a.ts') return 'text of a.ts';
  throw new ResourceError(`no file ${target}.`, ['<R:a.ts>']);
});

it('home is called from other places by its name, and its errors offer what works there', async () => {
  const agent = createAgent({
    home: defineResourcespace({ name: 'files', description: 'Files.', tools: { read: readFile } }),
    spaces: [defineResourcespace({ name: 'tasks', description: 'Things to do.', tools: {} })],
  });
  const { calls, location } = await agent.run(asModelText('@tasks()\n<home.R:a.ts>\n<home.R:b.ts>'));
  expect(calls.slice(1).map(({ result }) => result.text)).toEqual([
    'text of a.ts',
    'ResourceError: no file b.ts.\nTry: <home.R:a.ts>',
  ]);
  expect(location).toBe('tasks');
});
