import { describe, expect, it } from 'vitest';
import { withinBounds } from './thrown-error.ts';

describe('withinBounds', () => {
  it('leaves an error of the usual size as it is', () => {
    const error = { name: 'TypeError', message: 'bad', stack: '    at f (block-1:1:1)\n' };
    expect(withinBounds(error)).toEqual(error);
  });

  it('keeps the beginning of one that is too long, and says of the message how long it was', () => {
    const { name, message, stack } = withinBounds({
      name: 'n'.repeat(1e6),
      message: 'm'.repeat(5e6),
      stack: 's'.repeat(1e6),
    });
    expect(message).toBe(`${'m'.repeat(4000)}… (5000000 characters)`);
    expect([name.length, stack.length]).toEqual([100, 100_000]);
  });
});
