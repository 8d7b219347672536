import { ConfigurationError, findNearestName } from '@bae/core';
import { REPORT_CHECKS } from './space-contract/checks/reports.ts';
import { RESULT_CHECKS } from './space-contract/checks/results.ts';
import { DESCRIPTION_CHECKS } from './space-contract/checks/descriptions.ts';
import { ISOLATION_CHECKS } from './space-contract/checks/isolation.ts';
import { PARAMETER_CHECKS } from './space-contract/checks/parameters.ts';
import { TARGET_CHECKS } from './space-contract/checks/targets.ts';
import { VERB_CHECKS } from './space-contract/checks/verbs.ts';
import type { SpaceFactory } from './space-contract/open-space.ts';
import { ConformanceError, runCheck, type CheckOutcome, type SpaceCheckSpec } from './space-contract/run-check.ts';
import type { SpaceSamples } from './space-contract/space-samples.ts';

/** Check that a space does not have to pass, with the reason. */
export interface SkippedCheck {
  readonly test: string;
  readonly reason: string;
}

/** Options of the contract: the space to check, and samples for it. */
export interface ResourcespaceContractOptions {
  readonly create: SpaceFactory;
  /** Samples to try the space with. Default: those that can be found in it. */
  readonly samples?: SpaceSamples;
  readonly skip?: readonly SkippedCheck[];
  /** Time limit of any one call, in milliseconds. Default: 10 000. */
  readonly patienceMs?: number;
}

export interface SpaceCheck {
  /** Name of the check, as the end of a sentence about the space: `documents every parameter`. */
  readonly name: string;
  /**
   * Runs the check on spaces created for it.
   *
   * @throws ConformanceError with the problem and how to fix it
   */
  run(): Promise<CheckOutcome>;
}

const PATIENCE_MS = 10_000;

/** All checks, in the order in which an author would fix a space. */
const SPECS: readonly SpaceCheckSpec[] = [
  ...DESCRIPTION_CHECKS,
  ...VERB_CHECKS,
  ...PARAMETER_CHECKS,
  ...TARGET_CHECKS,
  ...RESULT_CHECKS,
  ...REPORT_CHECKS,
  ...ISOLATION_CHECKS,
];

/**
 * Returns the contract of a resourcespace as checks. @throws ConfigurationError if `skip` does not name a check, or
 * gives no reason
 */
export function resourcespaceContract(options: ResourcespaceContractOptions): readonly SpaceCheck[] {
  const { create, samples = {}, skip = [], patienceMs = PATIENCE_MS } = options;
  const reasons = new Map(skip.map(({ test, reason }) => [test, reason]));
  for (const one of skip) checkSkip(one);
  const open = { create, samples, patienceMs };
  return SPECS.map((spec) => ({
    name: spec.name,
    async run() {
      const reason = reasons.get(spec.name);
      return reason === undefined ? runCheck(spec, open) : { status: 'skipped', reason };
    },
  }));
}

function checkSkip({ test, reason }: SkippedCheck): void {
  const names = SPECS.map(({ name }) => name);
  if (!names.includes(test)) {
    const near = findNearestName(test, names);
    const remedy = near === undefined ? `There are: ${names.join('; ')}.` : `Did you mean '${near}'?`;
    throw new ConfigurationError(`skip: there is no check '${test}'. ${remedy}`);
  }
  if (reason.trim() !== '') return;
  throw new ConfigurationError(`skip: '${test}' needs a reason. Say why the space differs: { test, reason: '…' }.`);
}

/** Outcome of one check. */
export type CheckReport = { readonly name: string } & (
  | CheckOutcome
  | { readonly status: 'failed'; readonly complaints: readonly string[] }
);

/** Outcomes of all checks. */
export interface ConformanceReport {
  readonly checks: readonly CheckReport[];
  /** Numbers of checks that passed, and of those that apply: skipped ones do not apply, those that lack a sample do. */
  readonly score: { readonly passed: number; readonly of: number };
}

/**
 * Runs the whole contract of a resourcespace, one check after another.
 *
 * @param onReport called with each check when it is over; if it throws, the remaining checks are not run
 */
export function checkResourcespace(
  options: ResourcespaceContractOptions,
  onReport?: (check: CheckReport) => void,
): Promise<ConformanceReport> {
  return reportChecks(resourcespaceContract(options), onReport);
}

/** Runs checks one after another. @param onReport as for `checkResourcespace` */
export async function reportChecks(
  all: readonly SpaceCheck[],
  onReport: (check: CheckReport) => void = () => undefined,
): Promise<ConformanceReport> {
  const checks: CheckReport[] = [];
  for (const check of all) {
    const { name } = check;
    const report = await check.run().then(
      (outcome): CheckReport => ({ name, ...outcome }),
      (error: unknown): CheckReport => {
        if (!(error instanceof ConformanceError)) throw error;
        return { name, status: 'failed', complaints: error.complaints };
      },
    );
    checks.push(report);
    onReport(report);
  }
  const counted = checks.filter(({ status }) => status !== 'not-applicable' && status !== 'skipped');
  const passed = counted.filter(({ status }) => status === 'passed').length;
  return { checks, score: { passed, of: counted.length } };
}
