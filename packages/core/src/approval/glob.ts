/**
 * Creates a function that tests whether a text matches a pattern of parts: `*` is any text within a part, `?` one
 * character, and a part `**` any number of parts, including none. A test takes at most time in proportion to the length
 * of the pattern times that of the text.
 */
export function makeGlobTest(pattern: string, separator: '/' | '.' | '\0'): (text: string) => boolean {
  const splitParts = (text: string) => text.split(separator).map((part) => Array.from(part));
  const parts = splitParts(pattern);
  return (text) => matchesParts(parts, splitParts(text));
}

const matchesPart = makeSequenceTest(
  (wanted: string) => wanted === '*',
  (wanted, character: string) => wanted === '?' || wanted === character,
);
const matchesParts = makeSequenceTest(
  (part: readonly string[]) => part.length === 2 && part.every((character) => character === '*'),
  matchesPart,
);

/** Compares items one by one. Only the last wildcard is tried again; the matches of earlier ones can stay. */
function makeSequenceTest<P, T>(isWildcard: (wanted: P) => boolean, matches: (wanted: P, item: T) => boolean) {
  return (pattern: readonly P[], items: readonly T[]): boolean => {
    let at = 0;
    let wildcard = -1;
    let tried = 0;
    for (let index = 0; index < items.length;) {
      const wanted = pattern[at];
      if (wanted !== undefined && isWildcard(wanted)) {
        wildcard = at++;
        tried = index;
      } else if (wanted !== undefined && matches(wanted, items[index] as T)) {
        at++;
        index++;
      } else if (wildcard === -1) {
        return false;
      } else {
        at = wildcard + 1;
        index = ++tried;
      }
    }
    return pattern.slice(at).every(isWildcard);
  };
}
