import { tool } from '@bae/core';
import { countUnits } from '@bae/core/pipeline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OpenStore } from '../../test/open-store.ts';
import { openTasks, type OpenTasks } from '../../test/open-tasks.ts';
import { TASK_TOOLS } from '../arguments/task-params.ts';
import { TaskPresenter } from '../task-presenter.ts';
import { ACTIVE_TASKS } from '../task.ts';

/** Follows the tags for the next page to the end; gives the rows of all pages. */
async function follow({ say }: OpenTasks, tag: string): Promise<readonly string[]> {
  const rows: string[] = [];
  for (let next: string | undefined = tag; next !== undefined;) {
    const text = await say(next);
    expect(countUnits(text)).toBeLessThanOrEqual(2000);
    rows.push(...text.split('\n').filter((line) => / \| (OPEN|DONE) \| /.test(line)));
    next = /; next: (<.*>)\]$/.exec(text)?.[1];
  }
  return rows;
}

describe('a long list', () => {
  it.each([
    ['a list', '<R:>'],
    ['a filtered list', '<R:tag:many all:>'],
    ['titles', '<G:*task?*>'],
    ['hits', '<Grep:number tas>'],
  ])('shows every row once when %s is followed to its end', async (_what, tag) => {
    const tasks = await openTasks();
    for (let id = 1; id <= 130; id++) await tasks.call('write', { title: `Task number ${id}`, tags: ['many'] });
    const ids = (await follow(tasks, tag)).map((row) => Number(/(\d+) \| OPEN/.exec(row)![1]));
    expect(ids).toEqual(Array.from({ length: 130 }, (_, index) => index + 1));
  });

  it.each([
    [100, 8],
    [1000, 80],
  ])('follows a limit of %i tokens', async (answerLimit, rows) => {
    const tasks = new OpenStore();
    for (let id = 1; id <= 130; id++) tasks.add('Do it');
    const presenter = new TaskPresenter({ file: tasks.file, caller: 'agent' });
    onTestFinished(() => presenter.close());
    const target = { kind: 'list', filter: ACTIVE_TASKS, words: '' } as const;
    const definition = tool('', TASK_TOOLS.read.params, () => '').named('read');
    const context = { tag: (tag: string) => tag, definition, answerLimit };
    const { text } = await presenter.read({ name: 'read', args: { target, from: 1 } }, context);
    expect(countUnits(text)).toBeLessThanOrEqual(answerLimit * 4);
    expect(text.match(/ \| OPEN \| /g)!.length).toBeLessThanOrEqual(rows);
    expect(text.match(/ \| OPEN \| /g)!.length).toBeGreaterThan(rows / 4);
  });

  it('is bounded whatever titles and tags are made of', async () => {
    const tasks = await openTasks();
    const tags = 'a b c d e f g h i j k l'.split(' ').map((letter) => `größe-${letter}`);
    for (let id = 1; id <= 45; id++) await tasks.call('write', { title: '🙂'.repeat(199), tags });
    const rows = await follow(tasks, '<R:>');
    expect(rows).toHaveLength(45);
    expect(rows[0]).toBe(`1 | OPEN | 0.0.0 | ${'🙂'.repeat(49)}… | ${tags.join(', ').slice(0, 49)}…`);
  });

  it('ends in its position', async () => {
    const tasks = await openTasks();
    for (let id = 1; id <= 60; id++) await tasks.say(`<W:Task ${id}></W>`);
    expect(await tasks.say('<R:from=59>')).toMatchInlineSnapshot(`
      "Active tasks
      60 tasks:
      59 | OPEN | 0.0.0 | Task 59
      60 | OPEN | 0.0.0 | Task 60
      [rows 59-60 of 60]"
    `);
    expect(await tasks.say('<R:status:open from=61>')).toBe(
      'Tasks status:open\n60 tasks:\n[there is no row 61; from the first: <R:status:open>]',
    );
    expect(await tasks.send('<Grep:task>')).toMatchObject({ rows: 60 });
  });
});

describe('a list of nothing', () => {
  it('says what is finished, and how it is shown', async () => {
    const { say } = await openTasks();
    for (const title of ['First', 'Second', 'Third']) await say(`<W:${title}></W>`);
    for (const id of [1, 2]) await say(`<E:${id} status=done>`);
    expect(await say('<R:>')).toMatch(/^Active tasks\n1 task:/);
    await say('<E:3 status=done>');
    expect(await say('<R:>')).toBe('no open tasks; 3 done: <R:status:done>');
    await say('<W:Fourth></W>');
    await say('<E:4 status=cancelled>');
    expect(await say('<R:>')).toBe('no open tasks; 3 done, 1 cancelled: <R:status:done,cancelled>');
    expect(await say('<R:status:done,cancelled>')).toMatch(/^Tasks status:done,cancelled\n4 tasks:/);
    expect(await say('<R:tag:x>')).toBe('(no tasks)');
  });

  it.each([
    ['<R:>', '(no tasks)'],
    ['<R:status:done tag:x>', '(no tasks)'],
    [
      '<Grep:nothing>',
      '(no matches)\nEvery word has to occur, the last one may be a beginning. Fewer words find more; all titles: <G:*>',
    ],
    ['<G:fix*login>', '(no matches)\nOnly titles are looked at; in bodies, too: <Grep:fix login>'],
    ['<G:*>', '(no matches)\nOnly titles are looked at; in bodies, too: <Grep:login>'],
  ])('has a text of its own for %s', async (tag, text) => {
    expect(await (await openTasks()).say(tag)).toBe(text);
  });
});
