import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseMasking, getCacheRatio, type MaskingChoice, type MaskingState } from './masking-moment.ts';

const WINDOW = 100_000;
const state = (given: Partial<MaskingState>): MaskingState => ({
  tokens: 70_000,
  settled: 2000,
  carried: 0,
  contextTokens: WINDOW,
  ratio: 0.1,
  ...given,
});

describe('chooseMasking', () => {
  it('waits while the results in the cache have cost less than masking would', () => {
    // Masking costs (40 000 - 2 000) × 0.9, each request with the old results 30 000 × 0.1.
    expect(chooseMasking(state({}))).toEqual({ target: undefined, carried: 3000 });
    expect(chooseMasking(state({ carried: 31_000 }))).toEqual({ target: undefined, carried: 34_000 });
    expect(chooseMasking(state({ carried: 32_000 }))).toEqual({ target: 40_000, carried: 0 });
  });

  it('hurries where the cache saves little, or where most of the conversation stays in it', () => {
    expect(chooseMasking(state({ ratio: 0.5 })).target).toBeUndefined();
    expect(chooseMasking(state({ ratio: 0.5, carried: 5000 })).target).toBe(40_000);
    expect(chooseMasking(state({ settled: 39_000 })).target).toBe(40_000);
  });

  it('has no choice when the window is nearly full', () => {
    expect(chooseMasking(state({ tokens: 90_001 }))).toEqual({ target: 40_000, carried: 0 });
  });

  it('leaves a conversation alone that has room', () => {
    expect(chooseMasking(state({ tokens: 60_000, carried: 1e6 }))).toEqual({ target: undefined, carried: 1e6 });
  });

  it('goes by the room alone without a cache', () => {
    expect(chooseMasking(state({ tokens: 80_000, ratio: 1 })).target).toBeUndefined();
    expect(chooseMasking(state({ tokens: 80_001, ratio: 1 })).target).toBe(50_000);
  });
});

describe('getCacheRatio', () => {
  const cached = { inputTokens: 1000, outputTokens: 10, cachedTokens: 900 };
  it.each([
    ['the prices', cached, { input: 4, output: 8, cached: 1 }, 0.25],
    ['a tenth, if the prices are not known', cached, undefined, 0.1],
    ['a tenth of nothing', cached, { input: 0, output: 0 }, 0.1],
    ['no discount, if none is listed', cached, { input: 4, output: 8 }, 1],
    ['no cache, if it was hardly used', { ...cached, cachedTokens: 500 }, { input: 4, output: 8, cached: 1 }, 1],
  ])('is %s', (_what, usage, prices, ratio) => expect(getCacheRatio(usage, prices)).toBe(ratio));
});

type Choose = (given: MaskingState) => MaskingChoice;

/** Prices a session in tokens at the input price. Its sizes are how much it grows from request to request. */
function price(growth: readonly number[], ratio: number, choose: Choose): number {
  const settled = 2000;
  let [tokens, fresh, carried, total] = [settled, settled, 0, 0];
  for (const size of growth) {
    tokens += size;
    fresh += size;
    const choice = choose({ tokens, settled, carried, contextTokens: WINDOW, ratio });
    carried = choice.carried;
    if (choice.target !== undefined && choice.target < tokens) {
      tokens = choice.target;
      fresh = tokens - settled;
    }
    total += fresh + (tokens - fresh) * ratio;
    fresh = 0;
  }
  return total;
}

/** Masks as late, or as early, as the shares allow. */
const late: Choose = (given) => ({ target: given.tokens > WINDOW * 0.9 ? WINDOW * 0.4 : undefined, carried: 0 });
const early: Choose = (given) => ({ target: given.tokens > WINDOW * 0.6 ? WINDOW * 0.4 : undefined, carried: 0 });

const sessions = fc.record({
  growth: fc
    .integer({ min: 50, max: 4000 })
    .chain((most) => fc.array(fc.integer({ min: 10, max: most }), { minLength: 20, maxLength: 400, size: 'max' })),
  ratio: fc.constantFrom(0.05, 0.1, 0.25, 0.5, 0.75),
});

describe('the cost of random sessions', () => {
  it('is at most a fifth above the cheaper of masking early and masking late', () => {
    fc.assert(
      fc.property(sessions, ({ growth, ratio }) => {
        const least = Math.min(price(growth, ratio, late), price(growth, ratio, early));
        expect(price(growth, ratio, chooseMasking) / least).toBeLessThanOrEqual(1.2);
      }),
      { numRuns: 300 },
    );
  });

  it.each([0.05, 0.1, 0.25, 0.5, 0.75])('is in sum hardly above that of either, with a ratio of %d', (ratio) => {
    const all = fc.sample(sessions, { numRuns: 200, seed: 5 });
    const sum = (choose: Choose) => all.reduce((total, { growth }) => total + price(growth, ratio, choose), 0);
    expect(sum(chooseMasking) / sum(late)).toBeLessThan(1.02);
    expect(sum(chooseMasking) / sum(early)).toBeLessThan(1.02);
  });
});
