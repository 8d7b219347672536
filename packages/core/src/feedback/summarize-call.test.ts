import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { summarizeCall, summarizeMove } from './render-feedback.ts';

const call = (verb: string, arg: string): ToolCall => ({ verb, arg, line: 1, tag: '' });
const result = (more: Partial<ToolResult>): ToolResult => ({
  ok: true,
  text: '',
  space: 'home',
  ran: true,
  lines: 1,
  ms: 0,
  ...more,
});

describe('summarizeCall', () => {
  it.each([
    [
      call('read', 'core.router'),
      result({ space: 'source', lines: 42 }),
      '[source] ◆ read(core.router) -> string (42 lines)',
    ],
    [call('read', 'a.txt'), result({}), '◆ read(a.txt) -> string (1 line)'],
    [call('glob', 'src/*.ts'), result({ rows: 5 }), '◆ glob(src/*.ts) -> string (5 matches)'],
    [call('grep', 'TODO'), result({ rows: 1 }), '◆ grep(TODO) -> string (1 match)'],
    [call('grep', 'zzz'), result({ rows: 0 }), '◆ grep(zzz) -> string (0 matches)'],
    [call('read', ''), result({ rows: 3, space: 'tasks' }), '[tasks] ◆ read() -> string (3 rows)'],
    [{ ...call('sh', ''), body: '\nls 2>&1\nwc a\n' }, result({ hint: 'exit 0' }), '◆ sh(ls 2>&1) (exit 0)'],
    [call('write', 'out.txt'), result({ hint: '12 chars' }), '◆ write(out.txt) -> string (12 chars)'],
    [call('edit', 's.py:2-3'), result({ hint: '2 -> 1 lines' }), '◆ edit(s.py:2-3) -> string (2 -> 1 lines)'],
    [
      call('read', 'nope'),
      result({ ok: false, errorType: 'ResourceError', space: 'source' }),
      '[source] ◆ read(nope) -> ResourceError',
    ],
    [call('read', 'nope'), result({ ok: false }), '◆ read(nope) -> Error'],
  ])('shows a call and its outcome: %#', (given, outcome, line) => {
    expect(summarizeCall(given, outcome)).toBe(line);
  });

  it('counts the whole result and shows to how much it was cut', () => {
    const pruned = { total: 200, shown: 71, indicator: '[pruned: 200 -> 71 items]' };
    expect(summarizeCall(call('read', 'log'), result({ lines: 200, pruned }))).toBe(
      '◆ read(log) -> string (200 lines, pruned to 71)',
    );
  });

  it('does not count as cut where code got all of it', () => {
    const pruned = { total: 200, shown: 71, indicator: '[pruned: 200 -> 71 items]' };
    expect(summarizeCall(call('read', 'log'), result({ lines: 200, pruned, value: 'all' }))).toBe(
      '◆ read(log) -> string (200 lines)',
    );
  });

  it('shows a long or broken argument on one line of at most 60 characters', () => {
    expect(summarizeCall(call('grep', 'a\nb\r\nc'), result({ rows: 0 }))).toBe('◆ grep(a⏎b⏎c) -> string (0 matches)');
    const summary = summarizeCall(call('read', '😀'.repeat(100)), result({}));
    expect(summary).toBe(`◆ read(${'😀'.repeat(59)}…) -> string (1 line)`);
  });
});

describe('the arguments in a summary', () => {
  const named = (kwargs: Readonly<Record<string, unknown>>, arg = '') =>
    summarizeCall({ ...call('delete_rows', arg), kwargs }, result({}));

  it('are those of code, too, as in a tag', () => {
    expect(named({ names: ['Bob', 'Eve'], hard: true })).toBe('◆ delete_rows(names=["Bob", "Eve"] hard=true) (1 line)');
    expect(named({ path: 'src', text: 'a b', where: { id: 7, tags: [['x']] } }, 'TODO')).toBe(
      '◆ delete_rows(TODO path=src text="a b" where={id: 7, tags: […]}) (1 line)',
    );
    expect(named({ none: null, missing: undefined })).toBe('◆ delete_rows(none=null missing=undefined) (1 line)');
  });

  it('are bounded, however large they are', () => {
    let reads = 0;
    const rows = new Proxy(
      Array.from({ length: 100_000 }, (_, index) => index),
      {
        get: (array, key) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
          return Reflect.get(array, key) as unknown;
        },
      },
    );
    expect(named({ rows, text: 'x'.repeat(1000) })).toBe(
      `◆ delete_rows(rows=[0, 1, 2, 3, 4, 5, 6, 7] text=${'x'.repeat(24)}…) (1 line)`,
    );
    expect(reads).toBeLessThan(20);
  });
});

describe('summarizeMove', () => {
  it('shows where the session is now', () => {
    expect(summarizeMove(['source', 'meta'])).toBe('◆ source > meta');
    expect(summarizeMove([])).toBe('◆ home');
  });
});
