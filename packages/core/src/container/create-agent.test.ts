import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inject } from 'tsyringe';
import 'reflect-metadata/lite';
import { createScriptedModel } from '../../test/scripted-model.ts';
import { defineResourcespace, resourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { AgentEvent, TurnTotals } from '../protocol/agent-event.ts';
import type { Approver } from '../protocol/approver.ts';
import { asModelText, type Model } from '../protocol/model.ts';
import { allowAll } from '../approval/approval-policy.ts';
import type { SpaceDefinition, SpaceFactory } from '../protocol/resourcespace.ts';
import { createDefaultHost, type Host } from '../protocol/host.ts';
import { createAgent, HOST, createContainer, openSpaces } from './create-agent.ts';

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

/** A factory, and what became of the spaces that it made. */
function factory(name: string, children: () => Record<string, SpaceFactory> = () => ({})) {
  const log: string[] = [];
  const source: SpaceFactory = {
    name,
    create: () => {
      const number = log.push('created');
      return defineResourcespace({
        name: 'inner',
        description: `Number ${number}.`,
        tools: { read: tool('A text.', {}, () => `read of ${number}`) },
        children,
        dispose: () => void log.push('disposed'),
      });
    },
  };
  return { source, log };
}

describe('openSpaces', () => {
  it('has only the spaces that are named, whatever they were given as', () => {
    const makePlain = (name: string) => defineResourcespace({ name, description: 'A place.', tools: {} });
    const spaces = [makePlain('notes'), makePlain('secrets'), factory('made').source, factory('other').source];
    const { tree } = openSpaces({ spaces, only: ['notes', 'made', 'missing'] });
    expect(tree.below([]).map(({ name }) => name)).toEqual(['made', 'notes']);
    expect(tree.at(['secrets'])).toBeUndefined();
  });

  it('provides a host, which constructors may inject', () => {
    @resourcespace({ name: 'clock', description: 'The time.' })
    class ClockSpace {
      readonly host: { clock: { now(): number } };

      constructor(@inject(HOST) host: { clock: { now(): number } }) {
        this.host = host;
      }

      enter(): string {
        return String(this.host.clock.now() > 0);
      }
    }
    expect(
      openSpaces({ spaces: [ClockSpace] })
        .tree.at(['clock'])!
        .enter(),
    ).toBe('true');
  });

  it('makes a space of a factory under the name of the factory, once, and disposes of it', async () => {
    const { source, log } = factory('tickets');
    const { tree, dispose } = openSpaces({ spaces: [source] });
    expect(tree.at(['tickets'])).toMatchObject({ name: 'tickets', description: 'Number 1.' });
    expect(tree.at(['tickets'])).toBe(tree.at(['tickets']));
    await dispose();
    await dispose();
    expect(log).toEqual(['created', 'disposed']);
  });

  it('makes a child once although its parent lists a new factory on each call', async () => {
    const log: string[] = [];
    const children = () => {
      const { source } = factory('old');
      return { old: { ...source, create: (session: never) => (log.push('created'), source.create(session)) } };
    };
    const { tree, dispose } = openSpaces({ spaces: [factory('tickets', children).source] });
    const first = tree.at(['tickets', 'old']);
    expect(tree.below(['tickets'])[0]).toBe(first);
    expect(tree.at(['tickets', 'old'])).toBe(first);
    expect(log).toEqual(['created']);
    await dispose();
  });

  it('lets a factory make other spaces of the same session, which are disposed of with it', async () => {
    const log: string[] = [];
    @resourcespace({ name: 'notes', description: 'Notes.' })
    class Notes {
      enter = () => '';
      dispose = () => void log.push('disposed');
    }
    const source: SpaceFactory = { name: 'shop', create: (session) => session.create(Notes) };
    const { tree, dispose } = openSpaces({ spaces: [source] });
    expect(tree.at(['shop'])?.description).toBe('Notes.');
    await dispose();
    expect(log).toEqual(['disposed']);
  });

  it('disposes of all spaces when some fail or take for ever, and names those', async () => {
    const log: string[] = [];
    const make = (name: string, dispose: () => void | Promise<void>): SpaceFactory => ({
      name,
      create: () => defineResourcespace({ name, description: 'A.', tools: {}, dispose }),
    });
    const spaces = [
      make('a', () => {
        throw new Error('no connection');
      }),
      make('b', () => new Promise(() => undefined)),
      make('c', () => void log.push('disposed')),
    ];
    const due = new Map<unknown, () => void>();
    const setTimeout = (work: () => void) => {
      due.set(work, work);
      return work;
    };
    const timers = {
      ...createDefaultHost().timers,
      setTimeout,
      clearTimeout: (timer: unknown) => void due.delete(timer),
    };
    const host: Host = { ...createDefaultHost(), timers };
    const disposing = openSpaces({ spaces }, createContainer({ host })).dispose();
    await new Promise((resolve) => setImmediate(resolve));
    for (const work of due.values()) work();
    await expect(disposing).rejects.toThrow(
      'a was not closed: Error: no connection; b was not closed: its dispose() has not ended within 10 s',
    );
    expect(log).toEqual(['disposed']);
  });

  it('names the factory that threw, or made no space', () => {
    const broken = { name: 'shop', create: () => void [].at(0)!['x'] } as unknown as SpaceFactory;
    expect(() => openSpaces({ spaces: [broken] })).toThrow(/cannot create shop: the factory threw TypeError/);
    const empty = { name: 'shop', create: () => undefined } as unknown as SpaceFactory;
    expect(() => openSpaces({ spaces: [empty] })).toThrow(/a space is a decorated class/);
  });

  it('takes a record or an instance with a method named create for what it is', () => {
    const record: SpaceDefinition & { create(): void } = {
      ...defineResourcespace({ name: 'a', description: 'A.', tools: {} }),
      create: () => undefined,
    };
    @resourcespace({ name: 'b', description: 'B.' })
    class B {
      enter = () => '';
      create = () => undefined;
    }
    const { tree } = openSpaces({ spaces: [record, new B()] });
    expect(tree.below([]).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('gives each session of an agent a space of its own, disposed of when the session closes', async () => {
    const { source, log } = factory('tickets');
    const agent = createAgent({ spaces: [source] });
    const other = agent.session('2');
    const texts = await Promise.all(
      [agent, other].map(async (one) => (await one.run(asModelText('<tickets.R:>'))).calls[0]?.result.text),
    );
    expect(texts).toEqual(['read of 1', 'read of 2']);
    await other.close();
    await agent.close();
    expect(log).toEqual(['created', 'created', 'disposed', 'disposed']);
  });
});
