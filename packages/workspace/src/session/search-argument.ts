import { splitGrep } from '@bae/core/pipeline';

/** A search as it is sent. */
export interface SentSearch {
  /** The pattern, or pattern and place as in `TODO src`. */
  readonly argument: string;
  /** The place, when it is given apart; then all of the argument is the pattern. */
  readonly path?: string | undefined;
}

/** What a search argument says. */
export interface SearchArgument {
  readonly pattern: string;
  readonly path: string | undefined;
}

/**
 * Takes a search argument apart: `"import x" src`, `TODO src`, `import a/b`.
 *
 * @param isPlace tells whether a word names a place; one that only looks like it is part of the pattern
 */
export function searchArgument({ argument, path }: SentSearch, isPlace: (word: string) => boolean): SearchArgument {
  // Blanks around a pattern that is all of the argument can only have been meant: a tag has none.
  const asSent = (pattern: string): string => (pattern === argument.trim() ? argument : pattern);
  const found = splitGrep(argument, path === undefined ? isPlace : () => false);
  if (path === undefined) return { pattern: asSent(found.pattern), path: found.path ?? undefined };
  return { pattern: found.path === null ? asSent(found.pattern) : argument, path };
}
