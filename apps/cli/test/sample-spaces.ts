import { defineResourcespace, tool, type SpaceDefinition } from '@bae/core';
import { z } from 'zod';

const target = z.string().default('');
const read = tool('What is there.', { target }, (args) => `read ${args.target}`);
const grep = tool('Matching lines.', { pattern: z.string() }, (args) => `grep ${args.pattern}`);
const write = tool(
  'What was written.',
  { path: z.string(), content: z.string() },
  ({ path, content }) => `wrote ${path}: ${content}`,
  { body: 'content' },
);
const edit = tool(
  'What was changed.',
  { target, content: z.string().optional() },
  (args) => `edit ${args.target}: ${args.content ?? 'view'}`,
  { body: 'content' },
);
const done = tool('The closed task.', { id: z.int() }, ({ id }) => `closed ${id}`);

function child(name: string): SpaceDefinition {
  return defineResourcespace({ name, description: `The ${name} of the source.`, tools: { read } });
}

/** A home with the common verbs. */
export const sampleHome = defineResourcespace({
  name: 'files',
  description: 'The files.',
  tools: { read, write, edit, grep },
});

/** `source` with two children, and `tasks` with a tool of its own. */
export const sampleSpaces: readonly SpaceDefinition[] = [
  defineResourcespace({
    name: 'source',
    description: 'The source.',
    tools: { read, grep },
    children: () => ({ meta: child('meta'), deps: child('deps') }),
  }),
  defineResourcespace({ name: 'tasks', description: 'The tasks.', tools: { read, done }, enter: () => '2 open' }),
];
