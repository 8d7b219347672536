// Entry point for everything that needs vitest; the rest is in the main entry.
import { describe, it } from 'vitest';
import { modelContract, type ContractFactory } from './model-contract.ts';
import { packageContract } from './package-contract.ts';
import type { PackageContractOptions, PackageExports } from './package-contract/checked-package.ts';
import { resourcespaceContract, type ResourcespaceContractOptions } from './resourcespace-contract.ts';

// Both timeouts are longer than the contract's own, so that its complaint is the one that is shown.
const MODEL_TIMEOUT_MS = 15_000;
const SPACE_TIMEOUT_MS = 60_000;

/** Runs the contract of the model port against an adapter, as a vitest suite. */
export function describeModel(name: string, create: ContractFactory): void {
  describe(`${name} keeps the contract of a model`, () => {
    for (const one of modelContract(create)) it(one.title, () => one.run(), MODEL_TIMEOUT_MS);
  });
}

/** Runs the contract of a resourcespace, as a vitest suite. Checks that need a sample are shown as skipped. */
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
        SPACE_TIMEOUT_MS,
      );
    }
  });
}

/** Runs the contract of a package's options and hooks, as a vitest suite. */
export function describePlugin(exports: PackageExports, options: PackageContractOptions = {}): void {
  describe('as a package it', () => {
    for (const check of packageContract(exports, options))
      it(check.name, async () => void (await check.run()), SPACE_TIMEOUT_MS);
  });
}
