import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from './define-resourcespace.ts';
import { readToolRecords } from './metadata.ts';
import { resourcespace } from './resourcespace.ts';
import { tool } from './tool.ts';

describe('tool', () => {
  it('infers the arguments of a plain tool from its parameters', () => {
    const space = defineResourcespace({
      name: 'tickets',
      description: 'Support tickets.',
      tools: {
        read: tool(
          'One ticket.',
          { target: z.string().default(''), n: z.number().int().optional() },
          ({ target, n }) => target.toUpperCase() + (n ?? 0),
        ),
        close: tool('Closed.', { id: z.int().describe('Number'), why: z.string() }, ({ id }) => id + 1, {
          body: 'why',
        }),
      },
    });
    expect(space.tools['read']?.spec.params).toEqual([
      { name: 'target', type: 'string', default: '' },
      { name: 'n', type: 'int', default: undefined },
    ]);
    expect(space.tools['close']?.effect).toBe('write');
    expect(space.tools['close']?.spec.params).toEqual([
      { name: 'id', type: 'int', doc: 'Number' },
      { name: 'why', type: 'string', body: true },
    ]);
  });

  it('refuses to compile a method that does not fit its parameters', () => {
    @resourcespace({ name: 'a', description: 'A.' })
    class Space {
      enter() {
        return '';
      }
      @tool({ description: 'x', params: { id: z.string() } })
      read({ id }: { id: string }) {
        return id;
      }
      // @ts-expect-error the schema says string, the method number
      @tool({ description: 'x', params: { id: z.string() } })
      write({ id }: { id: number }) {
        return id;
      }
      // @ts-expect-error no such parameter
      @tool({ description: 'x', params: { id: z.string() }, body: 'nope' })
      edit({ id }: { id: string }) {
        return id;
      }
    }
    expect(readToolRecords(new Space()).map((record) => record.key)).toEqual(['read', 'write', 'edit']);
  });
});
