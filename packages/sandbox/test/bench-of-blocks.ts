import type { RunOptions, RunOutcome, ToolCall, ToolResult } from '@bae/core';
import { onTestFinished, vi } from 'vitest';
import { Block } from '../src/host/block.ts';
import type { RunScope, ToolSpec } from '../src/host/callee-table.ts';
import { Sandbox } from '../src/host/sandbox.ts';
import type { SandboxOptions } from '../src/host/thread.ts';

/** A sandbox with a session, and what the session's code has called. */
export interface Bench {
  readonly sandbox: Sandbox;
  readonly session: string;
  readonly calls: readonly ToolCall[];
  /** Runs a block of the session. Returns its output. */
  readonly run: (code: string, options?: Partial<RunOptions>) => Promise<string>;
  /** The same, with whether it succeeded. */
  readonly outcome: (code: string, options?: Partial<RunOptions>) => Promise<RunOutcome>;
  /** Waits until code has made so many calls. */
  readonly called: (count: number) => Promise<void>;
}

/** Longer than any test: no result may depend on how fast this machine is. */
const NEVER_MS = 2 ** 31 - 1;

/** The signature of a tool of these parameters; `content` is a body, `data` any JSON. */
export function spec(name: string, ...params: readonly string[]): ToolSpec {
  return {
    name,
    params: params.map((param) => ({
      name: param,
      type: param === 'data' ? 'json' : 'string',
      ...(param === 'content' && { body: true as const }),
    })),
  };
}

const PUT: ToolSpec = {
  name: 'put',
  params: [
    { name: 'target', type: 'string' },
    { name: 'data', type: 'json', default: null },
  ],
};

const EDIT: ToolSpec = {
  name: 'edit',
  params: [
    { name: 'target', type: 'string' },
    { name: 'old', type: 'string', default: '' },
    { name: 'new', type: 'string', default: '' },
    { name: 'content', type: 'string', default: '', body: true },
  ],
};

/** A home with some tools, and two places. */
export const SCOPE: RunScope = {
  tools: [
    spec('read', 'target'),
    spec('write', 'target', 'content'),
    EDIT,
    spec('grep', 'pattern', 'path'),
    spec('now'),
  ],
  spaces: [
    { name: 'source', tools: [spec('read', 'target')] },
    { name: 'source.tests', tools: [spec('run')] },
    { name: 'my-notes', tools: [spec('delete', 'target'), spec('add', 'data'), PUT] },
    { name: 'my-notes.sub-notes', tools: [spec('read', 'target')] },
  ],
};

/** An answer of a tool. */
export function answer(text: string, more: Partial<ToolResult> = {}): ToolResult {
  return { ok: true, text, space: 'home', ran: true, lines: 1, ms: 0, ...more };
}

let shared: Sandbox | undefined;
let sessions = 0;

function sharedSandbox(): Sandbox {
  return (shared ??= new Sandbox({ timeoutMs: NEVER_MS }));
}

/** A session for one test, whose tools answer at once. With options it has a sandbox of its own. */
export function bench(options?: SandboxOptions, dispatch: RunOptions['dispatch'] = answerTo): Bench {
  const sandbox = options === undefined ? sharedSandbox() : new Sandbox({ timeoutMs: NEVER_MS, ...options });
  const one = sessionOf(sandbox, dispatch);
  onTestFinished(() => (options === undefined ? sandbox.forget(one.session) : sandbox.dispose()));
  return one;
}

/** A session for all the rows of a table, which is much quicker than one for each. */
export function sharedBench(): Bench {
  return sessionOf(sharedSandbox(), answerTo);
}

function sessionOf(sandbox: Sandbox, dispatch: RunOptions['dispatch']): Bench {
  const session = `session-${++sessions}`;
  const calls: ToolCall[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const outcome: Bench['outcome'] = (code, more = {}) =>
    sandbox.run(code, {
      signal: new AbortController().signal,
      session,
      scope: () => SCOPE,
      dispatch: (call, block) => {
        calls.push(call);
        for (const { count, resolve } of waiting) if (calls.length >= count) resolve();
        return dispatch(call, block);
      },
      ...more,
    });
  const called = (count: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ count, resolve });
    if (calls.length >= count) resolve();
    return promise;
  };
  return { sandbox, session, calls, outcome, called, run: async (code, more) => (await outcome(code, more)).output };
}

/** Stops the clock by which blocks are timed: it passes only when the test says so. Returns how. */
export function stopClock(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}

/** Waits until a block that begins after this has printed its first line: its code runs. */
export function firstLine(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // oxlint-disable-next-line typescript/unbound-method -- it is called with the block
  const { receive } = Block.prototype;
  const spy = vi.spyOn(Block.prototype, 'receive').mockImplementation(function (this: Block, message) {
    receive.call(this, message);
    if (message.type !== 'progress' || message.output === '') return;
    spy.mockRestore();
    resolve();
  });
  return promise;
}

/** Text for everything, data for `data`, an error for `missing`, and nothing, ever, for `never`. */
export async function answerTo(call: ToolCall): Promise<ToolResult> {
  if (call.arg === 'never') return new Promise(() => undefined);
  if (call.arg === 'data') return answer('{ … }', { value: { rows: [1, 2], name: 'data' } });
  if (call.arg !== 'missing') return answer(`text of ${call.arg}`);
  return answer('FileNotFoundError: missing. Did you mean x?', { ok: false, errorType: 'FileNotFoundError' });
}
