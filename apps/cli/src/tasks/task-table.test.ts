import type { Task } from '@bae/tasks';
import { describe, expect, it } from 'vitest';
import { MemoryOutput } from '../../test/memory-terminal.ts';
import { createPainter, measureWidth } from '../terminal/terminal-text.ts';
import { renderTaskTable } from './task-table.ts';

function task(id: number, title: string, more: Partial<Task> = {}): Task {
  return {
    id,
    title,
    body: '',
    status: 'open',
    priority: { major: 0, minor: 0, patch: 0 },
    tags: [],
    parent: undefined,
    creator: 'agent',
    gated: false,
    pending: undefined,
    created: new Date(0),
    updated: new Date(0),
    version: 1,
    metadata: {},
    ...more,
  };
}

const plain = (tasks: readonly Task[], out = new MemoryOutput()) =>
  renderTaskTable(tasks, out, createPainter(out)).join('\n');

describe('taskTable', () => {
  it('lines up what is short and long, narrow and wide', () => {
    const tasks = [
      task(7, 'Fix login', {
        status: 'in_progress',
        priority: { major: 1, minor: 12, patch: 0 },
        tags: ['auth', 'ui'],
      }),
      task(1234, '日本語', { status: 'blocked', tags: ['x'] }),
      task(8, 'Done', { status: 'done' }),
      task(9, 'Not', { status: 'cancelled' }),
    ];
    expect(plain(tasks)).toBe(`\
  ID  STATUS  PRIORITY  TITLE      TAGS
   7  PROG    1.12.0    Fix login  auth, ui
1234  BLKD    0.0.0     日本語     x
   8  DONE    0.0.0     Done
   9  CNCL    0.0.0     Not`);
  });

  it('cuts titles where the terminal ends, and nowhere else', () => {
    const tasks = [task(1, 'word '.repeat(30).trim(), { tags: ['auth'] })];
    const narrow = plain(tasks, new MemoryOutput({ isTerminal: true, width: 60 })).split('\n');
    expect(narrow.map((line) => measureWidth(line))).toEqual([60, 60]);
    expect(narrow[1]).toMatch(/… {2}auth$/);
    expect(plain(tasks)).toContain(`${'word '.repeat(30).trim()}  auth`);
  });

  it('makes visible what would change the terminal', () => {
    expect(plain([task(1, '\u001B[31mred\u202E', { tags: ['a'] })])).toContain('␛[31mred<U+202E>  a');
  });

  it('shows by colour what is in progress, held up or over', () => {
    const out = new MemoryOutput({ color: true });
    const statuses = ['open', 'in_progress', 'blocked', 'done', 'cancelled'] as const;
    const [, ...lines] = renderTaskTable(
      statuses.map((status, index) => task(index, status, { status })),
      out,
      createPainter(out),
    );
    expect(lines.map((line) => line.startsWith('\u001B['))).toEqual([false, true, true, true, true]);
  });
});
