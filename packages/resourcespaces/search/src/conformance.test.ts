import { createAgent, defineResourcespace, tool } from '@bae/core';
import { describeResourcespace } from '@bae/testing/vitest';
import { z } from 'zod';
import { provideSearch, SearchSpace } from './search-space.ts';

const notes = defineResourcespace({
  name: 'notes',
  description: 'Notes.',
  tools: { read: tool('A note.', { target: z.string() }, ({ target }) => target) },
  search: (query, limit) =>
    query.includes('nowhere')
      ? []
      : Array.from({ length: Math.min(limit, 60) }, (_, index) => ({ target: `${index}`, text: `${query} ${index}` })),
});

describeResourcespace({
  create: () => {
    const agent = createAgent({ spaces: [notes] });
    return { space: SearchSpace, provide: [provideSearch(() => agent.tree)] };
  },
  samples: {
    existing: 'login',
    grep: { matches: 'login', misses: 'nowhere' },
    calls: { find: { query: 'read a note' } },
  },
});
