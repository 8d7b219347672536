import 'reflect-metadata/lite';
import { container as rootContainer } from 'tsyringe';
import { describe, expect, it } from 'vitest';
import { defineResourcespace, resourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { InvalidSpaceError } from '../errors/bae-error.ts';
import type { SpaceDefinition, SpaceSource } from '../protocol/resourcespace.ts';
import { SpaceMaker } from './space-maker.ts';
import { Registry } from './registry.ts';
import { describeSpace } from './space-definition.ts';

type Children = () => Readonly<Record<string, SpaceSource>>;

function space(name: string, tools: readonly string[] = [], children: Children = () => ({})): SpaceDefinition {
  const named = Object.fromEntries(tools.map((verb) => [verb, tool('x', {}, () => '')]));
  return defineResourcespace({ name, description: `About ${name}.`, tools: named, children });
}

function registryOf(...spaces: readonly SpaceDefinition[]): Registry {
  const registry = new Registry(space('files', ['read']));
  for (const one of spaces) registry.register(one);
  return registry;
}

const namesBelow = (registry: Registry, ...path: readonly string[]) => registry.below(path).map(({ name }) => name);

describe('register', () => {
  it('adds spaces below home, which are listed by name', () => {
    const tasks = space('tasks');
    const registry = registryOf(tasks, space('memory'), space('source'));
    expect(namesBelow(registry)).toEqual(['memory', 'source', 'tasks']);
    expect(registry.at(['tasks'])).toBe(tasks);
    expect(registry.at([])).toBe(registry.home);
  });

  it('refuses a second space of a name', () => {
    const registry = registryOf(space('tasks'));
    expect(() => registry.register(space('tasks'))).toThrow(InvalidSpaceError);
    expect(() => registry.register(space('tasks'))).toThrow(
      "two spaces are named 'tasks'. Give one of them another name.",
    );
  });

  it.each(['home', 'back', 'up', 'nav', 'where', 'help', 'read', 'write', 'edit', 'glob', 'grep'])(
    'refuses the name %s, which means something else',
    (name) => {
      const record = { ...space('x'), name };
      expect(() => registryOf(record)).toThrow(`'${name}' already has another meaning in bae.`);
    },
  );

  it('refuses names that are no identifiers', () => {
    expect(() => registryOf({ ...space('x'), name: 'a.b' })).toThrow("a space's name is an identifier");
  });

  it('refuses a space that lacks a member', () => {
    const record = { ...space('tasks'), enter: undefined };
    expect(() => registryOf(record as never)).toThrow("space 'tasks' lacks the required member 'enter'");
  });

  it.each(['ai', 'home', 'back', 'up', 'nav', 'where', 'help', 'store', 'go', 'run', 'result', 'Home'])(
    'refuses a custom tool named %s, which would hide a builtin',
    (name) => {
      expect(() => registryOf(space('tasks', [name]))).toThrow(
        `tool '${name}' of space 'tasks' would hide bae's own ${name.toLowerCase()}. ` +
          `Give the tool another name, for example 'tasks_${name}'.`,
      );
    },
  );

  it.each([
    ['r', 'read'],
    ['Grep', 'grep'],
  ])('refuses a custom tool named %s, which a tag could never reach', (name, verb) => {
    expect(() => registryOf(space('tasks', [name]))).toThrow(
      `tool '${name}' of space 'tasks' is read as the verb ${verb}.`,
    );
  });

  it.each(['constructor', 'valueOf', '__proto__x'])('takes a tool named %s like any other', (name) => {
    expect(Object.keys(registryOf(space('tasks', [name])).at(['tasks'])?.tools ?? {})).toEqual([name]);
  });

  it('refuses a home with such a tool', () => {
    expect(() => new Registry(space('files', ['back']))).toThrow("tool 'back' of space 'files'");
  });

  it('takes a class only with somebody to instantiate it', () => {
    @resourcespace({ name: 'tickets', description: 'Tickets.' })
    class Tickets {
      enter() {
        return '';
      }
    }
    expect(() => registryOf(Tickets as never)).toThrow(
      'Tickets cannot be created here. Pass an instance or a record of a space.',
    );
    const registry = new Registry(space('files'), () => describeSpace(new Tickets()));
    registry.register(Tickets);
    expect(namesBelow(registry)).toEqual(['tickets']);
  });
});

describe('children', () => {
  it('are those of the moment', () => {
    const children: Record<string, SpaceSource> = {};
    const registry = registryOf(space('source', [], () => children));
    expect(namesBelow(registry, 'source')).toEqual([]);
    children['tests'] = space('tests');
    children['meta'] = space('meta');
    expect(namesBelow(registry, 'source')).toEqual(['meta', 'tests']);
    delete children['tests'];
    expect(namesBelow(registry, 'source')).toEqual(['meta']);
    expect(registry.at(['source', 'tests'])).toBeUndefined();
  });

  it('stay the same as long as their source does', () => {
    @resourcespace({ name: 'tickets', description: 'Tickets.' })
    class Tickets {
      enter() {
        return '';
      }
    }
    const maker = new SpaceMaker(rootContainer.createChildContainer());
    const registry = new Registry(space('files'), (source) => maker.create(source));
    registry.register(space('shop', [], () => ({ tickets: Tickets, old: Tickets })));
    const child = registry.at(['shop', 'tickets']);
    expect(registry.at(['shop', 'tickets'])).toBe(child);
    expect(registry.below(['shop']).map(({ name }) => name)).toEqual(['old', 'tickets']);
    expect(registry.below(['shop'])[1]).toBe(child);
  });

  it('are known by the name their parent lists them under', () => {
    class Counter implements SpaceDefinition {
      readonly #count = 7;
      readonly name = 'counter';
      readonly description = 'Counts.';
      readonly group = 'numbers';
      readonly tools = space('x', ['read']).tools;
      enter() {
        return `${this.#count}`;
      }
      children() {
        return { inner: space('inner') };
      }
      status() {
        return { open: this.#count };
      }
    }
    const registry = registryOf(space('shop', [], () => ({ visits: new Counter() })));
    const visits = registry.at(['shop', 'visits']);
    expect(visits).toMatchObject({ name: 'visits', description: 'Counts.', group: 'numbers' });
    expect([visits?.enter(), Object.keys(visits?.tools ?? {}), visits?.status?.()]).toEqual([
      '7',
      ['read'],
      { open: 7 },
    ]);
    expect(namesBelow(registry, 'shop', 'visits')).toEqual(['inner']);
  });

  it('of home are root spaces too, behind those that are registered', () => {
    const own = space('tasks');
    const home = space('files', [], () => ({ notes: space('notes') }));
    const registry = new Registry(home);
    registry.register(own);
    expect(namesBelow(registry)).toEqual(['notes', 'tasks']);
    expect(registry.at(['notes'])?.name).toBe('notes');
    expect(() => registry.register(space('notes'))).toThrow("two spaces are named 'notes'");
  });

  it('end ten levels below home', () => {
    const endless = (): SpaceDefinition => space('a', [], () => ({ a: endless() }));
    const registry = registryOf(endless());
    const path = Array.from({ length: 10 }, () => 'a');
    expect(registry.at(path)?.name).toBe('a');
    expect(registry.at([...path, 'a'])).toBeUndefined();
    expect(namesBelow(registry, ...path.slice(1))).toEqual(['a']);
    expect(namesBelow(registry, ...path)).toEqual([]);
  });
});

describe('a broken space', () => {
  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('disk is full');
      },
    ],
    ['returns nothing', () => undefined],
    ['returns null', () => null],
    ['returns a text', () => 'meta'],
    ['returns a list', () => [space('meta')]],
    [
      'returns a getter that throws',
      () => ({
        get meta() {
          throw new Error('gone');
        },
      }),
    ],
  ])('has no children when children() %s', (_what, children) => {
    const registry = registryOf(space('source', [], children as Children), space('tasks'));
    expect(namesBelow(registry, 'source')).toEqual([]);
    expect(registry.at(['source', 'meta'])).toBeUndefined();
    expect(namesBelow(registry)).toEqual(['source', 'tasks']);
  });

  it('leaves the siblings of a child that cannot be made alone, and says why it cannot', () => {
    const children = () => ({
      meta: space('meta'),
      odd: 7 as never,
      none: undefined as never,
      clash: space('clash', ['ai']),
    });
    const registry = registryOf(space('source', [], children));
    expect(registry.below(['source']).map(({ name, description }) => `${name}: ${description}`)).toEqual([
      "clash: unavailable: InvalidSpaceError: tool 'ai' of space 'clash' would hide bae's own ai. Give the tool another name, for example 'clash_ai'.",
      'meta: About meta.',
      'odd: unavailable: InvalidSpaceError: a space is a decorated class, an instance of one, or what defineResourcespace() returns; got number.',
    ]);
    expect(registry.at(['source', 'odd'])?.tools).toEqual({});
    expect(registry.below(['source', 'odd'])).toEqual([]);
  });

  it('recovers as soon as the child can be made', () => {
    let broken = true;
    const registry = new Registry(space('files'), (source) => {
      if (broken && source !== parent) throw new Error('locked');
      return describeSpace(source as SpaceDefinition);
    });
    const parent = space('source', [], () => ({ meta }));
    const meta = space('meta');
    registry.register(parent);
    expect(registry.at(['source', 'meta'])?.description).toBe('unavailable: Error: locked');
    broken = false;
    expect(registry.at(['source', 'meta'])).toBe(meta);
  });

  it('has no children under names that cannot be typed', () => {
    const registry = registryOf(space('source', [], () => ({ 'a b': space('x'), 'a.b': space('x'), '': space('x') })));
    expect(namesBelow(registry, 'source')).toEqual([]);
  });
});
