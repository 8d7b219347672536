import { ResourceError } from '@bae/core';
import { splitGrep } from '@bae/core/pipeline';
import { formatQuantity } from '../text/text-lines.ts';
import { MOST_FOR_CODE } from './match-rows.ts';

/** A search as it is sent. */
interface SentSearch {
  /** The pattern, or pattern and place as in `TODO src`. */
  readonly argument: string;
  /** The place, when it is given apart; then all of the argument is the pattern. */
  readonly path?: string | undefined;
}

/** A search, taken apart. */
interface SearchArgument {
  readonly pattern: string;
  readonly path: string | undefined;
  /** The result when nothing matches; it shows how the argument was read where that may surprise. */
  readonly none: string;
}

/**
 * Takes a search argument apart: `"import x" src`, `TODO src`, `import a/b`.
 *
 * @param isPlace true for a word that names a place; one that only looks like it is part of the pattern
 */
export function createSearchArgument(
  { argument, path }: SentSearch,
  isPlace: (word: string) => boolean,
): SearchArgument {
  // Blanks around a pattern that is all of the argument can only have been meant: a tag has none.
  const asSent = (pattern: string): string => (pattern === argument.trim() ? argument : pattern);
  const found = splitGrep(argument, path === undefined ? isPlace : () => false);
  const place = path ?? found.path ?? undefined;
  const pattern = path === undefined || found.path === null ? asSent(found.pattern) : argument;
  return { pattern, path: place, none: describeNone(pattern) };
}

/** A text that looks as if a keyword had been meant as one: `a b=c`, `x, path: y`. */
const KEYWORD = /[\s,][\w-]+(?:=|: )\S/;

function describeNone(pattern: string): string {
  return KEYWORD.test(pattern) ? `(no matches for the whole text "${pattern}")` : '(no matches)';
}

/** What was found, and how to find less. */
interface TooManyMatches {
  readonly matches: number;
  /** What the matches are in: `3 files`. */
  readonly within: string;
  /** The search in a part of what was searched; absent when there is none. */
  readonly narrower?: string | undefined;
  /** Shows a place with matches, where only a longer pattern finds fewer. */
  readonly place: string;
}

/** The error for code whose search finds more lines than it can have at once. */
export function createTooManyMatchesError({ matches, within, narrower, place }: TooManyMatches): ResourceError {
  const fact = `${formatQuantity(matches, 'line')} in ${within} match; code gets ${MOST_FOR_CODE} at most.`;
  if (narrower === undefined) return new ResourceError(`${fact} Narrow with a longer pattern.`, [place]);
  return new ResourceError(`${fact} Narrow with path=… or a longer pattern.`, [narrower]);
}
