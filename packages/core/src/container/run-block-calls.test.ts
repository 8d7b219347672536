import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { ResourceError } from '../errors/bae-error.ts';
import type { Approver } from '../protocol/approver.ts';
import type { RunningBlock } from '../protocol/code-runner.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import { asModelText } from '../protocol/model.ts';
import { createAgent } from './create-agent.ts';

const CALL: ToolCall = { verb: 'write', arg: 'a', line: 1, tag: 'write("a")' };

/** An agent whose run blocks make one call of a tool that ends when it is cancelled, for this block. */
function agentWith(
  block: RunningBlock,
  approver: Approver = { approve: async () => ({ allow: true }) },
  now = () => Date.now(),
) {
  const began = Promise.withResolvers<void>();
  const write = tool(
    'Nothing.',
    { target: z.string() },
    (_args, { signal }) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        began.resolve();
      }),
  );
  let errorType: string | undefined;
  const agent = createAgent({
    home: defineResourcespace({ name: 'files', description: 'Files.', tools: { write } }),
    approver,
    host: { clock: { now }, entropy: crypto, timers: globalThis },
    codeRunner: {
      run: async (_code, { dispatch }) => {
        ({ errorType } = await dispatch(CALL, block));
        return { ok: true, output: '' };
      },
    },
  });
  const run = (signal?: AbortSignal) =>
    agent.run(asModelText('<run>\nwrite("a")\n</run>'), { ...(signal !== undefined && { signal }) });
  return { agent, run, began: began.promise, errorType: () => errorType };
}

const doNow: RunningBlock['pauseDuring'] = (work) => work();

describe('a call that a run block makes', () => {
  it('is cancelled when its block is stopped', async () => {
    const stop = new AbortController();
    const { run, began, errorType } = agentWith({ signal: stop.signal, pauseDuring: doNow });
    const running = run();
    await began;
    stop.abort();
    await running;
    expect(errorType()).toBe('AbortError');
  });

  it('is cancelled when the turn is, also when the block is not', async () => {
    const stop = new AbortController();
    const { run, began } = agentWith({ signal: new AbortController().signal, pauseDuring: doNow });
    const running = run(stop.signal);
    await began;
    stop.abort();
    await expect(running).rejects.toThrow('cancelled');
  });

  it('has not run when the turn is cancelled during a question', async () => {
    const stop = new AbortController();
    const approver: Approver = {
      approve: () => {
        stop.abort();
        return new Promise(() => undefined);
      },
    };
    const { agent, run } = agentWith({ signal: new AbortController().signal, pauseDuring: doNow }, approver);
    const texts: string[] = [];
    agent.subscribe((event) => {
      if (event.type === 'call-end') texts.push(event.text);
    });
    await expect(run(stop.signal)).rejects.toThrow('cancelled');
    expect(texts).toEqual(['AbortError: the turn was cancelled']);
  });

  it('is reported with the argument it has, whatever its fields are called', async () => {
    const told: unknown[] = [];
    const agent = createAgent({
      codeRunner: {
        run: async (_code, { dispatch }) => {
          await dispatch({ ...CALL, body: 'b', kwargs: { arg: 'other', body: 'other', x: 1 } });
          return { ok: true, output: '' };
        },
      },
    });
    agent.subscribe((event) => {
      if (event.type === 'call-start') told.push(event.arguments);
    });
    await agent.run(asModelText('<run>\nx\n</run>'));
    expect(told).toEqual([{ arg: 'a', body: 'b', x: 1 }]);
  });

  it('asks for consent in time that does not count for the block', async () => {
    const order: string[] = [];
    let now = 0;
    const pauseDuring: RunningBlock['pauseDuring'] = async (work) => {
      order.push('stops the clock');
      return work().finally(() => order.push('goes on'));
    };
    const approver: Approver = {
      approve: async () => {
        order.push('asks');
        now += 5000;
        return { allow: false, reason: 'no' };
      },
    };
    const { run } = agentWith({ signal: new AbortController().signal, pauseDuring }, approver, () => now);
    expect((await run()).runs).toMatchObject([{ ms: 0 }]);
    expect(order).toEqual(['stops the clock', 'asks', 'goes on']);
  });
});

it('that fails gets what to call instead as code', async () => {
  const read = tool('A file.', { target: z.string() }, () => {
    throw new ResourceError('no script of this name.', ['<home.R:a.ts>', '<R:>']);
  });
  let answer = '';
  const agent = createAgent({
    home: defineResourcespace({ name: 'scripts', description: 'Scripts.', tools: { read } }),
    codeRunner: {
      run: async (_code, { dispatch }) => {
        const call: ToolCall = { verb: 'read', arg: 'a.ts', line: 1, tag: 'read("a.ts")' };
        ({ text: answer } = await dispatch(call));
        return { ok: true, output: '' };
      },
    },
  });
  await agent.run(asModelText('<run>\nawait read("a.ts")\n</run>'));
  expect(answer).toBe('ResourceError: no script of this name.\nTry: home.read("a.ts")\nTry: read()');
  const { calls } = await agent.run(asModelText('<R:a.ts>'));
  expect(calls[0]!.result.text).toContain('Try: <home.R:a.ts>\nTry: <R:>');
});
