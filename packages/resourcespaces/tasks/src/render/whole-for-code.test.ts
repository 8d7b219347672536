import { asModelText, type CodeRunner, type ToolResult } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { clockAt, openTasks, type OpenTasks } from '../../test/open-tasks.ts';
import type { TaskDetail } from '../task.ts';
import { renderWhole } from './render-list.ts';

type Args = Readonly<Record<string, unknown>>;

/** A session whose run blocks are the JSON of one call, and what code gets of it. */
async function openAsCode() {
  let result: ToolResult | undefined;
  const codeRunner: CodeRunner = {
    run: async (block, { dispatch }) => {
      const { tool: verb, args: kwargs } = JSON.parse(block) as { readonly tool: string; readonly args: Args };
      result = await dispatch({ verb, arg: '', kwargs, line: 1, tag: verb });
      return { ok: true, output: '' };
    },
  };
  const { now } = clockAt('2026-11-20T10:00:00Z');
  const tasks = await openTasks({ now }, codeRunner);
  const code = async (tool: string, args: Args = {}): Promise<string> => {
    await tasks.agent.run(asModelText(`<run>\n${JSON.stringify({ tool, args })}\n</run>`));
    const { text = '', value = text } = result ?? {};
    return value as string;
  };
  return { ...tasks, code };
}

async function fill({ call }: OpenTasks, count: number): Promise<void> {
  for (let id = 1; id <= count; id++) await call('write', { title: `Task number ${id}`, tags: ['many'] });
}

const rowsFrom = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => {
    const id = first + index;
    return `${id} | OPEN | 0.0.0 | Task number ${id} | many`;
  }).join('\n');

describe('what code gets of a list', () => {
  it.each([
    ['tasks', 'read', {}],
    ['tasks that pass a filter', 'read', { target: 'tag:many all:' }],
    ['titles', 'glob', { pattern: '*number*' }],
    ['hits', 'grep', { text: 'number tas' }],
  ])('are all rows of %s, from where it is asked for', async (_what, tool, args) => {
    const tasks = await openAsCode();
    await fill(tasks, 95);
    expect(await tasks.code(tool, args)).toBe(rowsFrom(1, 95));
    expect(await tasks.code(tool, { ...args, from: 50 })).toBe(rowsFrom(50, 95));
    expect(await tasks.code(tool, { ...args, from: 96 })).toBe('');
  });

  it.each([
    ['read', { target: 'status:done' }],
    ['glob', { pattern: '*gone*' }],
    ['grep', { text: 'gone' }],
  ])('is nothing when %s finds nothing', async (tool, args) => {
    const { code } = await openAsCode();
    expect(await code(tool, args)).toBe('');
  });

  it('has titles and tags in full', async () => {
    const { code, call } = await openAsCode();
    const title = '🙂'.repeat(200);
    const tags = Array.from({ length: 20 }, (_, index) => `größe-${index + 10}`);
    await call('write', { title, tags });
    expect(await code('read')).toBe(`1 | OPEN | 0.0.0 | ${title} | ${tags.join(', ')}`);
  });

  it('is an error when it goes on beyond what code gets, with what makes it shorter', () => {
    const page = { tasks: [], first: 1, isLast: false, total: 1000, isCounted: false };
    expect(() => renderWhole({ kind: 'list', page, filters: '' })).toThrow(
      'there are more rows than 50000, which is what code gets at most. Ask for fewer, with filters or more words.',
    );
    expect(renderWhole({ kind: 'list', page: { ...page, isLast: true }, filters: '' })).toBe('');
    const offered = (answer: Parameters<typeof renderWhole>[0]) => () => renderWhole(answer);
    const hint = (tag: string) => expect.objectContaining({ hints: [tag] }) as Error;
    expect(offered({ kind: 'list', page, filters: '' })).toThrow(hint('<R:status:open>'));
    expect(offered({ kind: 'list', page, filters: 'tag:a all:' })).toThrow(hint('<R:tag:a all: status:open>'));
    expect(offered({ kind: 'list', page, filters: 'status:open' })).toThrow(hint('<R:status:open>'));
    expect(offered({ kind: 'titles', page, pattern: 'a*\n<b' })).toThrow(hint('<G:a*??b>'));
    expect(offered({ kind: 'matches', page, text: 'a\n b' })).toThrow(hint('<Grep:a b>'));
    const long = { task: { id: 7, changes: 60_000 } as TaskDetail, entries: [], first: 1 };
    expect(offered({ kind: 'history', page: long })).toThrow(hint('<R:history:7 from=10001>'));
    const task = { id: 1, changes: 3 } as TaskDetail;
    expect(() => renderWhole({ kind: 'history', page: { task, entries: [], first: 3 } })).toThrow(
      'more rows than 50000',
    );
    expect(renderWhole({ kind: 'history', page: { task, entries: [], first: 4 } })).toBe('');
  });
});

describe('what code gets of one task', () => {
  it('is what a tag is answered with', async () => {
    const { code, call, say } = await openAsCode();
    await call('write', { title: 'Long', body: 'line\n'.repeat(2000) });
    const text = await code('read', { target: '1' });
    expect(text).toMatch(/^Task 1: Long\nstatus: OPEN /);
    expect(text.endsWith(`\n\n${'line\n'.repeat(2000)}`)).toBe(true);
    await call('write', { title: 'Short' });
    expect(await code('read', { target: '2' })).toBe(await say('<R:2>'));
  });

  it('is every change of its history, with values in full', async () => {
    const { code, call } = await openAsCode();
    const title = (index: number) => `${'long '.repeat(20)}${index}`;
    await call('write', { title: title(0) });
    for (let index = 1; index <= 60; index++) await call('edit', { id: 1, title: title(index) });
    const change = (index: number) => `2026-11-20 10:00 agent title: ${title(index - 1)} -> ${title(index)}`;
    const rows = Array.from({ length: 60 }, (_, index) => change(60 - index));
    const all = [...rows, `2026-11-20 10:00 agent created: ${title(0)}`];
    expect((await code('read', { target: 'history:1' })).split('\n')).toEqual(all);
    expect((await code('read', { target: 'history:1', from: 60 })).split('\n')).toEqual(all.slice(59));
    expect(await code('read', { target: 'history:1', from: 62 })).toBe('');
  });
});
