import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../protocol/tool-call.ts';
import type { ToolResult } from '../../protocol/tool-result.ts';
import { RepeatGuard } from './call-guards.ts';

const READ: ToolCall = { verb: 'read', arg: 'a', line: 1, tag: '<R:a>' };
const ok = (effect: 'read' | 'write'): ToolResult => ({
  ok: true,
  text: 'x',
  space: 'home',
  ran: true,
  effect,
  lines: 1,
  ms: 0,
});
const failed: ToolResult = {
  ok: false,
  text: 'ResourceError: no a.\nTry: <G:*>',
  errorType: 'ResourceError',
  space: 'home',
  ran: true,
  effect: 'read',
  lines: 1,
  ms: 0,
};

describe('RepeatGuard', () => {
  it('returns the number of an identical read of the same batch', () => {
    const guard = new RepeatGuard();
    expect(guard.findRepeat(READ, 'home')).toBeUndefined();
    guard.record(READ, 'home', { number: 1, result: ok('read') });
    expect(guard.findRepeat(READ, 'home')?.text).toBe('(same as #1)');
  });

  it.each([
    ['another place', READ, 'tasks'],
    ['another argument', { ...READ, arg: 'b' }, 'home'],
    ['another keyword', { ...READ, kwargs: { limit: 1 } }, 'home'],
    ['another space', { ...READ, space: 'source' }, 'home'],
  ])('runs a read again in %s', (_, call, location) => {
    const guard = new RepeatGuard();
    guard.record(READ, 'home', { number: 1, result: ok('read') });
    expect(guard.findRepeat(call, location)).toBeUndefined();
  });

  it('runs a read again after a change and in the next batch', () => {
    const guard = new RepeatGuard();
    guard.record(READ, 'home', { number: 1, result: ok('read') });
    guard.record({ ...READ, verb: 'write' }, 'home', { number: 2, result: ok('write') });
    expect(guard.findRepeat(READ, 'home')).toBeUndefined();
    guard.record(READ, 'home', { number: 3, result: ok('read') });
    guard.startBatch();
    expect(guard.findRepeat(READ, 'home')).toBeUndefined();
  });

  it('still remembers a read after a change that failed', () => {
    const guard = new RepeatGuard();
    guard.record(READ, 'home', { number: 1, result: ok('read') });
    guard.record({ ...READ, verb: 'write' }, 'home', { number: 2, result: { ...failed, effect: 'write' } });
    expect(guard.findRepeat(READ, 'home')?.text).toBe('(same as #1)');
  });

  it('forgets everything but the failure after a change of which single items failed', () => {
    const guard = new RepeatGuard();
    const write = { ...READ, verb: 'write', body: 'x' };
    const result: ToolResult = { ...failed, effect: 'write', partial: true };
    guard.record(READ, 'home', { number: 1, result: ok('read') });
    guard.record(write, 'home', { number: 2, result });
    expect(guard.findRepeat(READ, 'home')).toBeUndefined();
    guard.record(write, 'home', { number: 3, result });
    expect(guard.findRepeat(write, 'home')?.text).toContain('already failed twice');
  });

  it('never takes a change for a repeat', () => {
    const guard = new RepeatGuard();
    const write = { ...READ, verb: 'write', body: 'x' };
    guard.record(write, 'home', { number: 1, result: ok('write') });
    expect(guard.findRepeat(write, 'home')).toBeUndefined();
  });

  it('never takes a move for a repeat', () => {
    const guard = new RepeatGuard();
    const move = { ...READ, verb: 'go', arg: 'tasks' };
    guard.record(move, 'home', { number: 1, result: ok('read') });
    expect(guard.findRepeat(move, 'home')).toBeUndefined();
  });

  it('tries an edit again that needed a read, once something was read', () => {
    const guard = new RepeatGuard();
    const edit = { ...READ, verb: 'edit', body: 'x' };
    const stale: ToolResult = { ...failed, text: 'ConflictError: a changed.', errorType: 'ConflictError' };
    for (const number of [1, 2]) {
      guard.startBatch();
      guard.record(edit, 'home', { number, result: stale });
    }
    guard.startBatch();
    expect(guard.findRepeat(edit, 'home')?.text).toContain('already failed twice');
    guard.record(READ, 'home', { number: 3, result: ok('read') });
    expect(guard.findRepeat(edit, 'home')).toBeUndefined();
  });

  it('skips the third try of a call that failed twice in the same way', () => {
    const guard = new RepeatGuard();
    for (const number of [1, 2]) {
      guard.startBatch();
      expect(guard.findRepeat(READ, 'home')).toBeUndefined();
      guard.record(READ, 'home', { number, result: failed });
    }
    guard.startBatch();
    expect(guard.findRepeat(READ, 'home')).toMatchObject({
      text: 'Skipped: this call already failed twice with: ResourceError: no a.',
      ok: false,
      errorType: 'ResourceError',
    });
  });

  it('tries again when the failure was another one, or something has changed since', () => {
    const guard = new RepeatGuard();
    guard.record(READ, 'home', { number: 1, result: failed });
    guard.record(READ, 'home', { number: 1, result: { ...failed, text: 'other' } });
    guard.startBatch();
    expect(guard.findRepeat(READ, 'home')).toBeUndefined();
    guard.record(READ, 'home', { number: 1, result: { ...failed, text: 'other' } });
    guard.record({ ...READ, verb: 'edit' }, 'home', { number: 2, result: ok('write') });
    expect(guard.findRepeat(READ, 'home')).toBeUndefined();
  });
});
