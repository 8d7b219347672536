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
    [{ ...call('sh', ''), body: '\nls 2>&1\nwc a\n' }, result({ hint: 'exit 0' }), '◆ sh(ls 2>&1) -> string (exit 0)'],
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

describe('summarizeMove', () => {
  it('shows where the session is now', () => {
    expect(summarizeMove(['source', 'meta'])).toBe('◆ source > meta');
    expect(summarizeMove([])).toBe('◆ home');
  });
});
