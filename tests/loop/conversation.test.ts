import { ModelError, type Message } from '@bae/core';
import { expectBalanced } from '@bae/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sent, stage, tasks } from './stage.ts';

const isPrefix = (shorter: readonly Message[], longer: readonly Message[]) =>
  JSON.stringify(longer.slice(0, shorter.length)) === JSON.stringify(shorter);

describe('the conversation', () => {
  it('only grows: over 50 turns every send begins with all that was sent before', async () => {
    const script = Array.from({ length: 50 }, (_, turn) => [
      turn % 3 === 0 ? '@tasks()\n<R:>' : '<R:a>\n@home()',
      `answer ${turn}`,
    ]).flat();
    const { agent, model } = stage(script, { a: 'A' });
    for (let turn = 0; turn < 50; turn++) await agent.ask(`question ${turn}`);
    expect(model.sends).toHaveLength(100);
    for (let send = 1; send < model.sends.length; send++)
      expect(isPrefix(model.sends[send - 1]!, model.sends[send]!)).toBe(true);
    expect(model.sends[0]![0]).toEqual({ role: 'system', text: agent.systemPrompt });
  });

  it('shows the whole home listing with the first prompt, then only the location', async () => {
    const { agent, model } = stage(['one', 'two'], {}, { context: 'It is late.' });
    await agent.ask('first');
    await agent.ask('second');
    expect(sent(model, 0)).toMatch(/^\[Location: home\]\nhome\n/);
    expect(sent(model, 0)).toContain('tasks() -- Things to do. | Start here. | open: 1');
    expect(sent(model, 0).endsWith('\n\nIt is late.\n\nfirst')).toBe(true);
    expect(sent(model, 1)).toBe('[Location: home]\nsecond');
  });

  it('shows the home listing again when it has changed', async () => {
    let open = 1;
    const counting = { ...tasks, status: () => ({ open }) };
    const { agent, model } = stage(['one', 'two', 'three'], {}, { spaces: [counting] });
    await agent.ask('first');
    open = 2;
    await agent.ask('second');
    await agent.ask('third');
    expect(sent(model, 1)).toContain('open: 2');
    expect(sent(model, 2)).toBe('[Location: home]\nthird');
  });

  it('goes on after a model that failed', async () => {
    const bad = { parts: [{ type: 'error', error: new ModelError('the key is not valid.') }] } as const;
    const { agent, model, events } = stage([bad, 'fine']);
    await expect(agent.ask('one')).rejects.toThrow('the key is not valid.');
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'failed' });
    expect(await agent.ask('two')).toBe('fine');
    expect(isPrefix(model.sends[0]!, model.sends[1]!)).toBe(true);
    expectBalanced(events);
  });

  it('writes nothing when a response breaks off inside a write', async () => {
    const cut = {
      parts: [
        { type: 'text-delta', text: '<W:a.txt>\nhalf' },
        { type: 'end', reason: 'length' },
      ],
    } as const;
    const { agent, events, read } = stage([cut]);
    await expect(agent.ask('write')).rejects.toThrow('cut off');
    expect(() => read('a.txt')).toThrow();
    expect(events.some(({ type }) => type === 'call-start')).toBe(false);
  });

  it('keeps sessions apart: location, conversation and results of their own', async () => {
    const { agent, model } = stage(['@tasks()', 'in tasks', '<R:>', 'at home']);
    const other = agent.session('2');
    await agent.ask('go');
    expect(agent.location).toEqual(['tasks']);
    expect(other.location).toEqual([]);
    await other.ask('list');
    expect(sent(model, 3)).toMatch(/#1 [0-9a-f]{6} <R:> \[home\] ok/);
    expect(JSON.stringify(model.sends[2])).not.toContain('in tasks');
    expect(other.id).not.toBe(agent.id);
  });

  const sendWhatever = async (numRuns: number): Promise<void> => {
    const line = fc.constantFrom(
      '<R:a>',
      '<R:nope>',
      'text',
      '<W:b>x</W>',
      '<W:c>',
      '<run>1</run>',
      '```',
      '<grp:x>',
      '<Grep:A>',
      '',
    );
    const response = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n') || 'x');
    await fc.assert(
      fc.asyncProperty(fc.array(response, { minLength: 8, maxLength: 8 }), async (script) => {
        const { agent, model, events } = stage(
          script.map((text) => (text.trim() === '' ? 'x' : text)),
          { a: 'A' },
          { maxBatches: 4 },
        );
        await agent.ask('go');
        expectBalanced(events);
        expect(model.sends.length).toBeLessThanOrEqual(5);
        expect(events.filter(({ type }) => type === 'answer').length).toBeLessThanOrEqual(1);
      }),
      { numRuns },
    );
  };
  it('has no more sends than batches and one, whatever the model says', () => sendWhatever(20));
  it('has no more sends than batches and one, whatever the model says 60 times', { tags: ['long'] }, () =>
    sendWhatever(60),
  );
});
