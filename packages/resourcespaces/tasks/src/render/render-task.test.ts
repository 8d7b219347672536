import { describe, expect, it } from 'vitest';
import type { Task } from '../task.ts';
import { createTagWriter } from './call-writer.ts';
import { renderAuditEntry, renderChange, renderMentions, renderTaskRow, shortenText } from './render-task.ts';

const task: Task = {
  id: 7,
  title: 'Fix login',
  body: '',
  status: 'open',
  priority: { major: 1, minor: 1, patch: 0 },
  tags: ['auth', 'ui'],
  parent: undefined,
  creator: 'agent',
  gated: false,
  pending: undefined,
  created: new Date(0),
  updated: new Date(0),
  version: 1,
  metadata: {},
  blockers: [],
  parts: 0,
};

describe('a task on one line', () => {
  it('has id, status, priority, title and tags', () => {
    expect(renderTaskRow(task)).toBe('7 | OPEN | 1.1.0 | Fix login | auth, ui');
    expect(renderTaskRow({ ...task, tags: [], status: 'in_progress' })).toBe('7 | PROG | 1.1.0 | Fix login');
    expect(renderTaskRow({ ...task, tags: [], status: 'blocked', blockers: [3, 4], parts: 2 })).toBe(
      '7 | BLKD | 1.1.0 | Fix login | waits for 3, 4 | 2 parts to do',
    );
  });

  it('has the call that shows the others, where it waits for many', () => {
    const waiting = {
      ...task,
      tags: [],
      status: 'blocked',
      blockers: Array.from({ length: 14 }, (_, id) => id),
    } as const;
    expect(renderTaskRow(waiting, createTagWriter())).toMatch(/ waits for 0, 1, .* 10, 11, \+2: <R:7>$/);
    expect(renderTaskRow(waiting)).toMatch(/ waits for 0, 1, .* 12, 13$/);
  });

  it('is clipped where title or tags are long', () => {
    const row = renderTaskRow({ ...task, title: 'x'.repeat(51), tags: ['y'.repeat(40), 'z'.repeat(40)] });
    expect(row).toBe(`7 | OPEN | 1.1.0 | ${'x'.repeat(49)}… | ${'y'.repeat(40)}, ${'z'.repeat(7)}…`);
    expect(renderTaskRow({ ...task, title: 'x'.repeat(50) })).toContain(` ${'x'.repeat(50)} `);
  });

  it('is mentioned with its status', () => {
    const blocked = { id: 9, status: 'blocked', title: 'b' } as const;
    expect(renderMentions([task, blocked])).toBe('7 (OPEN), 9 (BLKD)');
  });
});

describe('shortenText', () => {
  it('cuts between characters, not in them', () => {
    expect(shortenText('🙂🙂🙂', 3)).toBe('🙂🙂🙂');
    expect(shortenText('🙂🙂🙂', 2)).toBe('🙂…');
  });
});

describe('a tag', () => {
  it('leaves out default values', () => {
    expect(createTagWriter().list('', 3)).toBe('<R:from=3>');
    expect(createTagWriter().list('')).toBe('<R:>');
  });

  it('is qualified for the caller', () => {
    expect(createTagWriter((tag) => `<work.tasks.${tag.slice(1)}`).search('login')).toBe('<work.tasks.Grep:login>');
  });

  it('makes a task', () => {
    expect(createTagWriter().create('New')).toBe('<W:New></W>');
    expect(createTagWriter().create('New', { priority: '1.1.0', parent: '3' }, 'text')).toBe(
      '<W:New priority=1.1.0 parent=3>\ntext\n</W>',
    );
  });

  it.each(['a <b>', 'a=b', 'a\nb', 'x > y'])('has another title in place of %j', (title) => {
    expect(createTagWriter().create(title)).toBe('<W:Title></W>');
  });
});

describe('a change', () => {
  it.each([
    [{ field: 'created', old: undefined, new: 'First' }, 'created: First'],
    [{ field: 'status', old: 'open', new: 'done' }, 'status: open -> done'],
    [{ field: 'tags', old: undefined, new: 'auth' }, 'tags: (none) -> auth'],
    [{ field: 'body', old: 'one\n two', new: '' }, 'body: one two -> (empty)'],
    [{ field: 'body', old: '', new: 'x'.repeat(61) }, `body: (empty) -> ${'x'.repeat(59)}…`],
  ])('%j is one line', (change, text) => {
    expect(renderChange(change)).toBe(text);
  });

  it('has a time to the minute', () => {
    const entry = { field: 'gated', old: 'false', new: 'true', time: new Date('2026-11-20T10:59:59.999Z') };
    expect(renderAuditEntry({ ...entry, who: 'user' })).toBe('2026-11-20 10:59 user gated: false -> true');
  });
});
