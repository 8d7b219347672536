import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { ApprovalOutcome } from '../protocol/approver.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import { structuralPruner } from '../pruner/structural-pruner.ts';
import { Registry } from '../registry/registry.ts';
import { createMemoryResults } from '../results/kept-results.ts';
import { ToolRouter, type ToolRouterPorts } from './tool-router.ts';

type Tools = Parameters<typeof defineResourcespace>[0]['tools'];
type Approve = ToolRouterPorts['approver']['approve'];

const never = () => new Promise<never>(() => {});
const untilStopped = (_args: unknown, { signal }: { readonly signal: AbortSignal }) =>
  new Promise<string>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped half way')));
  });
const stopRequest = () => Promise.reject(new DOMException('request stopped', 'AbortError'));
const target = { target: z.string().default('') };
const aborted = { name: 'AbortError', code: 'BAE_ABORT', message: 'the turn was cancelled' };

function setting(tools: Tools, approve: Approve = () => ({ allow: true })) {
  const tree = new Registry(defineResourcespace({ name: 'files', description: 'Files.', tools }));
  const fired: (() => void)[] = [];
  const timers = { setTimeout: (callback: () => void) => fired.push(callback), clearTimeout: () => {} };
  const host = { clock: performance, entropy: crypto, timers };
  const router = new ToolRouter({
    tree,
    approver: { approve },
    results: createMemoryResults(),
    host,
    pruner: structuralPruner,
    cap: 2000,
  });
  const turn = new AbortController();
  const send = (verb: string, more: Partial<ToolCall> = {}) =>
    router.dispatch({ verb, arg: 'a', line: 1, tag: `<${verb}:a>`, ...more }, [], {
      signal: turn.signal,
      session: { id: 's', seen: new Map() },
    });
  return { send, turn, fired };
}

describe('ToolRouter on a cancelled turn', () => {
  it('calls nothing any more', async () => {
    const run = vi.fn(() => '');
    const { send, turn } = setting({ read: tool('', target, run) });
    turn.abort();
    await expect(send('read')).rejects.toMatchObject(aborted);
    await expect(send('no_such_tool')).rejects.toMatchObject(aborted);
    expect(run).not.toHaveBeenCalled();
  });

  it('does not wait for a tool that does not listen', async () => {
    const { send, turn } = setting({ read: tool('', target, never) });
    const sent = send('read');
    await new Promise(setImmediate);
    turn.abort('Ctrl-C');
    await expect(sent).rejects.toMatchObject({ ...aborted, cause: 'Ctrl-C' });
  });

  it("does not take the tool's reaction for a result", async () => {
    const { send, turn } = setting({ read: tool('', target, untilStopped) });
    const sent = send('read');
    await new Promise(setImmediate);
    turn.abort();
    await expect(sent).rejects.toMatchObject(aborted);
  });

  it('does not wait for consent, nor run on one that comes late', async () => {
    const run = vi.fn(() => '');
    const consent = Promise.withResolvers<ApprovalOutcome>();
    const { send, turn } = setting({ write: tool('', target, run) }, () => consent.promise);
    const sent = send('write');
    await new Promise(setImmediate);
    turn.abort();
    await expect(sent).rejects.toMatchObject(aborted);
    consent.resolve({ allow: true });
    await new Promise(setImmediate);
    expect(run).not.toHaveBeenCalled();
  });

  it('does not wait for a check of the arguments', async () => {
    const { send, turn } = setting({ read: tool('', { target: z.string().refine(never) }, () => '') });
    const sent = send('read');
    await new Promise(setImmediate);
    turn.abort();
    await expect(sent).rejects.toMatchObject(aborted);
  });
});

describe('ToolRouter when time is up', () => {
  it('returns an error for a tool that never settles', async () => {
    const { send, fired } = setting({ grep: tool('', target, never) });
    const sent = send('grep');
    await new Promise(setImmediate);
    for (const fire of fired) fire();
    expect(await sent).toMatchObject({
      ok: false,
      errorType: 'TimeoutError',
      ran: true,
      text: 'TimeoutError: grep exceeded 10s. Narrow the path.',
    });
  });

  it("takes an AbortError of the tool's own for an ordinary error", async () => {
    const { send } = setting({ read: tool('', target, stopRequest) });
    expect(await send('read')).toMatchObject({
      ok: false,
      errorType: 'AbortError',
      text: 'AbortError: request stopped',
    });
  });
});
