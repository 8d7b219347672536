// @module-tag long

import { describeResourcespace } from '@bae/testing/vitest';
import { OpenStore } from '../test/open-store.ts';
import { provideTasks, TasksSpace } from './tasks-space.ts';

describeResourcespace({
  create: () => {
    const { file, ...tasks } = withTasks();
    tasks.store.close();
    return { space: TasksSpace, provide: [provideTasks({ file, caller: 'agent' })] };
  },
  samples: {
    existing: '1',
    missing: '99',
    glob: { matches: '*login*', misses: '*logoff*' },
    grep: { matches: 'login', misses: 'nowhere' },
    write: {
      args: { title: 'New <b> task', body: '# Why\n\n  ünd <how>' },
      readAs: '61',
      shows: '# Why\n\n  ünd <how>',
    },
    edit: { args: { id: 1, title: 'Fix logout' }, readAs: '1', shows: 'Task 1: Fix logout' },
  },
});

/** Sixty tasks, so that lists have pages. */
function withTasks(): OpenStore {
  const tasks = new OpenStore();
  for (let id = 1; id <= 60; id++) tasks.add(`Fix login ${id}`, { body: `What to do in case ${id}.`, tags: ['auth'] });
  return tasks;
}
