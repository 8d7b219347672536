import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defineResourcespace, resourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { InvalidSpaceError } from '../errors/bae-error.ts';
import type { Confine } from '../protocol/approver.ts';
import type { Resourcespace, SpaceDefinition } from '../protocol/resourcespace.ts';
import { describeSpace, renameSpace } from './space-definition.ts';

@resourcespace({ name: 'tickets', description: 'Support tickets.', group: 'shop' })
class Tickets {
  private readonly open = 3;

  enter() {
    return `${this.open} open`;
  }

  status() {
    return { open: this.open };
  }

  @tool({ description: 'One ticket.', params: { id: z.int() } })
  read({ id }: { id: number }) {
    return `ticket ${id} of ${this.open}`;
  }

  @tool({ name: 'close', description: 'The closed ticket.', params: { id: z.int() } })
  finish({ id }: { id: number }) {
    return id;
  }
}

const describeAny = (source: unknown): SpaceDefinition => describeSpace(source as SpaceDefinition);

const complete = (): Record<string, unknown> => ({
  name: 'notes',
  description: 'Notes.',
  tools: {},
  enter: () => '',
  children: () => ({}),
});

describe('describeSpace', () => {
  it('makes a plain record of a decorated instance', () => {
    const space = describeSpace(new Tickets());
    const { name, description, group } = space;
    expect({ name, description, group }).toEqual({ name: 'tickets', description: 'Support tickets.', group: 'shop' });
    expect(Object.keys(space.tools)).toEqual(['read', 'close']);
    expect(space.tools['read']?.invoke({ id: 7 }, {} as never)).toBe('ticket 7 of 3');
    expect(space.enter()).toBe('3 open');
    expect(space.children()).toEqual({});
    expect(space.status?.()).toEqual({ open: 3 });
    expect('search' in space).toBe(false);
  });

  it('converts an instance once', () => {
    const tickets = new Tickets();
    const space = describeSpace(tickets);
    expect(describeSpace(tickets)).toBe(space);
    expect(describeSpace(space)).toBe(space);
    expect(describeSpace(new Tickets())).not.toBe(space);
  });

  it('gives a complete record back as it is', () => {
    const space = defineResourcespace({ name: 'notes', description: 'Notes.', tools: {} });
    expect(describeSpace(space)).toBe(space);
  });

  it('takes a record that is an instance of a class', () => {
    class Mounted implements SpaceDefinition {
      readonly #greeting = 'hello';
      readonly name = 'mounted';
      readonly description = 'Mounted.';
      readonly tools = {};
      enter() {
        return this.#greeting;
      }
      children() {
        return {};
      }
    }
    expect(describeSpace(new Mounted()).enter()).toBe('hello');
  });

  it.each([
    ['name', "a space lacks the required member 'name' (expected string, got undefined). Add name: 'tickets'."],
    ['description', "space 'notes' lacks the required member 'description' (expected string, got undefined)."],
    ['tools', "space 'notes' lacks the required member 'tools' (expected object, got undefined)."],
    ['enter', "space 'notes' lacks the required member 'enter' (expected function, got undefined)."],
    ['children', "space 'notes' lacks the required member 'children' (expected function, got undefined)."],
  ])('refuses a record without %s and names it', (member, message) => {
    const { [member]: _removed, ...record } = complete();
    expect(() => describeAny(record)).toThrow(InvalidSpaceError);
    expect(() => describeAny(record)).toThrow(message);
  });

  it('refuses a member of the wrong type', () => {
    expect(() => describeAny({ ...complete(), tools: null })).toThrow("'tools' (expected object, got null)");
    expect(() => describeAny({ ...complete(), enter: 'hi' })).toThrow("'enter' (expected function, got string)");
  });

  it('refuses an incomplete tool and names it', () => {
    const read = tool('x', {}, () => '').named('read');
    expect(() => describeAny({ ...complete(), tools: { read: 'x' } })).toThrow(
      "tool 'read' of space 'notes' is not a tool (got string). Make it with tool('…', {}, …).",
    );
    expect(() => describeAny({ ...complete(), tools: { read: { ...read, invoke: undefined } } })).toThrow(
      "tool 'read' of space 'notes' lacks the required member 'invoke' (expected function, got undefined).",
    );
    expect(() => describeAny({ ...complete(), tools: { read: { ...read, spec: {} } } })).toThrow(
      "tool 'read' of space 'notes' has a spec without params.",
    );
    expect(() => describeAny({ ...complete(), tools: { look: read } })).toThrow(
      "tool 'look' of space 'notes' is named 'read'. List it under its own name.",
    );
  });

  it('does not make the parameters of a tool that makes them on first use', () => {
    const make = vi.fn(() => ({ id: z.int() }));
    const read = tool('x', make, () => '').named('read');
    expect(describeAny({ ...complete(), tools: { read } }).tools['read']).toBe(read);
    const opened = describeAny({ ...complete(), tools: { read }, onOpen: () => undefined }).tools['read'];
    expect(make).not.toHaveBeenCalled();
    expect(opened?.spec.params).toEqual([{ name: 'id', type: 'int' }]);
  });

  it('refuses an instance of a class that is not decorated', () => {
    class Plain {
      enter() {
        return '';
      }
    }
    expect(() => describeSpace(new Plain())).toThrow(
      'class Plain is not a resourcespace: it has no @resourcespace decorator. Put @resourcespace({',
    );
  });

  it('refuses a decorated class without enter()', () => {
    class Silent {
      readonly open = 3;
    }
    resourcespace({ name: 'silent', description: 'Silent.' })(Silent as unknown as typeof Tickets);
    expect(() => describeAny(new Silent())).toThrow("space 'silent' lacks the required member 'enter'");
  });

  it('refuses two tools of one name', () => {
    class Twice extends Tickets {
      @tool({ name: 'read', description: 'x', params: {} })
      again() {
        return '';
      }
    }
    expect(() => describeSpace(new Twice())).toThrow("space 'tickets' has two tools named 'read'. Rename one of them.");
  });

  it('refuses what is not an object', () => {
    expect(() => describeAny(null)).toThrow('what defineResourcespace() returns; got null.');
    expect(() => describeAny('tickets')).toThrow('got string.');
  });
});

it('a space under another name keeps everything else', () => {
  const record = { description: 'Support tickets.', group: 'shop', synonyms: ['issues'], answerLimit: 40 };
  expect(renameSpace(defineResourcespace({ name: 'tickets', ...record, tools: {} }), 'desk')).toMatchObject({
    name: 'desk',
    ...record,
  });
});

it('everything that a space does except its calls may change no file, whoever asks for it', async () => {
  let depth = 0;
  const confine: Confine = (paths, work) => {
    expect(paths).toEqual([]);
    depth++;
    try {
      return work();
    } finally {
      depth--;
    }
  };
  const seen: string[] = [];
  const note = <T>(name: string, result: T) => {
    if (depth > 0) seen.push(name);
    return result;
  };
  const members: Required<Omit<Resourcespace, 'onOpen'>> = {
    enter: () => note('enter', ''),
    children: () => note('children', {}),
    status: () => note('status', {}),
    running: () => note('running', []),
    isIdle: () => note('isIdle', true),
    search: async () => note('search', []),
    contentOf: async () => note('contentOf', undefined),
    complete: async () => note('complete', []),
    locate: async () => note('locate', undefined),
    dispose: () => note('dispose', undefined),
  };
  const space = describeSpace({ name: 'notes', description: 'Notes.', tools: {}, ...members }, confine);
  for (const name of Object.keys(members) as (keyof typeof members)[]) {
    await (space[name] as (...args: unknown[]) => unknown)('', 5);
  }
  expect(seen).toEqual(Object.keys(members));
  expect(describeSpace(space, confine)).toBe(space);
});
