import { describe, expect, it, onTestFinished } from 'vitest';
import { newFile } from '../test/open-tasks.ts';
import { TaskClerk } from './task-clerk.ts';
import { ACTIVE_TASKS } from './task-filter.ts';

describe('TaskClerk', () => {
  it('tells what stands against all of a list as it does for a page', () => {
    const clerk = new TaskClerk({ file: newFile(), caller: 'agent' });
    onTestFinished(() => clerk.close());
    const { whole } = clerk.answer({ name: 'read', tag: (tag) => tag }, (tasks, most) => {
      if (most !== undefined) tasks.task(9);
      return { kind: 'list', page: tasks.list(ACTIVE_TASKS, { first: 1 }), filters: '' };
    });
    expect(whole).toThrow(expect.objectContaining({ code: 'BAE_RESOURCE' }) as Error);
  });
});
