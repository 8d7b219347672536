import { ResourceError } from '@bae/core';
import { MOST_FOR_CODE } from '../row-limits.ts';
import { counted } from './counted.ts';

/** What was found, and how less of it is. */
export interface TooManyMatches {
  readonly matches: number;
  /** What the matches are in: `3 files`. */
  readonly within: string;
  /** The search in a part of what was searched; absent when there is none. */
  readonly narrower?: string | undefined;
  /** Shows a place with matches, where only a longer pattern finds fewer. */
  readonly place: string;
}

/** The error for code that searches for what is there more often than it can have at once. */
export function tooManyMatches({ matches, within, narrower, place }: TooManyMatches): ResourceError {
  const fact = `${counted(matches, 'line')} in ${within} match; code gets ${MOST_FOR_CODE} at most.`;
  if (narrower === undefined) return new ResourceError(`${fact} Narrow with a longer pattern.`, [place]);
  return new ResourceError(`${fact} Narrow with path=… or a longer pattern.`, [narrower]);
}
