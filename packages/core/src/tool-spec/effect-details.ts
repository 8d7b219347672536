import type { EffectDetails } from '../protocol/tool-definition.ts';

/**
 * Describes an effect in clauses for the person or program that decides about a call: `may destroy what cannot be had
 * back`, `costs $0.02`.
 */
export function describeDetails({ destructive, openWorld, cost }: EffectDetails): readonly string[] {
  return [
    ...(destructive === true ? ['may delete something that cannot be restored'] : []),
    ...(openWorld === true ? ['reaches data that anyone can change'] : []),
    ...(cost === undefined ? [] : [`costs ${cost}`]),
  ];
}
