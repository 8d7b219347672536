import { resourcespaceContract, type ResourcespaceContractOptions, type SpaceCheck } from './resourcespace-contract.ts';
import { ConformanceError, type CheckOutcome } from './space-contract/run-check.ts';

/** What became of one check. */
export type CheckReport = { readonly name: string } & (
  | CheckOutcome
  | { readonly status: 'failed'; readonly complaints: readonly string[] }
);

/** What became of all of them. */
export interface ConformanceReport {
  readonly checks: readonly CheckReport[];
  /** Checks that passed, and those that apply: skipped ones do not, those that lack a sample do. */
  readonly score: { readonly passed: number; readonly of: number };
}

/**
 * Runs the whole contract of a resourcespace, one check after the other.
 *
 * @param hear hears of every check when it is over; the rest is not run when it throws
 */
export async function checkResourcespace(
  options: ResourcespaceContractOptions,
  hear: (check: CheckReport) => void = () => undefined,
): Promise<ConformanceReport> {
  const checks: CheckReport[] = [];
  for (const check of resourcespaceContract(options)) {
    const result = await report(check);
    checks.push(result);
    hear(result);
  }
  const counted = checks.filter(({ status }) => status !== 'not-applicable' && status !== 'skipped');
  const passed = counted.filter(({ status }) => status === 'passed').length;
  return { checks, score: { passed, of: counted.length } };
}

async function report(check: SpaceCheck): Promise<CheckReport> {
  const { name } = check;
  try {
    return { name, ...(await check.run()) };
  } catch (error) {
    if (!(error instanceof ConformanceError)) throw error;
    return { name, status: 'failed', complaints: error.complaints };
  }
}
