/** Says whether a text has the form of a pattern. */
export type GlobTest = (text: string) => boolean;

/**
 * A pattern of parts: `*` is any text inside a part, `?` one character, and a part `**` any number of parts,
 * also none. Everything else stands for itself.
 *
 * A test takes time in proportion to the length of the pattern times that of the text, whatever they are.
 *
 * @param separator what stands between parts: `/` or `.`
 */
export function globTest(pattern: string, separator: string): GlobTest {
  const parts = pattern.split(separator).map((part) => Array.from(part));
  return (text) => matchesParts(parts, text.split(separator).map(characters));
}

const isManyParts = (part: readonly string[]) => part.length === 2 && part[0] === '*' && part[1] === '*';
const isManyCharacters = (character: string) => character === '*';
const isCharacter = (wanted: string, character: string) => wanted === '?' || wanted === character;
const characters = (part: string) => Array.from(part);

const matchesPart = sequenceTest(isManyCharacters, isCharacter);
const matchesParts = sequenceTest(isManyParts, matchesPart);

/**
 * Compares items one by one, where some items of the pattern stand for any number of others.
 *
 * Of those only the last one met is ever tried again: what the ones before it took can stay as it is.
 */
function sequenceTest<P, T>(isMany: (wanted: P) => boolean, fits: (wanted: P, item: T) => boolean) {
  return (pattern: readonly P[], items: readonly T[]): boolean => {
    let at = 0;
    let many = -1;
    let tried = 0;
    for (let index = 0; index < items.length;) {
      const wanted = pattern[at];
      if (wanted !== undefined && isMany(wanted)) {
        many = at++;
        tried = index;
      } else if (wanted !== undefined && fits(wanted, items[index] as T)) {
        at++;
        index++;
      } else if (many === -1) {
        return false;
      } else {
        at = many + 1;
        index = ++tried;
      }
    }
    return pattern.slice(at).every(isMany);
  };
}
