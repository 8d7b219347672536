import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { ResourceError } from '../errors/call-errors.ts';
import { asModelText } from '../protocol/model-text.ts';
import { createAgent } from './create-agent.ts';

const read = tool('A file.', { target: z.string() }, ({ target }) => {
  if (target === 'a.ts') return 'text of a.ts';
  throw new ResourceError(`no file ${target}.`, ['<R:a.ts>']);
});

it('home is called from other places by its name, and its errors offer what works there', async () => {
  const agent = createAgent({
    home: defineResourcespace({ name: 'files', description: 'Files.', tools: { read } }),
    spaces: [defineResourcespace({ name: 'tasks', description: 'Things to do.', tools: {} })],
  });
  const { calls, location } = await agent.run(asModelText('@tasks()\n<home.R:a.ts>\n<home.R:b.ts>'));
  expect(calls.slice(1).map(({ result }) => result.text)).toEqual([
    'text of a.ts',
    'ResourceError: no file b.ts.\nTry: <home.R:a.ts>',
  ]);
  expect(location).toBe('tasks');
});
