// @module-tag long

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../test/hostile-texts.ts';
import { openTasks } from '../../test/open-tasks.ts';

describe('arguments', () => {
  it.each([
    ['an empty title', { title: '' }, '- title: expected 1 to 200 characters on one line, got ""'],
    ['a blank title', { title: ' \t ' }, '- title: expected 1 to 200 characters on one line, got " \\t "'],
    ['a title of two lines', { title: 'a\nb' }, '- title: expected 1 to 200 characters on one line, got "a\\nb"'],
    ['a title with half a character', { title: 'a\uD800' }, '- title: expected 1 to 200 characters on one line, got'],
    ['a long title', { title: 'x'.repeat(201) }, '- title: expected 1 to 200 characters on one line, got "xxx'],
    [
      'a negative priority',
      { priority: '-1.0.0' },
      '- priority: expected a priority of 1-9, or M.m.p to place it under a major, or 0.0.0 for none; got "-1.0.0"',
    ],
    [
      'a malformed priority',
      { priority: '1.0.0.0' },
      '- priority: expected a priority of 1-9, or M.m.p to place it under a major, or 0.0.0 for none; got "1.0.0.0"',
    ],
    ['an unknown creator', { creator: 'bob' }, '- creator: expected one of agent, user; got "bob"'],
    ['tags with blanks', { tags: ['a b'] }, '- tags: expected tags of letters, digits and . _ / -: either'],
    ['both kinds of tags', { tags: 'a, +b' }, '- tags: expected tags of letters, digits and . _ / -: either'],
    ['a parent that is neither id nor title', { parent: '' }, '- parent: expected the id or title of a task, got ""'],
    [
      'what is neither id nor title to wait for',
      { after: ['a\nb'] },
      '- after: expected ids or titles of tasks to wait for, like 3, 4; got ["a\\nb"]',
    ],
    ['metadata that is not an object', { metadata: '[1]' }, '- metadata: expected object, got "[1]"'],
    ['much metadata', { metadata: { a: 'x'.repeat(10_000) } }, '- metadata: expected at most 10000 characters of JSON'],
    [
      'a body that cannot be stored',
      { body: 'a\0b' },
      '- body: expected text without NUL characters and broken surrogates',
    ],
    ['an unknown field', { prority: '1.0.0' }, '- prority: unknown parameter (did you mean priority?)'],
  ])('of a new task must not have %s', async (_what, args, line) => {
    const { call, say } = await openTasks();
    const { ok, text } = await call('write', { title: 'Fine', ...args });
    expect({ ok, line: text.split('\n')[1]?.slice(0, line.length) }).toEqual({ ok: false, line });
    expect(text).toMatch(/^ParameterError: tool 'write' parameter error \(1 problem\)\n/);
    expect(text).toContain('\nUsage: write(title: string, priority: string = "0.0.0", ');
    expect(await say('<R:all:>')).toBe('(no tasks)');
  });

  it.each([
    [
      'a status that follows from others',
      { status: 'blocked' },
      '- status: expected one of open, in_progress, done, cancelled; got "blocked"',
    ],
    [
      'an unknown status',
      { status: 'dne' },
      '- status: expected one of open, in_progress, done, cancelled; got "dne" (did you mean done?)',
    ],
    ['a parent that is neither id nor title', { parent: '' }, '- parent: expected the id or title of a task, got ""'],
    ['the version 0', { version: 0 }, '- version: expected at least 1, got 0'],
    [
      'what is neither id nor title to wait for',
      { after: '1, -' },
      '- after: expected ids or titles of tasks to wait for, like 3, 4, or -3 to wait no longer; got "1, -"',
    ],
  ])('of an edit must not have %s', async (_what, args, line) => {
    const { call, say } = await openTasks();
    await say('<W:First></W>');
    const { text } = await call('edit', { id: 1, ...args });
    expect(text.split('\n')[1]).toBe(line);
    expect(text).toMatch(/\nTry: \{"name":"edit","arguments":\{"id":1,"\w+":"(?:done|…)"\}\}$/);
  });

  it('of a mended call work', async () => {
    const { call, say } = await openTasks();
    await say('<W:First></W>');
    const { text } = await call('edit', { id: 1, status: 'dne' });
    expect(await say(/Try: (.*)$/.exec(text)![1]!)).toMatch(/^Task 1 is done\./);
  });

  it('can be written in all the usual ways', async () => {
    const { say, call } = await openTasks();
    await say('<W:First></W>');
    await say('<W:Fix login, priority=0.0.0 tags="auth, UI" after=1 gated=yes metadata={"a":1}>\nIt fails.\n</W>');
    await call('edit', { id: '2', after: [-1], tags: ['+docs'], parent: 1 });
    expect(await say('<R:2>')).toContain('\ntags: auth, docs, ui\nparent: 1 (OPEN) First\nmetadata: {"a":1}\n');
    expect(await say('<E:2 parent=none tags="" gated=no after=1>')).toMatch(/^ResourceError: task 2 .* is user-gated/);
    await say('<E:2 parent=none tags="">');
    expect(await say('<R:2>')).not.toContain('\ntags:');
  });

  const takeAnyText = async (numRuns: number) => {
    const { call } = await openTasks();
    const words = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary', maxLength: 300 }));
    const property = fc.asyncProperty(words, words, async (title, body) => {
      const made = await call('write', { title, body });
      if (!made.ok) {
        expect(made.errorType).toBe('ParameterError');
        return;
      }
      const id = Number(/^Created task (\d+): /.exec(made.text)![1]);
      const read = await call('read', { target: id });
      expect(read.text.startsWith(`Task ${id}: ${title.trim()}\n`)).toBe(true);
      expect(read.text.endsWith(body) || read.pruned !== undefined).toBe(true);
    });
    await fc.assert(property, { numRuns });
  };

  it('may be any text where any text makes sense', () => takeAnyText(30));
  it('may be any text where any text makes sense, 300 times', { tags: ['long'] }, () => takeAnyText(300));

  const makeRandomCalls = async (numRuns: number) => {
    const { call } = await openTasks();
    for (const title of ['quick-note', 'AND', '100%']) await call('write', { title });
    const word = fc.oneof(
      fc.constantFrom(...HOSTILE_TEXTS.filter((text) => text.length < 300)),
      fc.string({ unit: 'binary' }),
    );
    const some = word.filter((text) => text.trim() !== '');
    const filter = fc.constantFrom('status:', 'tag:', 'priority:', 'parent:', 'stale:', 'all:', '', 'history:');
    const read = fc.tuple(filter, word).map(([key, value]) => ['read', { target: `${key}${value}` }] as const);
    const grep = some.map((text) => ['grep', { text }] as const);
    const glob = some.map((pattern) => ['glob', { pattern }] as const);
    const edit = fc.record(
      { tags: word, after: word, metadata: word, parent: word, version: word },
      { requiredKeys: [] },
    );
    const calls = fc.oneof(
      read,
      grep,
      glob,
      edit.map((fields) => ['edit', { id: 1, ...fields }] as const),
    );
    const property = fc.asyncProperty(calls, async ([tool, args]) => {
      const { ok, errorType } = await call(tool, args);
      if (!ok) expect(['ParameterError', 'ResourceError', 'ConflictError']).toContain(errorType);
    });
    await fc.assert(property, { numRuns });
  };

  it('of 200 random calls break nothing', () => makeRandomCalls(200));
  it('of 10,000 random calls break nothing', { tags: ['long'] }, () => makeRandomCalls(10_000));
});
