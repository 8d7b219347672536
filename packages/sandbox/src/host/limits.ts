import { ConfigurationError } from '@bae/core';

/** Limits of the code that a sandbox runs. */
export interface SandboxOptions {
  /** Milliseconds that one block may take, its calls included. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Megabytes that the variables of one session may take, 32 to 1024. Default: 64. */
  readonly memoryMb?: number;
  /** Characters that are kept of what one block prints, and of the value that it ends in. Default: 64,000. */
  readonly outputLimit?: number;
  /** Calls that one block may make. Default: 10,000. */
  readonly mostCalls?: number;
}

export type SandboxLimits = Required<SandboxOptions>;

const LONGEST_MS = 2 ** 31 - 1;

const RANGES: Readonly<Record<keyof SandboxLimits, readonly [least: number, usual: number, most: number]>> = {
  timeoutMs: [1, 30_000, LONGEST_MS],
  memoryMb: [32, 64, 1024],
  outputLimit: [0, 64_000, 10_000_000],
  mostCalls: [0, 10_000, 1_000_000],
};

/** @throws ConfigurationError when a limit is out of range */
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
