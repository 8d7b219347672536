import { describe, expect, it } from 'vitest';
import { isWithin, leastInTurn, measurementLine, mediansInTurn } from './measure.ts';

describe('mediansInTurn', () => {
  it('takes the measurements in turn and gives the middle one of each', async () => {
    const order: string[] = [];
    const values = { a: [5, 1, 9], b: [2, 8, 4] };
    const take = (name: 'a' | 'b') => (): number => {
      order.push(name);
      return values[name].shift()!;
    };
    expect(await mediansInTurn({ a: take('a'), b: take('b') }, 3)).toEqual({ a: 5, b: 4 });
    expect(order.join('')).toBe('ababab');
  });
});

describe('leastInTurn', () => {
  it('gives the least of each', async () => {
    const values = { a: [5, 1, 9], b: [2, 8, 4] };
    expect(await leastInTurn({ a: () => values.a.shift()!, b: () => values.b.shift()! }, 3)).toEqual({ a: 1, b: 2 });
  });
});

describe('isWithin', () => {
  it('holds a figure against an upper and a lower limit', () => {
    const figure = { name: 'x', unit: 'x', value: 2 };
    expect(isWithin({ ...figure, limit: { atMost: 2 } })).toBe(true);
    expect(isWithin({ ...figure, limit: { atMost: 1.9 } })).toBe(false);
    expect(isWithin({ ...figure, limit: { atLeast: 2 } })).toBe(true);
    expect(isWithin({ ...figure, limit: { atLeast: 2.1 } })).toBe(false);
  });
});

describe('measurementLine', () => {
  it('says whether a figure is within its limit', () => {
    const figure = { name: 'read', unit: 'ms', value: 12.345 };
    expect(measurementLine({ ...figure, limit: { atMost: 50 } })).toBe(
      'ok   read                                         12.35 ms (at most 50)',
    );
    expect(measurementLine({ ...figure, limit: { atLeast: 50 } })).toBe(
      'OVER read                                         12.35 ms (at least 50)',
    );
  });
});
