import { ResourceError } from '@bae/core';
import { splitGrep } from '@bae/core/pipeline';
import { formatQuantity } from '../text/text-lines.ts';
import { LONGEST_SEARCH } from './check-pattern.ts';
import { MOST_FOR_CODE } from './match-rows.ts';

/** A search as the caller sent it. */
interface SentSearch {
  /** The pattern, or pattern and place as in `TODO src`. */
  readonly argument: string;
  /** The place, if it is given separately; then the whole argument is the pattern. */
  readonly path?: string | undefined;
}

/** The parts of a search. */
interface SearchArgument {
  readonly pattern: string;
  readonly path: string | undefined;
  /** The result when nothing matches; it shows how the argument was read if that may be surprising. */
  readonly none: string;
  /** What is searched for if nothing matches an argument that ends or begins with flags of other search programs. */
  readonly withoutFlags?: SearchArgument;
}

/**
 * Splits a search argument into its parts: `"import x" src`, `TODO src`, `import a/b`.
 *
 * @param isPlace returns true for a word that names a place; a word that only looks like a place is part of the pattern
 */
export function createSearchArgument(
  { argument, path }: SentSearch,
  isPlace: (word: string) => boolean,
): SearchArgument {
  // Spaces around a pattern that is the whole argument must be intended, because tags do not add any.
  const asSent = (pattern: string): string => (pattern === argument.trim() ? argument : pattern);
  const found = splitGrep(argument, path === undefined ? isPlace : () => false);
  const rest = removeFlags(argument) ?? (found.path === null ? undefined : readBefore(found.pattern, found.path));
  // What follows a quoted pattern would be its place, and of alternatives the others would still be found, anywhere.
  const isCertain = found.path?.startsWith('-') === true || rest?.path !== undefined || argument.includes('|');
  if (rest !== undefined && isCertain)
    return createSearchArgument({ argument: rest.text, path: path ?? rest.path }, isPlace);
  const place = path ?? found.path ?? undefined;
  const pattern = path === undefined || found.path === null ? asSent(found.pattern) : argument;
  return {
    pattern,
    path: place,
    none: describeNone(pattern),
    ...(rest !== undefined && {
      withoutFlags: createSearchArgument({ argument: rest.text, path: path ?? rest.path ?? rest.files }, isPlace),
    }),
  };
}

/** Flags of other search programs that do not change what is searched for here: `-rn`, `-i`, `-A 3`, `context=3`. */
const FLAG =
  '(?:-[EGHPRhilnrs]+|-[ABCm] ?\\d+|--(?:ignore-case|line-number|recursive)|(?:--(?:after-|before-)?context[ =]|context=)\\d+' +
  '|(?:-t |--type[ =]|type=)\\w+|(?:-g |--(?:glob|include)[ =])\\S+' +
  '|(?:output_mode|head_limit|max_count|max_results|limit|multiline|case|case_sensitive|ignore_case|case_insensitive)=\\w+)';
const LEADING = new RegExp(`^\\s*(?:${FLAG}\\s+)+`);
const TRAILING = new RegExp(`(?:\\s+${FLAG})+\\s*$`);
const ANY_CASE =
  /(?:^|\s)(?:-[a-zA-Z]*i[a-zA-Z]*|--ignore-case|(?:ignore_case|case_insensitive)=true|case(?:_sensitive)?=(?:false|insensitive))(?=\s|$)/;
/** Flags that say in which files to search. */
const FILES = /(?:^|\s)(?:(?:-t |--type[ =]|type=)(?<ending>\w+)|(?:-g |--(?:glob|include)[ =])["']?(?<glob>[^\s"']+))/;
/** `/text/i`, as in languages that write expressions between slashes. */
const BETWEEN_SLASHES = /^\s*\/(.+)\/([gimsuy]*)\s*$/s;
/** What separates a pattern from its place elsewhere: `TODO, src`, `TODO -- src`. */
const SEPARATOR = /(?:[,;]|(?<=\s)(?:@|--))$/;

/** Reads a pattern before the word that is its place, without flags and without what separates the two. */
function readBefore(pattern: string, path: string): ReturnType<typeof removeFlags> {
  const text = SEPARATOR.test(pattern) ? pattern.replace(SEPARATOR, '').trimEnd() : pattern;
  const rest = removeFlags(text);
  return rest === undefined && text === pattern ? undefined : { text: rest?.text ?? text, files: path };
}

/** Removes the flags around a pattern, and takes the path before them; undefined if there are none, or nothing else. */
function removeFlags(argument: string):
  | {
      readonly text: string;
      readonly path?: string | undefined;
      /** Where to search if that is what flags mean, which may be text. */
      readonly files?: string | undefined;
    }
  | undefined {
  if (argument.length > LONGEST_SEARCH) return undefined;
  const [, inside, letters = ''] = BETWEEN_SLASHES.exec(argument) ?? [];
  if (inside !== undefined) return { text: letters.includes('i') ? `(?i)${inside}` : inside };
  const flags = [LEADING, TRAILING].map((flag) => flag.exec(argument)?.[0] ?? '');
  const [leading = '', trailing = ''] = flags;
  const rest = argument.slice(leading.length, argument.length - trailing.length);
  if (rest.length === argument.length || rest.trim() === '') return undefined;
  const { ending, glob = ending && `*.${ending}` } = flags.map((flag) => FILES.exec(flag)?.groups).find(Boolean) ?? {};
  const files = glob?.includes('/') === false ? `**/${glob}` : glob;
  const [, pattern = rest, path] = /^(.*\S)\s+path=(\S+)$/s.exec(rest) ?? [];
  if (!flags.some((flag) => ANY_CASE.test(flag))) return { text: pattern, path, files };
  return { text: pattern.startsWith('"') ? `"(?i)${pattern.slice(1)}` : `(?i)${pattern}`, path, files };
}

/** Matches text that may contain an intended keyword: `a b=c`, `x, path: y`. */
const KEYWORD = /[\s,][\w-]+(?:=|: )\S/;

/** Flags of other search programs, which are plain text here. */
const ANY_FLAG = /(?:^|\s)(?:-[a-zA-Z]{1,3}|--[a-z]+(?:-[a-z]+)*)(?=\s|$)/;

function describeNone(pattern: string): string {
  if (ANY_FLAG.test(pattern))
    return `(no matches for the whole text "${pattern}"; there are no flags, (?i)text ignores case)`;
  return KEYWORD.test(pattern) ? `(no matches for the whole text "${pattern}")` : '(no matches)';
}

/** Number of matches, and ways to find fewer. */
interface TooManyMatches {
  readonly matches: number;
  /** Scope of the matches: `3 files`. */
  readonly within: string;
  /** The same search in a part of the scope; absent if there is none. */
  readonly narrower?: string | undefined;
  /** A tag that shows a place with matches, used if only a longer pattern finds fewer. */
  readonly place: string;
}

/** Creates the error for code whose search finds more lines than it can get at once. */
export function createTooManyMatchesError({ matches, within, narrower, place }: TooManyMatches): ResourceError {
  const fact = `${formatQuantity(matches, 'line')} in ${within} match; code gets ${MOST_FOR_CODE} at most.`;
  if (narrower === undefined) return new ResourceError(`${fact} Narrow with a longer pattern.`, [place]);
  return new ResourceError(`${fact} Narrow with path=… or a longer pattern.`, [narrower]);
}
