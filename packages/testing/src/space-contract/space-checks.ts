import { ANSWERING } from './checks/answering.ts';
import { ARGUMENTS } from './checks/arguments.ts';
import { BEING } from './checks/being.ts';
import { CANCELLING } from './checks/cancelling.ts';
import { CHANGING } from './checks/changing.ts';
import { DESCRIBING } from './checks/describing.ts';
import { EFFECTS_TOLD } from './checks/effects.ts';
import { MISSING } from './checks/missing.ts';
import { NEIGHBOURS } from './checks/neighbours.ts';
import { SCHEMAS } from './checks/schemas.ts';
import { SEARCHING } from './checks/searching.ts';
import { VERBS_KEPT } from './checks/verbs.ts';
import type { SpaceCheckSpec } from './space-check.ts';

/** Everything that a resourcespace does, in the order in which an author would mend it. */
export const SPACE_CHECKS: readonly SpaceCheckSpec[] = [
  ...BEING,
  ...DESCRIBING,
  ...VERBS_KEPT,
  ...EFFECTS_TOLD,
  ...ARGUMENTS,
  ...SCHEMAS,
  ...MISSING,
  ...CHANGING,
  ...SEARCHING,
  ...ANSWERING,
  ...CANCELLING,
  ...NEIGHBOURS,
];
