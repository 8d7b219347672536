import {
  CheckedPackage,
  type PackageContractOptions,
  type PackageExports,
} from './package-contract/checked-package.ts';
import { HOOK_CHECKS } from './package-contract/hook-checks.ts';
import { OPTION_CHECKS } from './package-contract/option-checks.ts';
import { reportChecks, type CheckReport, type ConformanceReport, type SpaceCheck } from './resourcespace-contract.ts';
import { ConformanceError } from './space-contract/run-check.ts';

/**
 * Returns the contract of a package's options and hooks as checks: `packageContract(await import('./index.ts'))`. Its
 * spaces have a contract of their own.
 *
 * @param exports of the package: `options`, `spaces` and `hooks` of them matter
 */
export function packageContract(exports: PackageExports, options: PackageContractOptions = {}): readonly SpaceCheck[] {
  const checked = new CheckedPackage(exports, options);
  return [...OPTION_CHECKS, ...HOOK_CHECKS].map(({ name, has, look }) => ({
    name,
    async run() {
      const complaints = new Set<string>();
      let subjects = 0;
      try {
        subjects = has(checked).length;
        if (subjects > 0) for await (const complaint of look(checked)) complaints.add(complaint);
      } catch (error) {
        complaints.add(`it could not be tried: ${(error as Error).message}`);
      }
      if (complaints.size > 0) throw new ConformanceError([...complaints]);
      return { status: subjects > 0 ? 'passed' : 'not-applicable' };
    },
  }));
}

/** Runs the whole contract of a package's options and hooks. @param onReport called with each check when it is over */
export function checkPackage(
  exports: PackageExports,
  options: PackageContractOptions = {},
  onReport?: (check: CheckReport) => void,
): Promise<ConformanceReport> {
  return reportChecks(packageContract(exports, options), onReport);
}
