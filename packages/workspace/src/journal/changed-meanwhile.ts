import { ConflictError } from '@bae/core';
import type { Place } from '../place.ts';
import { showPath } from '../show-path.ts';

/** The refusal to change what is not what it was a moment ago. */
export function changedMeanwhile({ given }: Place): ConflictError {
  const shown = showPath(given);
  return new ConflictError(`${shown} was changed by somebody else at this moment. It was left as it is.`, [
    `<R:${shown}>`,
  ]);
}
