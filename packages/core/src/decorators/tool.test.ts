import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { safeParse } from 'zod/v4/core';
import * as mini from 'zod/mini';
import type { ToolContext } from '../protocol/tool-definition.ts';
import { defineResourcespace, resourcespace } from './resourcespace.ts';
import { readToolRecords, tool } from './tool.ts';

const CONTEXT = { space: 'tickets', block: false } as ToolContext;

const tickets = defineResourcespace({
  name: 'tickets',
  description: 'Support tickets.',
  tools: {
    read: tool(
      'One ticket.',
      { target: z.string().default(''), n: z.number().int().optional() },
      ({ target, n }) => target.toUpperCase() + (n ?? 0),
    ),
    close: tool('Closed.', { id: z.int().describe('Number'), why: z.string() }, ({ id }) => id + 1, { body: 'why' }),
    list: tool('All.', z.looseObject({ page: z.int() }), ({ page }) => page, {
      effect: 'read',
      range: true,
      timeoutMs: 5,
    }),
  },
});

@resourcespace({ name: 'tickets', description: 'Support tickets.' })
class TicketsSpace {
  private readonly prefix = 'ticket ';

  enter() {
    return '';
  }

  @tool({ description: 'One ticket.', params: { target: z.string().default('') } })
  read({ target }: { target: string }, context: ToolContext) {
    return `${this.prefix}${target} in ${context.space}`;
  }

  @tool({ description: 'Closed.', params: { id: z.int() }, name: 'close' })
  finish({ id }: { id: number }) {
    return id;
  }
}

class LoudTickets extends TicketsSpace {
  @tool({ description: 'Louder.', params: { target: z.string().default('') } })
  override read({ target }: { target: string }) {
    return target.toUpperCase();
  }
}

const recordsOf = (instance: object) =>
  Object.fromEntries(readToolRecords(instance).map((record) => [record.key, record.bind(instance)]));

describe('tool without a class', () => {
  it('takes its name from the key and its signature from the parameters', () => {
    expect(tickets.tools['read']).toMatchObject({ name: 'read', description: 'One ticket.', effect: 'read' });
    expect(tickets.tools['read']?.spec.params).toEqual([
      { name: 'target', type: 'string', default: '' },
      { name: 'n', type: 'int', default: undefined },
    ]);
    expect(tickets.tools['close']?.spec.params).toEqual([
      { name: 'id', type: 'int', doc: 'Number' },
      { name: 'why', type: 'string', body: true },
    ]);
  });

  it('counts as a change unless it is a reading verb or says otherwise', () => {
    expect(tickets.tools['close']?.effect).toBe('write');
    expect(tickets.tools['list']?.effect).toBe('read');
  });

  it('keeps its settings, and accepts any keyword when its schema is open', () => {
    expect(tickets.tools['list']).toMatchObject({ timeoutMs: 5, spec: { range: true, rest: true } });
    expect(tickets.tools['read']?.spec).not.toHaveProperty('rest');
  });

  it('runs its function with the arguments', () => {
    expect(tickets.tools['read']?.invoke({ target: 'a', n: 2 }, CONTEXT)).toBe('A2');
  });

  it('takes schemas of zod/mini too', () => {
    const space = defineResourcespace({
      name: 'small',
      description: 'Small.',
      tools: {
        read: tool('x', { target: mini.string(), n: mini.optional(mini.int()) }, ({ target, n }) =>
          target.repeat(n ?? 1),
        ),
      },
    });
    expect(space.tools['read']?.spec.params.map(({ type }) => type)).toEqual(['string', 'int']);
  });

  it('makes parameters that are a function when they are first read, and once', () => {
    const make = vi.fn(() => ({ target: z.string().default(''), text: z.string() }));
    const write = tool('Written.', make, ({ target, text }) => target.toUpperCase() + text, { body: 'text' }).named(
      'write',
    );
    expect([write.name, write.effect, write.confirms]).toEqual(['write', 'write', true]);
    expect(make).not.toHaveBeenCalled();
    expect(write.spec.params).toEqual([
      { name: 'target', type: 'string', default: '' },
      { name: 'text', type: 'string', body: true },
    ]);
    expect(safeParse(write.params, { text: 'b' }).data).toEqual({ target: '', text: 'b' });
    expect(write.spec).toBe(write.spec);
    expect(make).toHaveBeenCalledOnce();
  });

  it('refuses a body that is no parameter', () => {
    const bad = { body: 'text' } as unknown as { body: 'target' };
    expect(() => tool('x', { target: z.string() }, () => '', bad).named('write')).toThrow(
      "tool 'write': body names the parameter 'text', but its parameters are target.",
    );
  });
});

describe('tool on a method', () => {
  it('writes down the same record, bound to the instance', () => {
    const { read } = recordsOf(new TicketsSpace());
    expect(read).toMatchObject({
      name: 'read',
      effect: 'read',
      spec: { params: [{ name: 'target', type: 'string', default: '' }] },
    });
    expect(read?.invoke({ target: '7' }, CONTEXT)).toBe('ticket 7 in tickets');
  });

  it('binds what it says about a call to the instance too', async () => {
    class Notes {
      readonly folder = 'notes';
      @tool({
        description: 'x',
        params: { id: z.string() },
        target(this: Notes, { id }) {
          return `${this.folder}/${id}`;
        },
        preview(this: Notes, { id }) {
          return `+${this.folder}/${id}`;
        },
      })
      write({ id }: { id: string }) {
        return id;
      }
    }
    const { write } = recordsOf(new Notes());
    expect([await write?.target?.({ id: 'a' }, CONTEXT), await write?.preview?.({ id: 'a' }, CONTEXT)]).toEqual([
      'notes/a',
      '+notes/a',
    ]);
  });

  it('shares parameters that are a function between all instances of the class', () => {
    const make = vi.fn(() => ({ id: z.int() }));
    class Notes {
      @tool({ description: 'x', params: make })
      read({ id }: { id: number }) {
        return id;
      }
    }
    const [first, second] = [recordsOf(new Notes()), recordsOf(new Notes())];
    expect(make).not.toHaveBeenCalled();
    expect(first['read']?.params).toBe(second['read']?.params);
    expect(make).toHaveBeenCalledOnce();
  });

  it('may have another name than its method', () => {
    expect(recordsOf(new TicketsSpace())['finish']).toMatchObject({ name: 'close', effect: 'write' });
  });

  it('is inherited, and replaced by the method of a subclass, which leaves the parent alone', () => {
    const loud = recordsOf(new LoudTickets());
    expect(Object.keys(loud).toSorted()).toEqual(['finish', 'read']);
    expect(loud['read']?.invoke({ target: 'a' }, CONTEXT)).toBe('A');
    expect(recordsOf(new TicketsSpace())['read']?.invoke({ target: 'a' }, CONTEXT)).toBe('ticket a in tickets');
  });

  it('does not compile when the method does not fit its parameters', () => {
    class Misfit {
      // @ts-expect-error the function makes a string, the method takes a number
      @tool({ description: 'x', params: () => ({ id: z.string() }) })
      read({ id }: { id: number }) {
        return id;
      }

      // @ts-expect-error the schema says string, the method number
      @tool({ description: 'x', params: { id: z.string() } })
      write({ id }: { id: number }) {
        return id;
      }

      // @ts-expect-error the schema has no such parameter
      @tool({ description: 'x', params: { id: z.string() }, body: 'nope' })
      edit({ id }: { id: string }) {
        return id;
      }
    }
    // @ts-expect-error the class has no enter()
    const decorate = () => resourcespace({ name: 'misfit', description: 'x' })(Misfit);
    expect(decorate).not.toThrow();
  });

  it('compiles with an output schema when what it returns, yields or hides behind a text has that type', () => {
    const output = z.array(z.object({ id: z.int() }));
    const tickets = [{ id: 1 }];
    const made = [
      tool('All.', {}, () => tickets, { output }),
      tool('All.', {}, () => ({ text: '1', whole: () => tickets }), { output }),
      tool('All.', {}, () => tickets.values(), { output }),
      tool(
        'All.',
        {},
        async function* () {
          yield 'looking\n';
          return tickets;
        },
        { output },
      ),
      // @ts-expect-error the pieces are no tickets
      tool('All.', {}, () => ['1'].values(), { output }),
      tool(
        'All.',
        {},
        // @ts-expect-error the generator returns text
        async function* () {
          yield 'looking\n';
          return 'none';
        },
        { output },
      ),
    ];
    expect(made.map((one) => one.named('list').spec.returns)).toEqual(made.map(() => '{ id: number }[]'));
  });

  it('makes an output schema when it is first needed, once', () => {
    const output = vi.fn(() => z.object({ words: z.int(), bytes: z.bigint() }));
    const made = tool('Counted.', { text: z.string() }, () => ({ words: 1, bytes: 7n }), { output }).named('count');
    output.mockClear();
    expect(made.output).toBe(made.output);
    expect(output).toHaveBeenCalledTimes(1);
    expect(made.spec.returns).toBe('{ words: number; bytes: string }');
    const deferred = vi.fn(() => output());
    tool(
      'Counted.',
      () => ({}),
      () => ({ words: 1, bytes: 7n }),
      { output: deferred },
    ).named('count');
    expect(deferred).not.toHaveBeenCalled();
  });

  it('takes a whole that comes later as data of the schema', () => {
    const whole = async () => [{ id: 1 }];
    const made = tool('All.', {}, () => ({ text: '1', whole }), { output: z.array(z.object({ id: z.int() })) });
    // @ts-expect-error text is no list of tickets
    tool('All.', {}, () => ({ text: '1', whole: async () => '1' }), { output: z.array(z.object({ id: z.int() })) });
    expect(made.named('list').spec.returns).toBe('{ id: number }[]');
  });
});
