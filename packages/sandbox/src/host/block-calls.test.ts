import type { ToolCall } from '@bae/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answer, answerTo, SCOPE } from '../../test/bench-of-blocks.ts';
import type { CallRequest, CallResult, ScopeNode } from '../messages.ts';
import { BlockCalls, type BlockCallsOptions } from './block-calls.ts';
import { CalleeTable } from './callee-table.ts';

/** The calls of a block, with the number of the tool `read`, and what was answered. */
function callsWith(dispatch: BlockCallsOptions['dispatch'] = answerTo) {
  const table = new CalleeTable();
  const nodes = JSON.parse(table.encode(SCOPE).scope) as readonly ScopeNode[];
  const numberOf = (name: string): number => nodes.find((one) => one.name === name)!.callee;
  const answers: (CallResult & { readonly moved: boolean })[] = [];
  const all = Promise.withResolvers<void>();
  let expected = Number.POSITIVE_INFINITY;
  const calls = new BlockCalls({
    table,
    dispatch,
    onResult: (one, moved) => {
      if (answers.push({ ...one, moved }) >= expected) all.resolve();
    },
  });
  const made = (id: number, arg: string, name = 'read'): CallRequest => ({
    id,
    callee: numberOf(name),
    args: JSON.stringify({ 0: arg }),
  });
  const answered = (count: number): Promise<void> => {
    expected = count;
    if (answers.length >= count) all.resolve();
    return all.promise;
  };
  return { calls, answers, made, answered };
}

// How long calls take to begin is what a test says: others go first where that is long.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

describe('BlockCalls', () => {
  it('returns text, data and errors', async () => {
    const { calls, answers, made, answered } = callsWith();
    calls.make([made(1, 'a.ts'), made(2, 'data'), made(3, 'missing')]);
    await answered(3);
    expect(answers).toEqual([
      { id: 1, form: 'text', text: 'text of a.ts', moved: false },
      { id: 2, form: 'json', text: '{"rows":[1,2],"name":"data"}', moved: false },
      {
        id: 3,
        form: 'error',
        text: '{"name":"FileNotFoundError","message":"missing. Did you mean x?"}',
        moved: false,
      },
    ]);
    expect(calls.quoteFailure(3)).toBe('read("missing"): FileNotFoundError: missing. Did you mean x?');
    expect(calls.quoteFailure(1)).toBeUndefined();
  });

  it('reports which calls may have moved the session', async () => {
    const { calls, answers, answered } = callsWith();
    calls.make([{ id: 1, callee: 0, args: '{}' }]);
    await answered(1);
    expect(answers).toMatchObject([{ form: 'text', moved: true }]);
  });

  it('reports that a failed move has moved nothing', async () => {
    const { calls, answers, answered } = callsWith(async () => answer('ResourceError: no', { ok: false }));
    calls.make([{ id: 1, callee: 0, args: '{}' }]);
    await answered(1);
    expect(answers).toMatchObject([{ form: 'error', moved: false }]);
  });

  it('tolerates an unknown callee and data that JSON cannot express', async () => {
    const loop: Record<string, unknown> = {};
    loop['loop'] = loop;
    const { calls, answers, made, answered } = callsWith(async () => answer('as text', { value: loop }));
    calls.make([{ id: 1, callee: 99_999, args: '{}' }, made(2, 'a'), { ...made(3, ''), args: 'no JSON' }]);
    await answered(3);
    const byId = answers.toSorted((a, b) => a.id - b.id);
    expect(byId.map(({ text }) => text)).toEqual([
      '{"name":"RangeError","message":"there is no such tool"}',
      'as text',
      expect.stringContaining('SyntaxError'),
    ]);
  });

  it('makes eight at a time, in order, and counts those without a result', async () => {
    const waiting: { readonly call: ToolCall; readonly finish: () => void }[] = [];
    const { calls, answers, made, answered } = callsWith(
      (call) => new Promise((resolve) => waiting.push({ call, finish: () => resolve(answer(call.arg)) })),
    );
    calls.make(Array.from({ length: 12 }, (_, index) => made(index, `f${index}`)));
    expect(waiting.map(({ call }) => call.arg)).toEqual(['f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7']);
    expect([calls.pendingCount, calls.quotePending(2)]).toEqual([12, ['read("f0")', 'read("f1")']]);
    waiting[3]!.finish();
    await answered(1);
    expect(answers.map(({ id }) => id)).toEqual([3]);
    expect([waiting.length, calls.pendingCount]).toEqual([9, 11]);
  });

  it('makes no calls and passes on no results once it has ended', async () => {
    let finish = (): void => undefined;
    const seen: string[] = [];
    const { calls, answers, made } = callsWith((call) => {
      seen.push(call.arg);
      return new Promise((resolve) => (finish = () => resolve(answer('late'))));
    });
    calls.make(Array.from({ length: 9 }, (_, index) => made(index, `f${index}`)));
    calls.end();
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    calls.make([made(20, 'more')]);
    expect([seen.length, answers.length]).toEqual([8, 0]);
  });

  it('still counts calls that return only because the block has ended', async () => {
    const ended = new AbortController();
    const { calls, made } = callsWith(
      () => new Promise((_, reject) => ended.signal.addEventListener('abort', () => reject(new Error('aborted')))),
    );
    calls.make([made(1, 'a'), made(2, 'b')]);
    ended.abort();
    calls.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect([calls.pendingCount, calls.quotePending(2)]).toEqual([2, ['read("a")', 'read("b")']]);
  });

  it('allows other tasks to run between calls that take long to begin', async () => {
    const slow = (call: ToolCall) => {
      vi.advanceTimersByTime(10);
      return Promise.resolve(answer(call.arg));
    };
    const { calls, made, answered } = callsWith(slow);
    let turns = 0;
    const count = (): unknown => (turns++, (turning = setImmediate(count)));
    let turning = setImmediate(count);
    calls.make(Array.from({ length: 8 }, (_, index) => made(index, `f${index}`)));
    await answered(8);
    clearImmediate(turning);
    expect(turns).toBeGreaterThanOrEqual(6);
  });

  it('makes no more calls while the sandbox has too many results to receive', async () => {
    const seen: string[] = [];
    const large = answer('x'.repeat(8_000_000));
    const { calls, made, answered } = callsWith(async ({ arg }) => (seen.push(arg), large));
    calls.make(Array.from({ length: 40 }, (_, index) => made(index, `f${index}`)));
    await answered(12);
    await new Promise((resolve) => setImmediate(resolve));
    // Eight are under way at a time, and none begins with more than 32 million characters in wait.
    expect(seen).toHaveLength(12);
    calls.noteReceived(12 * 8_000_000);
    await vi.waitFor(() => expect(seen).toHaveLength(24), { timeout: 60_000 });
  });
});
