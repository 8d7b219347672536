import { describe, expect, it } from 'vitest';
import type { Entropy } from '../protocol/host.ts';
import { randomShare } from './random-share.ts';

const always = (value: number): Entropy => ({ getRandomValues: (bytes) => bytes.fill(value) });

describe('randomShare', () => {
  it('reaches from 0 to almost 1', () => {
    expect(randomShare(always(0))).toBe(0);
    expect(randomShare(always(255))).toBeCloseTo(1, 8);
    expect(randomShare(always(255))).toBeLessThan(1);
    expect(randomShare(always(128))).toBeCloseTo(0.5, 2);
  });
});
