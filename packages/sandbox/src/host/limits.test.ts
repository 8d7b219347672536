import { describe, expect, it } from 'vitest';
import { resolveLimits } from './thread.ts';

describe('resolveLimits', () => {
  it('fills in what is usual', () => {
    expect(resolveLimits({ memoryMb: 128 })).toEqual({
      timeoutMs: 30_000,
      memoryMb: 128,
      outputLimit: 64_000,
      mostCalls: 10_000,
    });
  });

  it.each([
    [{ timeoutMs: 0 }, 'timeoutMs of a sandbox is 0; it is a whole number from 1 to 2147483647.'],
    [{ memoryMb: 8 }, 'memoryMb of a sandbox is 8; it is a whole number from 32 to 1024.'],
    [{ outputLimit: 1.5 }, 'outputLimit of a sandbox is 1.5; it is a whole number from 0 to 10000000.'],
    [{ mostCalls: Number.NaN }, 'mostCalls of a sandbox is NaN; it is a whole number from 0 to 1000000.'],
  ])('refuses %j', (options, message) => {
    expect(() => resolveLimits(options)).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }));
  });
});
