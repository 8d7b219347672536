import { ConfigurationError, nearestName } from '@bae/core';
import { runCheck, type CheckOutcome } from './space-contract/run-check.ts';
import { SPACE_CHECKS } from './space-contract/space-checks.ts';
import type { SpaceSamples } from './space-contract/space-samples.ts';
import type { SpaceFactory } from './space-contract/space-subject.ts';

/** A check that a space is let off, and why. */
export interface SkippedCheck {
  /** Name of the check. */
  readonly test: string;
  readonly reason: string;
}

/** What is checked, and with what. */
export interface ResourcespaceContractOptions {
  readonly create: SpaceFactory;
  /** What to try the space with. Default: whatever can be found in it. */
  readonly samples?: SpaceSamples;
  readonly skip?: readonly SkippedCheck[];
  /** Longest time of any one call, in milliseconds. Default: 10 000. */
  readonly patienceMs?: number;
}

/** One thing that every resourcespace does. */
export interface SpaceCheck {
  /** The end of a sentence about the space: `documents every parameter`. */
  readonly name: string;
  /**
   * Tries it on spaces made for the purpose.
   *
   * @throws ConformanceError saying what is missing and how to mend it
   */
  run(): Promise<CheckOutcome>;
}

const PATIENCE_MS = 10_000;

/**
 * The contract of a resourcespace as checks, for any test runner.
 *
 * @throws ConfigurationError when `skip` names no check, or gives no reason
 */
export function resourcespaceContract(options: ResourcespaceContractOptions): readonly SpaceCheck[] {
  const { create, samples = {}, skip = [], patienceMs = PATIENCE_MS } = options;
  const reasons = new Map(skip.map(({ test, reason }) => [test, reason]));
  for (const one of skip) checkSkip(one);
  const open = { create, samples, patienceMs };
  return SPACE_CHECKS.map((check) => ({
    name: check.name,
    async run() {
      const reason = reasons.get(check.name);
      if (reason !== undefined) return { status: 'skipped', reason };
      return runCheck(check, open);
    },
  }));
}

function checkSkip({ test, reason }: SkippedCheck): void {
  const names = SPACE_CHECKS.map(({ name }) => name);
  if (!names.includes(test)) {
    const near = nearestName(test, names);
    const remedy = near === undefined ? `There are: ${names.join('; ')}.` : `Did you mean '${near}'?`;
    throw new ConfigurationError(`skip: there is no check '${test}'. ${remedy}`);
  }
  if (reason.trim() !== '') return;
  throw new ConfigurationError(`skip: '${test}' needs a reason. Say why the space differs: { test, reason: '…' }.`);
}
