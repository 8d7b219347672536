import { ConfigurationError } from '@bae/core';

/** Limits of the code that a sandbox runs. */
export interface SandboxOptions {
  /** Time limit of one block, including its calls, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Memory limit for the variables of one session, 32 to 1024 megabytes. Default: 256. */
  readonly memoryMb?: number;
  /** Maximum length of the kept output of one block, and of its final value, in characters. Default: 64,000. */
  readonly outputLimit?: number;
  /** Maximum number of calls of one block. Default: 10,000. */
  readonly mostCalls?: number;
}

export type SandboxLimits = Required<SandboxOptions>;

const LONGEST_MS = 2 ** 31 - 1;

const RANGES: Readonly<Record<keyof SandboxLimits, readonly [least: number, usual: number, most: number]>> = {
  timeoutMs: [1, 30_000, LONGEST_MS],
  memoryMb: [32, 256, 1024],
  outputLimit: [0, 64_000, 10_000_000],
  mostCalls: [0, 10_000, 1_000_000],
};

/** @throws ConfigurationError if a limit is out of range */
export function resolveLimits(options: SandboxOptions): SandboxLimits {
  const limits = Object.entries(RANGES).map(([name, [least, usual, most]]) => {
    const value = options[name as keyof SandboxOptions] ?? usual;
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new ConfigurationError(`${name} of a sandbox is ${value}; it is a whole number from ${least} to ${most}.`);
    }
    return [name, value] as const;
  });
  return Object.fromEntries(limits) as unknown as SandboxLimits;
}
