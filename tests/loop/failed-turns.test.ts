import { createAgent, ModelError, type ModelPart } from '@bae/core';
import { expectBalanced } from '@bae/testing';
import { describe, expect, it } from 'vitest';
import { WIRES } from '../wire/wire-models.ts';
import { WireServer } from '../wire/wire-server.ts';
import { sent, stage } from './stage.ts';

const text = (value: string): ModelPart => ({ type: 'text-delta', text: value });
const usage = (inputTokens: number, outputTokens: number): ModelPart => ({
  type: 'usage',
  usage: { inputTokens, outputTokens, cachedTokens: 1 },
});
const stop: ModelPart = { type: 'end', reason: 'stop' };
const broken = (retryable: boolean): ModelPart => ({
  type: 'error',
  error: new ModelError('it broke.', { retryable }),
});

describe('a turn that fails', () => {
  it('leaves what was said and done to the next one', async () => {
    const script = ['<R:a.txt>', { parts: [text('<W:b'), broken(false)] }, 'Better.'];
    const { agent, model, events } = stage(script, { 'a.txt': 'content of a\n' });
    await expect(agent.ask('first')).rejects.toMatchObject({ name: 'ModelError', message: 'it broke.' });
    expectBalanced(events);
    expect(events.at(-2)).toMatchObject({ type: 'notice', code: 'error', text: 'ModelError: it broke.' });
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'failed', totals: { sends: 2, calls: 1 } });

    expect(await agent.ask('second')).toBe('Better.');
    expect(model.sends[2]?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'user']);
    expect(model.sends[2]?.slice(0, -1)).toEqual(model.sends[1]);
    expect(model.sends[2]?.at(-2)?.text).toContain('content of a');
    const note = '[Note] The turn before broke off without an answer (ModelError); what its calls did stays done.';
    expect(sent(model, 2)).toBe(`[Location: home]\n${note}\n\nsecond`);
  });

  it('counts what its responses cost, those that broke off included', async () => {
    const script = [
      { parts: [usage(10, 1), text('<R:a.txt>'), stop] },
      { parts: [text('cut'), usage(20, 2), { type: 'end', reason: 'length' } as const] },
    ];
    const { agent, events } = stage(script, { 'a.txt': 'A\n' });
    await expect(agent.ask('first')).rejects.toThrow('output limit');
    expect(events.at(-1)).toMatchObject({ totals: { inputTokens: 30, outputTokens: 3, cachedTokens: 2, calls: 1 } });
  });

  it('counts every try', async () => {
    const script = [{ parts: [text('x'), usage(10, 1), broken(true)] }, { parts: [usage(20, 2), text('Good.'), stop] }];
    const { agent, events } = stage(script);
    expect(await agent.ask('first')).toBe('Good.');
    // What was sent after the usage was reported is estimated.
    expect(events.at(-1)).toMatchObject({ totals: { inputTokens: 30, outputTokens: 4, cachedTokens: 2, sends: 1 } });
    expect(events.find(({ type }) => type === 'response-end')).toMatchObject({ usage: { inputTokens: 20 } });
  });
});

describe.each(WIRES)('after a failed turn $name', (wire) => {
  it('is sent both prompts, and every role only once in a row', async () => {
    const fault = { kind: 'status', status: 400 } as const;
    await using server = await WireServer.start(wire.format, [{ text: '', fault }, { text: '', fault }, 'Better.']);
    const agent = createAgent({ model: wire.model(server.url) });
    await expect(agent.ask('first')).rejects.toMatchObject({ name: 'ModelError' });
    await expect(agent.ask('second')).rejects.toMatchObject({ name: 'ModelError' });
    expect(await agent.ask('third')).toBe('Better.');
    const messages = server.requests[2]?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(messages[1]?.text).toMatch(/first.*second.*third$/s);
  });
});
