import { describe, expect, it } from 'vitest';
import { sessionId } from './session-id.ts';

const NOON = new Date('2026-11-20T12:00:00Z');

describe('sessionId', () => {
  it('is a UUID of version 7 that begins with its time', () => {
    for (let round = 0; round < 100; round++) {
      const id = sessionId(NOON);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(NOON.getTime());
    }
  });

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 1000 }, () => sessionId(NOON))).size).toBe(1000);
  });

  it.each([0, -1, -3_600_000, 1])('sorts after the one before when the clock goes on by %i ms', (step) => {
    let previous = sessionId(NOON);
    for (let round = 1; round < 100; round++) {
      const next = sessionId(new Date(NOON.getTime() + round * step), previous);
      expect(next > previous).toBe(true);
      previous = next;
    }
  });
});
