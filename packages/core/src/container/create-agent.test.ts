import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createScriptedModel } from '../../test/scripted-model.ts';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { resourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { inject } from 'tsyringe';
import type { AgentEvent, TurnTotals } from '../protocol/agent-event.ts';
import type { Approver } from '../protocol/approver.ts';
import { asModelText } from '../protocol/model-text.ts';
import type { Model } from '../protocol/model.ts';
import { allowAll } from '../approval/approval-policy.ts';
import { createAgent } from './create-agent.ts';
import { HOST } from './open-spaces.ts';

const SHELF = Symbol.for('test.shelf');
const disposed: string[] = [];

@resourcespace({ name: 'books', description: 'Books.' })
class Books {
  private taken = 0;

  constructor(@inject(SHELF) private readonly shelf: string[]) {}

  enter() {
    return `${this.shelf.length} books, ${this.taken} taken`;
  }

  @tool({ description: 'Takes one.', params: { title: z.string() } })
  take({ title }: { title: string }) {
    this.taken++;
    return `took ${title}`;
  }

  dispose() {
    disposed.push('books');
  }
}

const notes = defineResourcespace({
  name: 'notes',
  description: 'Notes.',
  tools: { read: tool('All.', {}, () => 'a note') },
  dispose: () => void disposed.push('notes'),
});

const withBooks = () =>
  createAgent({ spaces: [Books, notes], provide: [{ token: SHELF, value: ['Emma'] }], approver: allowAll });
const run = async (agent: ReturnType<typeof createAgent>, text: string) =>
  (await agent.run(asModelText(text))).calls.map(({ result }) => result.text);

describe('createAgent', () => {
  it('makes spaces of classes, with what their constructors inject', async () => {
    const [entry] = await run(withBooks(), '@books()');
    expect(entry).toContain('1 books, 0 taken');
  });

  it('names what is not provided', () => {
    expect(() => createAgent({ spaces: [Books] })).toThrow(/nobody provides Symbol\(test\.shelf\)/);
  });

  it('gives every session instances, a location and a random name of its own', async () => {
    const first = withBooks();
    const second = first.session('2');
    await run(first, '@books()\n<take:Emma>');
    expect(first.location).toEqual(['books']);
    expect(second.location).toEqual([]);
    expect((await run(second, '@books()'))[0]).toContain('1 books, 0 taken');
    expect([first.label, second.label]).toEqual(['1', '2']);
    expect(first.id).toMatch(/^[0-9a-f]{32}$/);
    expect(second.id).not.toBe(first.id);
  });

  it('disposes of the spaces it made, once, and of nothing that was passed in', async () => {
    disposed.length = 0;
    const agent = withBooks();
    await agent.close();
    await agent.close();
    expect(disposed).toEqual(['books']);
  });

  it('has a home without tools when none is named, and refuses changes when there is no approver', async () => {
    const agent = createAgent({ spaces: [Books], provide: [{ token: SHELF, value: [] }] });
    const [read, take] = await run(agent, '<R:x>\n<books.take:Emma>');
    expect(read).toBe('ResourceError: home does not support read.\nSupported here: nothing');
    expect(take).toContain("has the effect 'write'");
  });

  it('explains that there is no model when one is asked for', async () => {
    await expect(createAgent().ask('hi')).rejects.toThrow('this agent has no model to ask.');
  });

  it('hands spaces the clock and randomness of the host', async () => {
    @resourcespace({ name: 'clock', description: 'The time.' })
    class ClockSpace {
      constructor(@inject(HOST) private readonly host: { clock: { now(): number } }) {}
      enter() {
        return String(this.host.clock.now());
      }
    }
    const host = { clock: { now: () => 42 }, entropy: crypto, timers: globalThis };
    const agent = createAgent({ spaces: [ClockSpace], host });
    const { calls } = await agent.run(asModelText('@clock()'));
    expect(calls[0]?.result).toMatchObject({ ms: 0, ok: true });
    expect(calls[0]?.result.text).toContain('home > clock -- The time. 42\n');
  });

  it.each([
    [{ cap: 10 }, 'cap: expected a whole number of at least 50 (tokens of one result); got 10.'],
    [{ maxBatches: -1 }, 'maxBatches: expected a whole number of at least 0'],
    [{ idleMs: 0.5 }, 'idleMs: expected a whole number of at least 1'],
    [
      { tries: Number.NaN },
      'tries: expected a whole number of at least 1 (tries of one request to the model); got null.',
    ],
    [{ label: 'a b' }, 'label: expected letters, digits, _ and -; got "a b".'],
  ])('refuses %j before anything starts', (options, message) => {
    expect(() => createAgent(options)).toThrow(message);
  });

  it('refuses a bad name for another session', () => {
    expect(() => createAgent().session('')).toThrow('label: expected letters');
  });
});

describe('an agent', () => {
  it('sends its listeners what it runs, until they are removed', async () => {
    const agent = createAgent({ spaces: [notes] });
    const heard: AgentEvent[] = [];
    const leave = agent.subscribe((event) => void heard.push(event));
    await run(agent, '@notes()\n<R:>');
    leave();
    await run(agent, '@home()');
    expect(heard.map(({ type }) => type)).toEqual(['call-start', 'space-enter', 'call-end', 'call-start', 'call-end']);
    expect(heard.every(({ label, turn }) => label === '1' && turn === 0)).toBe(true);
    expect(heard[2]).toMatchObject({ summary: '◆ notes' });
  });

  it('reports calls, problems, prose and location of a text', async () => {
    const report = await createAgent({ spaces: [notes] }).run(asModelText('Look:\n@notes()\n<R:>\n<W:x>'));
    expect(report).toMatchObject({ prose: 'Look:', location: 'notes', problems: [{ code: 'unclosed-body', line: 4 }] });
    expect(report.calls.map(({ id, summary }) => [id, summary])).toEqual([
      ['1', '◆ notes'],
      ['2', '[notes] ◆ read() -> string (1 line)'],
    ]);
    expect(report.feedback).toMatch(/\n\[Parse problem\] line 4: [^\n]+$/);
  });

  it('has no feedback for a text without calls', async () => {
    expect(await createAgent().run(asModelText('Just words.'))).toMatchObject({
      feedback: '',
      calls: [],
      prose: 'Just words.',
    });
  });

  it('returns an error for a run block when none are executed', async () => {
    const { feedback } = await createAgent().run(asModelText('<run>1 + 1</run>'));
    expect(feedback).toContain('RunError: this agent does not execute run blocks.\nTry: ');
  });

  it('runs one text after the other, in the order they were given', async () => {
    const agent = createAgent({ spaces: [notes] });
    const reports = await Promise.all(['@notes()', '@home()', '@notes()'].map((text) => agent.run(asModelText(text))));
    expect(reports.map(({ location }) => location)).toEqual(['notes', 'home', 'notes']);
  });

  it('describes a place without going there', async () => {
    const agent = createAgent({ spaces: [notes] });
    expect(await agent.describe(['notes'])).toContain('home > notes -- Notes.');
    expect(agent.location).toEqual([]);
    await expect(agent.describe(['nope'])).rejects.toThrow('nope no longer exists.');
  });
});

/** A model that stops in the middle of its response, and declares so much silence normal. */
function silent(idleMs: number): Model {
  return {
    name: 'silent',
    idleMs,
    async *respond() {
      yield { type: 'text-delta', text: 'Well' };
      await new Promise(() => undefined);
    },
  };
}

describe('the idle limit', () => {
  it('prefers its own limit to that of the model', async () => {
    const agent = createAgent({ model: silent(1000), tries: 1, idleMs: 10 });
    await expect(agent.ask('Hello')).rejects.toThrow('the model was silent for 0.01 s (idleMs).');
  });

  it('takes the silence that is normal for the model for its limit', async () => {
    const agent = createAgent({ model: silent(10), tries: 1 });
    await expect(agent.ask('Hello')).rejects.toThrow('the model was silent for 0.01 s (idleMs).');
  });
});

it('counts no call that was cancelled before its tool was called', async () => {
  const stop = new AbortController();
  const approver: Approver = {
    approve: () => {
      stop.abort();
      return new Promise(() => undefined);
    },
  };
  const tools = {
    read: tool('A note.', { target: z.string() }, ({ target }) => target),
    write: tool('Nothing.', { target: z.string() }, () => 'Wrote it.'),
  };
  const home = defineResourcespace({ name: 'files', description: 'Files.', tools });
  const agent = createAgent({ home, approver, model: createScriptedModel('<R:a>\n<W:a></W>').model });
  const totals: TurnTotals[] = [];
  agent.subscribe((event) => {
    if (event.type === 'turn-end') totals.push(event.totals);
  });
  await agent.ask('Go', { signal: stop.signal }).catch(() => undefined);
  expect(totals).toMatchObject([{ calls: 1 }]);
});
