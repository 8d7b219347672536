import { describe, it } from 'vitest';
import { modelContract } from './model-contract.ts';
import type { ContractFactory } from './model-subject.ts';

/** More than the contract's own patience, so that its complaint is the one to be read. */
const TIMEOUT_MS = 15_000;

/** Runs the contract of the model port against an adapter, as a vitest suite. */
export function describeModel(name: string, create: ContractFactory): void {
  describe(`${name} keeps the contract of a model`, () => {
    for (const contractCase of modelContract(create)) it(contractCase.title, () => contractCase.run(), TIMEOUT_MS);
  });
}
