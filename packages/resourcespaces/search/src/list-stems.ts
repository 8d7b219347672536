import { stemmer } from 'stemmer';

const STOP_WORDS = new Set(
  `a about all an and any are as at be by can each for from has have how i if in information into is it its me my not of
  on or our such that the their them then there these this those to use used using via we what when where which who will
  with you your`.split(/\s+/),
);
/** Words whose stem is also that of words with another meaning, such as `new`, `generate`, `import` and `location`. */
const OWN_STEMS: ReadonlyMap<string, string> = new Map(
  [
    'news',
    'general',
    'generic',
    'important',
    'internal',
    'international',
    'several',
    'locate locates located locating',
  ].flatMap((line) => line.split(' ').map((word, _, [stem]) => [word, stem!] as const)),
);
/** Cache of stems, because the words of tools are few and occur repeatedly. */
const STEMS = new Map<string, string>();
const MOST_STEMS = 20_000;

/** Matches text in a script without spaces between words. */
const UNSPACED = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+)/u;

/** Lists the stems of the words in a text or a name: `getIssues` and `get_issue` have the same ones. */
export function listStems(text: string): readonly string[] {
  return listWords(text)
    .filter((word) => !STOP_WORDS.has(word))
    .map(toStem);
}

/** Lists the words in a text or a name, in lower case. */
export function listWords(text: string): readonly string[] {
  const spaced = text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  const words: readonly string[] = spaced.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (!UNSPACED.test(spaced)) return words;
  return words.flatMap((word) => word.split(UNSPACED).flatMap(pairLetters)).filter((word) => word !== '');
}

/** Returns the stem of a word in lower case. */
export function toStem(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  const stem = OWN_STEMS.get(word) ?? stemmer(word);
  if (STEMS.size < MOST_STEMS) STEMS.set(word, stem);
  return stem;
}

/** Splits text whose words cannot be separated into pairs of consecutive letters. */
function pairLetters(word: string): readonly string[] {
  if (word.length < 3 || !UNSPACED.test(word)) return [word];
  return Array.from({ length: word.length - 1 }, (_, index) => word.slice(index, index + 2));
}
