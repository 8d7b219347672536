import type { Agent } from '@bae/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Lanes } from './clients.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open(patienceMs: number) {
  const opened: number[] = [];
  const lanes = new Lanes({
    openSession: (number) => (opened.push(number), { id: String(number) } as Agent),
    patienceMs,
  });
  const begun: string[] = [];
  const start = (name: string, whenHeld?: Promise<void>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = lanes.do({ ...(whenHeld && { whenHeld }) }, async ({ id }) => {
      begun.push(`${name} in ${id}`);
      await promise;
    });
    return { finish: resolve, end };
  };
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { opened, begun, start, settle };
}

describe('calls that may change something', () => {
  it('run one after the other, in one session', async () => {
    const { begun, start, settle } = open(2000);
    const [first, second] = [start('a'), start('b')];
    await settle();
    expect(begun).toEqual(['a in 1']);
    first.finish();
    await first.end;
    await settle();
    expect(begun).toEqual(['a in 1', 'b in 1']);
    second.finish();
    await second.end;
  });

  it('do not wait for one that takes long, nor for one that waits for a person', async () => {
    const { begun, start, settle } = open(2000);
    const { promise: whenHeld, resolve: hold } = Promise.withResolvers<void>();
    const slow = start('slow');
    const asks = start('asks', whenHeld);
    const last = start('last');
    await vi.advanceTimersByTimeAsync(1999);
    expect(begun).toEqual(['slow in 1']);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(['slow in 1', 'asks in 2']);
    hold();
    await settle();
    expect(begun).toEqual(['slow in 1', 'asks in 2', 'last in 3']);
    for (const { finish, end } of [slow, asks, last]) {
      finish();
      await end;
    }
    // Variables of code are in the session that was opened first.
    const next = start('next');
    await settle();
    expect(begun.at(-1)).toBe('next in 1');
    next.finish();
    await next.end;
  });

  it('go on after one that failed', async () => {
    const lanes = new Lanes({ openSession: () => ({}) as Agent, patienceMs: 2000 });
    await expect(lanes.do({}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await lanes.do({}, async () => 'yes')).toBe('yes');
  });
});

describe('calls that only read', () => {
  it('run at the same time, in at most sixteen sessions', async () => {
    const { opened, begun, start, settle } = open(0);
    const calls = Array.from({ length: 20 }, (_, index) => start(String(index)));
    await settle();
    expect([opened.length, begun.length]).toEqual([16, 16]);
    for (const { finish } of calls) finish();
    await Promise.all(calls.map(({ end }) => end));
    expect([opened.length, begun.length]).toEqual([16, 20]);
  });
});
