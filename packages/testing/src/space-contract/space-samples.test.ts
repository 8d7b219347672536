import { tool } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeBadCalls } from './space-samples.ts';

type Params = Record<string, z.ZodType>;

/** Arguments of the bad calls of a tool with these parameters. */
function bad(params: Params, name = 'find'): readonly object[] {
  return makeBadCalls(tool('Things.', params, () => 'x').named(name)).map(({ args }) => args);
}

describe('the bad calls of a tool', () => {
  it('misspell a parameter, give it another type, and leave it out', () => {
    expect(bad({ count: z.int() })).toEqual([{ count: 1, countx: '1' }, { count: 'x-no-such-value-x' }, {}]);
  });

  it('have a value that only the schema refuses', () => {
    expect(
      bad({
        id: z
          .string()
          .regex(/^T-\d+$/)
          .meta({ examples: ['T-1'] }),
      }),
    ).toContainEqual({ id: 'x-no-such-value-x' });
    expect(bad({ age: z.int().min(0) })).toContainEqual({ age: -987_654_321 });
  });

  it('spare what is optional, open, or takes anything', () => {
    expect(bad({ what: z.unknown().optional() })).toEqual([{ whatx: '1' }]);
    const open = tool('Things.', z.looseObject({ id: z.string().default('') }), () => 'x').named('find');
    expect(makeBadCalls(open).map(({ args }) => args)).toEqual([{ id: { sent: 'no-text' } }]);
  });

  it('leave the target of an edit alone, because an edit of nothing is a read', () => {
    const calls = bad({ id: z.int(), title: z.string() }, 'edit');
    expect(calls).not.toContainEqual({ id: 'x-no-such-value-x', title: 'conformance' });
    expect(calls).toContainEqual({ id: 1 });
  });

  it('of a tool without parameters give it one', () => {
    expect(bad({})).toEqual([{ anything: '1' }]);
  });
});
