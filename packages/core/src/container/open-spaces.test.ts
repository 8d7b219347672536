import { describe, expect, it } from 'vitest';
import 'reflect-metadata/lite';
import { inject } from 'tsyringe';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { resourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { SpaceDefinition, SpaceFactory } from '../protocol/resourcespace.ts';
import { asModelText } from '../protocol/model-text.ts';
import { createAgent } from './create-agent.ts';
import type { Host } from '../protocol/host.ts';
import { createDefaultHost } from './default-host.ts';
import { createContainer, HOST, openSpaces } from './open-spaces.ts';

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
