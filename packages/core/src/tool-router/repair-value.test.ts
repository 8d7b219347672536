import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findPlaceholder } from './check-arguments.ts';
import { repairValue } from './repair-value.ts';

const PAGE = z.strictObject({
  parent: z.union([z.strictObject({ page: z.uuid() }), z.strictObject({ database: z.uuid(), kind: z.literal('db') })]),
  state: z.enum(['open', 'closed']),
  points: z.array(z.array(z.number()).min(2).max(2)).min(1),
  note: z.string().optional(),
});
const ID = '00000000-0000-4000-8000-000000000000';
const GOOD = { parent: { page: ID }, state: 'open', points: [[1, 2]] };

describe('repairValue', () => {
  it('keeps what is right, and has a placeholder or an example for the rest', () => {
    expect(repairValue(PAGE, { ...GOOD, state: 'clsed', points: [[1, 2], [3]], nte: 'x' })).toEqual({
      parent: { page: ID },
      state: 'closed',
      points: [
        [1, 2],
        [3, 1],
      ],
    });
    expect(repairValue(PAGE, { parent: { database: ID }, note: 7 })).toEqual({
      parent: { database: ID, kind: 'db' },
      state: 'open',
      points: [[1, 1]],
      note: '…',
    });
    expect(repairValue(PAGE, 'text')).toEqual({ parent: { page: '…' }, state: 'open', points: [[1, 1]] });
  });

  it('adds to a list what it has to have, and takes an example where the parts are right and the whole is not', () => {
    const item = z.looseObject({ kind: z.string() }).meta({ examples: [{ kind: 'key' }] });
    const list = z.array(item).refine((items) => items.some(({ kind }) => kind === 'key'));
    expect(repairValue(list, [{ kind: 'x' }])).toEqual([{ kind: 'x' }, { kind: 'key' }]);
    expect(repairValue(list.max(1), [{ kind: 'x' }])).toEqual([{ kind: 'key' }]);
    const pair = z.strictObject({ from: z.number(), to: z.number() }).refine(({ from, to }) => from <= to);
    expect(repairValue(pair, { from: 2, to: 1 })).toEqual({ from: 1, to: 1 });
  });

  it('returns a value that fits as it is, and nothing that fits less than what was sent', () => {
    const anything = fc.oneof(fc.anything({ maxDepth: 3 }), fc.record({ parent: fc.anything(), state: fc.anything() }));
    fc.assert(
      fc.property(anything, (sent) => {
        const repaired = repairValue(PAGE, sent);
        expect(findPlaceholder(repaired, 'page') !== undefined || PAGE.safeParse(repaired).success).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(repairValue(PAGE, GOOD)).toBe(GOOD);
  });
});

describe('findPlaceholder', () => {
  it('names the path of the first one', () => {
    expect(findPlaceholder({ a: [1, { b: '…' }], c: '…' }, 'filter')).toBe('filter.a.1.b');
    expect(findPlaceholder({ a: 'x …' }, 'filter')).toBeUndefined();
  });
});

it('a value of unions within unions is repaired in little time, and a list that has to be very long has a few items', () => {
  const node: z.ZodType = z.lazy(() =>
    z.union(Array.from({ length: 12 }, (_, index) => z.strictObject({ kind: z.literal(`k${index}`), child: node }))),
  );
  const sent = { kind: 'k7', child: { kind: 'k8', child: { kind: 'k9', child: { kind: 'none' } } } };
  expect(repairValue(node, sent)).toMatchObject({ kind: 'k7', child: { kind: 'k8' } });
  expect(repairValue(z.array(z.string()).min(1_000_000_000), [])).toHaveLength(10);
});
