// A queue with work in the background that ends with the session.
import { setTimeout as sleep } from 'node:timers/promises';
import { defineResourcespace, ResourceError, tool } from '@bae/core';
import { z } from 'zod';

export function spaces() {
  const jobs = new Map();
  let wake;
  return defineResourcespace({
    name: 'queue',
    description: 'Jobs that are done one after another.',
    onOpen: ({ background }) =>
      background(async (signal) => {
        while (!signal.aborted) {
          const next = [...jobs.values()].find(({ state }) => state === 'waiting');
          if (next === undefined) {
            await new Promise((resolve) => {
              wake = resolve;
              signal.addEventListener('abort', resolve, { once: true });
            });
            continue;
          }
          await sleep(5, undefined, { signal });
          next.state = 'done';
          next.resolve();
        }
      }),
    enter: () => `${jobs.size} jobs`,
    tools: {
      read: tool(
        'Jobs with their states.',
        { id: z.int().optional().describe('Number of a job; all if it is left out') },
        ({ id }) => {
          if (id !== undefined && !jobs.has(id)) throw new ResourceError(`no job ${id}.`, ['<R:>']);
          const shown = id === undefined ? [...jobs.values()] : [jobs.get(id)];
          return shown.map((job) => `${job.id} ${job.text}: ${job.state}`).join('\n') || 'No jobs yet.';
        },
      ),
      add: tool(
        'The number of the new job.',
        { text: z.string().meta({ description: 'What to do', examples: ['water the plants'] }) },
        ({ text }) => {
          const id = jobs.size + 1;
          const { promise, resolve } = Promise.withResolvers();
          jobs.set(id, { id, text, state: 'waiting', done: promise, resolve });
          wake?.();
          return { id };
        },
      ),
      wait: tool(
        'The job when it is done.',
        {
          id: z
            .int()
            .min(1)
            .meta({ description: 'Number of a job', examples: [1] }),
        },
        async ({ id }, { signal }) => {
          const job = jobs.get(id);
          if (job === undefined) throw new ResourceError(`no job ${id}.`, ['<R:>']);
          await Promise.race([
            job.done,
            new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
          ]);
          return `${id} is done.`;
        },
        { effect: 'read' },
      ),
    },
  });
}

export const samples = { missing: 99, calls: { add: { text: 'water the plants' } } };
