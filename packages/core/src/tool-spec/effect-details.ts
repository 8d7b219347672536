import type { EffectDetails } from '../protocol/tool-definition.ts';

/** What is declared of an effect besides its kind, without what is not. */
export function pickDetails({ idempotent, destructive, openWorld, cost }: EffectDetails): EffectDetails {
  return {
    ...(idempotent !== undefined && { idempotent }),
    ...(destructive !== undefined && { destructive }),
    ...(openWorld !== undefined && { openWorld }),
    ...(cost !== undefined && { cost }),
  };
}

/** Clauses for whoever decides about a call: `may destroy what cannot be had back`, `costs $0.02`. */
export function describeDetails({ destructive, openWorld, cost }: EffectDetails): readonly string[] {
  return [
    ...(destructive === true ? ['may destroy what cannot be had back'] : []),
    ...(openWorld === true ? ['reaches what anybody may change'] : []),
    ...(cost === undefined ? [] : [`costs ${cost}`]),
  ];
}
