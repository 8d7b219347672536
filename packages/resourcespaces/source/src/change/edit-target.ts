import type { LineRange } from '@bae/core';
import { splitRange } from '@bae/core/pipeline';

/** What the argument of an edit names. */
export interface EditTarget {
  readonly target: string;
  readonly range?: LineRange;
}

/**
 * Takes lines off the address of an edit. It never takes any, so its tool does not declare them, which would put them
 * into every example; but what is said to whoever names them is which symbol they are in.
 */
export function editTarget(argument: string): EditTarget {
  const split = splitRange(argument);
  return 'error' in split || split.range === null ? { target: argument } : { target: split.target, range: split.range };
}
