import type { EffectDetails } from '../protocol/tool-definition.ts';

/** Clauses for whoever decides about a call: `may destroy what cannot be had back`, `costs $0.02`. */
export function describeDetails({ destructive, openWorld, cost }: EffectDetails): readonly string[] {
  return [
    ...(destructive === true ? ['may destroy what cannot be had back'] : []),
    ...(openWorld === true ? ['reaches what anybody may change'] : []),
    ...(cost === undefined ? [] : [`costs ${cost}`]),
  ];
}
