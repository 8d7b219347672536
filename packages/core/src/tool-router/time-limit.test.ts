import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TimeoutError } from '../errors/bae-error.ts';
import { tool } from '../decorators/tool.ts';
import type { ToolContext, ToolDefinition } from '../protocol/tool-definition.ts';
import { TimeLimit } from './abort.ts';

/** Timers that only count. */
class CountedTimers {
  readonly pending = new Set<number>();
  started = 0;

  setTimeout = (): number => {
    this.pending.add(++this.started);
    return this.started;
  };

  clearTimeout = (handle: unknown): void => void this.pending.delete(handle as number);
}

function startLimit(timers: CountedTimers, work: Promise<unknown> = new Promise(() => {})): TimeLimit {
  const limit = new TimeLimit({ name: 'read' }, new AbortController().signal, timers);
  void limit.run(() => work);
  return limit;
}

describe('a paused TimeLimit', () => {
  it('begins anew only when every wait is over', async () => {
    const timers = new CountedTimers();
    const limit = startLimit(timers);
    const [first, second] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const waits = [limit.pauseDuring(() => first.promise), limit.pauseDuring(() => second.promise)];
    first.resolve(undefined);
    await waits[0];
    expect(timers.pending.size).toBe(0);
    second.resolve(undefined);
    await waits[1];
    expect([...timers.pending]).toEqual([2]);
  });

  it('passes on what the work throws, and begins anew then too', async () => {
    const timers = new CountedTimers();
    const limit = startLimit(timers);
    await expect(limit.pauseDuring(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(timers.pending.size).toBe(1);
  });

  it('never begins anew once it has ended', async () => {
    const timers = new CountedTimers();
    const limit = startLimit(timers, Promise.resolve());
    const wait = Promise.withResolvers<undefined>();
    const waited = limit.pauseDuring(() => wait.promise);
    await new Promise(setImmediate);
    wait.resolve(undefined);
    await waited;
    expect(timers.pending.size).toBe(0);
  });
});

const context: Omit<ToolContext, 'signal' | 'definition'> = {
  files: new Set(),
  answerLimit: 500,
  space: 'home',
  tag: (tag) => tag,
  block: false,
  fromCode: false,
  batch: [],
  session: { id: 's', seen: new Map<string, string>() },
  requestApproval: async () => undefined,
  progress: () => undefined,
  output: () => undefined,
  model: () => Promise.resolve(''),
  ask: async () => undefined,
};

class ManualTimers {
  readonly pending = new Map<number, { callback: () => void; ms: number }>();
  #last = 0;

  setTimeout = (callback: () => void, ms: number): number => {
    const handle = ++this.#last;
    this.pending.set(handle, { callback, ms });
    return handle;
  };

  clearTimeout = (handle: unknown): void => void this.pending.delete(handle as number);

  get waits(): readonly number[] {
    return [...this.pending.values()].map(({ ms }) => ms);
  }

  fire(): void {
    for (const { callback } of this.pending.values()) callback();
  }
}

function setting(
  invoke: ToolDefinition['invoke'],
  { name = 'read', ...limits }: Partial<ToolDefinition> = {},
  requestApproval = context.requestApproval,
) {
  const timers = new ManualTimers();
  const turn = new AbortController();
  const definition = { ...tool('', {}, () => '').named(name), ...limits, invoke };
  const limit = new TimeLimit(definition, turn.signal, timers);
  const own: Pick<ToolContext, 'signal' | 'requestApproval'> = {
    signal: limit.signal,
    requestApproval: (...about) => limit.pauseDuring(() => requestApproval(...about)),
  };
  const answer = () => limit.run(async () => definition.invoke({}, { ...context, definition, ...own }));
  return { timers, turn, limit, answer };
}

/** A tool that ignores its signal for ever, and lets the test see that signal. */
function deaf() {
  let seen: AbortSignal | undefined;
  const work = Promise.withResolvers<string>();
  const invoke = (_args: unknown, { signal }: ToolContext) => {
    seen = signal;
    return work.promise;
  };
  return { invoke, work, aborted: () => seen?.aborted };
}

describe('TimeLimit', () => {
  const unhandled: unknown[] = [];
  const remember = (reason: unknown) => void unhandled.push(reason);
  beforeEach(() => void process.on('unhandledRejection', remember));
  afterEach(() => {
    process.off('unhandledRejection', remember);
    expect(unhandled.splice(0)).toEqual([]);
  });

  it('starts anew with progress, up to ten times its length', async () => {
    const { timers, limit, answer } = setting(deaf().invoke, { timeoutMs: 1000 });
    const failed = expect(answer()).rejects.toThrow('read exceeded 1s.');
    await Promise.resolve();
    const first = [...timers.pending.keys()];
    limit.extend(1);
    expect([...timers.pending.keys()]).not.toContain(first[0]);
    expect(timers.waits).toEqual([10_000, 1000]);
    const [longest, second] = timers.pending.keys();
    limit.extend(2);
    expect([...timers.pending.keys()]).toContain(longest);
    expect([...timers.pending.keys()]).not.toContain(second);
    const third = [...timers.pending.keys()];
    // Reports that tell of nothing more than the last one.
    limit.extend(2);
    limit.extend(Number.NaN);
    expect([...timers.pending.keys()]).toEqual(third);
    timers.pending.get(longest!)!.callback();
    await failed;
    expect(timers.waits).toEqual([]);
  });

  it.each([
    [
      'at once',
      () => {
        throw new TypeError('boom');
      },
    ],
    [
      'later',
      async () => {
        throw new TypeError('boom');
      },
    ],
  ])('passes on what the tool throws %s', async (_when, invoke) => {
    await expect(setting(invoke).answer()).rejects.toThrow('boom');
  });

  it('leaves no timer and no listener behind', async () => {
    const { answer, timers, turn } = setting(() => 'done');
    const removed = vi.spyOn(turn.signal, 'removeEventListener');
    await answer();
    expect(timers.pending.size).toBe(0);
    expect(removed).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['grep', {}, 10_000, 'grep exceeded 10s. Narrow the path.'],
    ['read', {}, 60_000, 'read exceeded 60s. Ask for less in one call.'],
    ['glob', { timeoutMs: 1500 }, 1500, 'glob exceeded 1.5s. Narrow the path.'],
    ['read', { timeoutMs: Infinity }, 2 ** 31 - 1, 'read exceeded 2147483.647s. Ask for less in one call.'],
  ])('gives %s with %j up after its time, even when it does not listen', async (name, limits, ms, message) => {
    const { invoke, work, aborted } = deaf();
    const { answer, timers } = setting(invoke, { name, ...limits });
    const answered = answer();
    expect(timers.waits).toEqual([ms]);
    timers.fire();
    await expect(answered).rejects.toMatchObject({ name: 'TimeoutError', message });
    expect(aborted()).toBe(true);
    work.reject(new Error('much too late'));
    await new Promise(setImmediate);
  });

  it('lets the tool explain why it did not end in time', async () => {
    const explainTimeout = (ms: number) => new TimeoutError(`the shop is closed after ${ms} ms`, ['another shop']);
    const { answer, timers } = setting(deaf().invoke, { timeoutMs: 1500, explainTimeout });
    const answered = answer();
    timers.fire();
    await expect(answered).rejects.toMatchObject({
      name: 'TimeoutError',
      message: 'the shop is closed after 1500 ms',
      hints: ['another shop'],
    });
  });

  it('gives up when the turn is cancelled, even when the tool does not listen', async () => {
    const { invoke, work, aborted } = deaf();
    const { answer, timers, turn } = setting(invoke);
    const answered = answer();
    turn.abort(new Error('Ctrl-C'));
    await expect(answered).rejects.toMatchObject({ name: 'AbortError', code: 'BAE_ABORT' });
    expect([aborted(), timers.pending.size]).toEqual([true, 0]);
    work.reject(new Error('much too late'));
    await new Promise(setImmediate);
  });

  it('does not count the time that people take to consent', async () => {
    const consent = Promise.withResolvers<undefined>();
    const { invoke, work } = deaf();
    const { answer, timers } = setting(
      async (_args, context) => {
        await context.requestApproval('it may hold secrets');
        return invoke(_args, context);
      },
      { name: 'grep' },
      () => consent.promise,
    );
    const answered = answer();
    expect(timers.waits).toEqual([]);
    consent.resolve(undefined);
    await new Promise(setImmediate);
    expect(timers.waits).toEqual([10_000]);
    timers.fire();
    await expect(answered).rejects.toMatchObject({ name: 'TimeoutError' });
    work.reject(new Error('much too late'));
  });

  it('limits a tool that continues although consent was refused', async () => {
    const { invoke, work } = deaf();
    const { answer, timers } = setting(
      async (_args, context) => {
        await context.requestApproval('it may hold secrets').catch(() => undefined);
        return invoke(_args, context);
      },
      {},
      () => Promise.reject(new Error('no')),
    );
    const answered = answer();
    await new Promise(setImmediate);
    timers.fire();
    await expect(answered).rejects.toMatchObject({ name: 'TimeoutError' });
    work.reject(new Error('much too late'));
  });

  it('leaves no timer behind when a tool does not wait for the consent it asked for', async () => {
    const consent = Promise.withResolvers<undefined>();
    const { answer, timers } = setting(
      (_args, { requestApproval }) => {
        void requestApproval('it may hold secrets');
        return 'done';
      },
      {},
      () => consent.promise,
    );
    expect(await answer()).toBe('done');
    consent.resolve(undefined);
    await new Promise(setImmediate);
    expect(timers.pending.size).toBe(0);
  });

  it("reports the time limit, not the tool's reaction to it", async () => {
    const { answer, timers } = setting((_args, { signal }) => {
      const { promise, reject } = Promise.withResolvers<string>();
      signal.addEventListener('abort', () => reject(new Error('I was stopped')));
      return promise;
    });
    const answered = answer();
    timers.fire();
    await expect(answered).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('gives a tool the reason why it is stopped', async () => {
    let reason: unknown;
    const { answer, turn } = setting((_args, { signal }) => {
      const { promise } = Promise.withResolvers<string>();
      signal.addEventListener('abort', () => (reason = signal.reason));
      return promise;
    });
    const answered = answer();
    turn.abort('enough');
    await expect(answered).rejects.toMatchObject({ name: 'AbortError' });
    expect(reason).toBe('enough');
  });
});
