import { tool, type ToolDefinition } from '@bae/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OpenStore } from '../test/open-store.ts';
import { newFile } from '../test/open-tasks.ts';
import { TASK_TOOLS, type ArgsOf } from './arguments/task-params.ts';
import { TaskPresenter } from './task-presenter.ts';
import { TaskRuleError } from './task-problem.ts';
import { TaskStore } from './task-store.ts';
import { ACTIVE_TASKS } from './task.ts';

const definition: ToolDefinition = tool('', TASK_TOOLS.read.params, () => '').named('read');
const context = { tag: (tag: string) => tag, definition, answerLimit: 500 };

function openPresenter(file = newFile()): TaskPresenter {
  const presenter = new TaskPresenter({ file, caller: 'agent' });
  onTestFinished(() => presenter.close());
  return presenter;
}

describe('TaskPresenter', () => {
  it('explains a problem of a whole list as it does for a page', async () => {
    const target = { kind: 'list', filter: ACTIVE_TASKS, words: '' } as const;
    const { whole } = await openPresenter().read({ name: 'read', args: { target, from: 1 } }, context);
    const list = vi.spyOn(TaskStore.prototype, 'list').mockImplementation(() => {
      throw new TaskRuleError({ kind: 'no-task', field: 'target', id: 9, last: 0 });
    });
    onTestFinished(() => list.mockRestore());
    await expect(whole!()).rejects.toThrow(expect.objectContaining({ code: 'BAE_RESOURCE' }) as Error);
  });
});

describe('a plan', () => {
  const wish: ArgsOf<'write'> = {
    title: 'Part',
    priority: { major: 0, minor: 0, patch: 0 },
    tags: { kind: 'set', tags: [] },
    after: [1],
    gated: false,
    metadata: {},
    body: '',
  };
  const conflict = expect.objectContaining({
    name: 'ConflictError',
    message: 'the tasks were changed while this change waited. Nothing was changed.',
  }) as Error;

  it('is not applied when the edit would now change something else', async () => {
    const tasks = new OpenStore({ caller: 'user' });
    tasks.add('First');
    const change = await openPresenter(tasks.file).planEdit({ id: 1, title: 'New' }, context);
    tasks.edit(1, { title: 'Other' });
    await expect(change.apply(undefined as never)).rejects.toThrow(conflict);
    expect(tasks.task(1)).toMatchObject({ title: 'Other', version: 2 });
  });

  it('is not applied when finishing the task would now open others', async () => {
    const tasks = new OpenStore({ caller: 'user' });
    tasks.add('First');
    const change = await openPresenter(tasks.file).planEdit({ id: 1, status: 'done' }, context);
    tasks.add('Second', { after: [1] });
    await expect(change.apply(undefined as never)).rejects.toThrow(conflict);
    expect(tasks.task(1).status).toBe('open');
  });

  it('is applied when only something else of the task has changed', async () => {
    const tasks = new OpenStore({ caller: 'user' });
    tasks.add('First');
    const change = await openPresenter(tasks.file).planEdit({ id: 1, title: 'New' }, context);
    tasks.edit(1, { gated: true });
    expect(await change.apply(undefined as never)).toMatchObject({ hint: 'title' });
    expect(tasks.task(1)).toMatchObject({ title: 'New', gated: true });
  });

  it('is not applied when a new task would now be blocked or not', async () => {
    const tasks = new OpenStore({ caller: 'user' });
    tasks.add('First');
    const change = await openPresenter(tasks.file).planWrite(wish, context);
    tasks.done(1);
    await expect(change.apply(undefined as never)).rejects.toThrow(conflict);
    expect(tasks.ids()).toEqual([]);
  });
});
