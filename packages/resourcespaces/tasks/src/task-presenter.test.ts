import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { newFile } from '../test/open-tasks.ts';
import { ACTIVE_TASKS } from './task-filter.ts';
import { TaskPresenter } from './task-presenter.ts';
import { TaskRuleError } from './task-problem.ts';
import { TaskStore } from './task-store.ts';

describe('TaskPresenter', () => {
  it('explains what stands against all of a list as it does for a page', () => {
    const presenter = new TaskPresenter({ file: newFile(), caller: 'agent' });
    onTestFinished(() => presenter.close());
    const target = { kind: 'list', filter: ACTIVE_TASKS, words: '' } as const;
    const { whole } = presenter.call('read', { target, from: 1 }, { tag: (tag) => tag });
    const list = vi.spyOn(TaskStore.prototype, 'list').mockImplementation(() => {
      throw new TaskRuleError({ kind: 'no-task', field: 'target', id: 9, last: 0 });
    });
    onTestFinished(() => list.mockRestore());
    expect(whole).toThrow(expect.objectContaining({ code: 'BAE_RESOURCE' }) as Error);
  });
});
