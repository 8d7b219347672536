import { defineResourcespace, tool } from '@bae/core';
import { z } from 'zod';

const HOW_TO = new Map([
  [
    'report',
    'Look at the files first: filesystem(). Then write reports/NAME.md: the answer first, then what it rests on.',
  ],
  ['tasks', 'What is left to do becomes a task: tasks(). Say there what has to be true when it is done.'],
]);

/** Where every session begins: what this agent is for, and how it works. */
export const home = defineResourcespace({
  name: 'template',
  description: 'Reports on the files of a folder, and the tasks that come of them.',
  enter: () => `How it is done: ${[...HOW_TO.keys()].join(', ')}`,
  tools: {
    read: tool('How something is done.', { topic: z.enum(['report', 'tasks']).describe('What to do') }, ({ topic }) =>
      HOW_TO.get(topic),
    ),
  },
});
