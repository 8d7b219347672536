import type { CodeRunner, RunOptions } from '@bae/core';
import { expectBalanced } from '@bae/testing';
import { describe, expect, it } from 'vitest';
import { sent, stage } from './stage.ts';

const CALL = { verb: 'read', arg: 'a.txt', line: 1, tag: '<R:a.txt>' } as const;

/** A turn with two run blocks, executed by this runner. */
function running(run: CodeRunner['run']) {
  const code = '<run>\none\n</run>\n<run>\ntwo\n</run>';
  return stage([code, 'Done.', 'Next.'], { 'a.txt': 'A\n' }, { codeRunner: { run } });
}

describe('code', () => {
  it('that makes its runner throw is answered like code that fails', async () => {
    const { agent, model, events } = running(() => {
      throw new TypeError('the runner broke');
    });
    expect(await agent.ask('run')).toBe('Done.');
    expectBalanced(events);
    expect(events.filter(({ type }) => type === 'run-end')).toMatchObject([{ ok: false }, { ok: false }]);
    expect(sent(model, 1)).toContain('TypeError: the runner broke');
  });

  it('ends after the calls that it did not wait for', async () => {
    const { agent, events } = running(async (_, options) => {
      void options.dispatch(CALL);
      return { ok: true, output: 'x' };
    });
    await agent.ask('run');
    expectBalanced(events);
    expect(events.filter(({ type }) => type === 'call-end')).toHaveLength(2);
  });

  it('that never ends is left alone when the turn is cancelled, and may call nothing more', async () => {
    const controller = new AbortController();
    let kept: RunOptions | undefined;
    const { agent, model, events } = running(async (_, options) => {
      kept = options;
      await options.dispatch(CALL);
      setTimeout(() => controller.abort(), 1);
      return new Promise(() => undefined);
    });
    await expect(agent.ask('run', { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expectBalanced(events);
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'aborted', totals: { calls: 1, runs: 1 } });
    const before = events.length;
    await expect(kept?.dispatch(CALL)).rejects.toMatchObject({ name: 'AbortError' });
    expect(events).toHaveLength(before);
    await agent.ask('and now?');
    expect(sent(model, 1)).toContain('AbortError: interrupted, outcome unknown.');
    expect(sent(model, 1)).toContain('[Note] 1 of 2 run blocks did not run.');
  });
});
