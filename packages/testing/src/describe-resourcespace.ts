import { describe, it } from 'vitest';
import { resourcespaceContract, type ResourcespaceContractOptions } from './resourcespace-contract.ts';

/** More than the checks' own patience, so that their complaint is the one to be read. */
const TIMEOUT_MS = 60_000;

/** Runs the contract of a resourcespace, as a vitest suite. What wants for a sample is shown as skipped. */
export function describeResourcespace(options: ResourcespaceContractOptions): void {
  describe('as a resourcespace it', () => {
    for (const check of resourcespaceContract(options)) {
      it(
        check.name,
        async (context) => {
          const outcome = await check.run();
          if (outcome.status === 'not-run') context.skip(`add ${outcome.add}`);
          if (outcome.status === 'not-opened') context.skip('the space cannot be opened');
          if (outcome.status === 'skipped') context.skip(outcome.reason);
        },
        TIMEOUT_MS,
      );
    }
  });
}
