import { listStems, listWords, toStem } from './list-stems.ts';
import { listSynonyms } from './synonyms.ts';

/** Weight of another word for a word of the question: little beside the word itself, more if no tool has that. */
const SYNONYM_SHARE = 0.3;
const REPLACEMENT_SHARE = 0.5;
/** Weight of a verb that says little, because many tools do it with something. */
const COMMON_SHARE = 0.5;
/** Weight of a known word that differs by one letter from an unknown word in the question. */
const MISSPELT_SHARE = 0.8;
/** Minimum length of a misspelt word in letters: shorter words differ by one letter from many others. */
const SHORTEST_MISSPELT = 4;
/** The same if no word of the question is known: a correction alone would have to say what is meant. */
const SHORTEST_ALONE = 5;
/** Weight of a known word that is two words in the question: "web site". */
const JOINED_SHARE = 0.5;
/** Weight of the words for what a phrase asks for. */
const PHRASE_SHARE = 0.5;
/** Weight of the words for the kind of a value, and of the words inside it. */
const KIND_SHARE = 0.4;
const INSIDE_SHARE = 0.2;
/** Weight of the words for looking something up, if the question has a word that no tool knows, such as a name. */
const LOOKUP_SHARE = 0.2;
const LOOKUP_WORDS = ['search', 'query'].map(toStem);

/** Phrases that mean something else than their words, and the words for it. */
const PHRASES: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\b(?:show|give|tell|get|send|bring) (?:me|us)\b/gi, 'get list read show'],
  [/\bhow (?:many|often)\b/gi, 'count number statistics total'],
  [/\bhow much\b/gi, 'price cost amount'],
  [/\bhow far\b/gi, 'distance'],
  [/\bhow long\b/gi, 'duration time'],
  [/\b[Ww]ho\b/g, 'user author person member'],
  [/\b(?:look (?:up|for)|find out)\b/gi, 'search find lookup query get'],
  [/\b(?:get rid of|throw (?:out|away))\b/gi, 'delete remove'],
  [/\bkick off\b/gi, 'run start trigger'],
  [/\bset up\b/gi, 'create setup configure'],
  [/\b(?:go|roll|take) back\b/gi, 'revert rollback undo restore reset'],
  [/\b(?:sign|log)(?:ed)? in\b/gi, 'login authenticate'],
  [/\bMRs?\b/g, 'merge request'],
  [/\bPRs?\b/g, 'pull request'],
];

/** Words of a question that ask, and do not say for what. */
const ASKING = new Set(
  `tool tools me do does did am was were been being he she they us him her his please want need give tell would could
  should shall may might must let like so no yes but than too very just only also some ones other others own same here
  now yet still while because both few until something anything thing`.split(/\s+/),
);

/** Stems of verbs that say little. */
const COMMON = new Set(
  `get fetch retrieve obtain collect read list show view describe find create make generate add build use run set change
  update check perform put take go`
    .split(/\s+/)
    .map(toStem),
);

/** Number of characters of a question that are read: what is longer is a text, and its beginning says what it is about. */
const LONGEST_QUESTION = 2000;

/** Words that some tool has. */
interface Vocabulary {
  has(word: string): boolean;
  words(): Iterable<string>;
}

/**
 * Returns the stems to look for, with the weight of each. Those of the question itself have weight 1, or a little less if
 * they are common; all others less: synonyms, corrections of misspelt words, words for the kinds of values such as
 * addresses and files. What several words of the question mean counts for each of them.
 */
export function weighQuestion(question: string, known: Vocabulary): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  const add = (words: Iterable<string>, share: number): void => {
    for (const word of words) shares.set(word, Math.min(1, (shares.get(word) ?? 0) + share));
  };
  const { text, kinds, inside } = takeOutValues(question.slice(0, LONGEST_QUESTION));
  const phrases = takeOutPhrases(text);
  const words = listWords(phrases.text).filter((word) => !ASKING.has(word));
  const own = new Set(listStems(words.join(' ')));
  add(phrases.meanings, PHRASE_SHARE);
  add(inside, own.size === 0 && kinds.length === 0 ? 1 : INSIDE_SHARE);
  add(kinds, KIND_SHARE);
  add(
    joinNeighbours(words).filter((word) => known.has(word)),
    JOINED_SHARE,
  );
  const isAnyKnown = Array.from(own).some((word) => known.has(word));
  const shortest = isAnyKnown ? SHORTEST_MISSPELT : SHORTEST_ALONE;
  for (const word of own) {
    const synonyms = listSynonyms(word);
    if (known.has(word)) {
      const share = COMMON.has(word) ? COMMON_SHARE : 1;
      add([word], share);
      add(synonyms, share * SYNONYM_SHARE);
      continue;
    }
    // A word with synonyms is spelt well.
    const meant = word.length < shortest || synonyms.length > 0 ? [] : findSimilar(word, known);
    add(synonyms, REPLACEMENT_SHARE);
    add(meant, MISSPELT_SHARE);
    for (const other of meant) add(listSynonyms(other), SYNONYM_SHARE);
    if (isAnyKnown && meant.length === 0 && synonyms.length === 0) add(LOOKUP_WORDS, LOOKUP_SHARE);
  }
  return shares;
}

function takeOutPhrases(question: string): { readonly text: string; readonly meanings: readonly string[] } {
  const meanings: string[] = [];
  let text = question;
  for (const [pattern, words] of PHRASES) {
    text = text.replace(pattern, () => {
      meanings.push(...listStems(words));
      return ' ';
    });
  }
  return { text, meanings };
}

/** Returns the stems of each two words that follow each other, written as one. */
function joinNeighbours(words: readonly string[]): readonly string[] {
  return words.slice(1).map((word, index) => toStem(words[index]! + word));
}

function findSimilar(word: string, known: Vocabulary): readonly string[] {
  const similar: string[] = [];
  for (const other of known.words()) if (isOneLetterAway(word, other)) similar.push(other);
  return similar;
}

/** Tests whether two words differ by one missing, added or different letter, or by two swapped neighbours. */
function isOneLetterAway(word: string, other: string): boolean {
  if (Math.abs(word.length - other.length) > 1) return false;
  const shorter = Math.min(word.length, other.length);
  let start = 0;
  while (start < shorter && word[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && word.at(-1 - end) === other.at(-1 - end)) end++;
  const [a, b] = [word.slice(start, word.length - end), other.slice(start, other.length - end)];
  return Math.max(a.length, b.length) === 1 || (a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0]);
}

/**
 * Values that a question may contain, recognised by their form, and the words for what they are. A value is what a tool
 * gets, so the words inside it say little about which tool is meant.
 */
const KINDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\b(?:https?|ftp|git|ssh):\/\/[^\s,"'<>)]+|\bwww\.[^\s,"'<>)]+/gi, 'url web page'],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, 'email'],
  [/\b(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|dev)\b(?:\/[^\s,"'<>)]*)?/gi, 'url web page'],
  [/\b(?:arxiv:)?\d{4}\.\d{4,5}\b|\b10\.\d{4,}\/[^\s,"'<>)]+/gi, 'paper'],
  [/-?\d+\.\d+\s*,\s*-?\d+\.\d+/g, 'coordinate location'],
  [/(?<![\w:/])(?:~|\.{1,2})?(?:\/[\w.-]+)+\/?|\b[A-Z]:\\[\w\\.-]+/gi, 'file path'],
  [/\b[\w-]+(?:\/[\w.-]+)*\.[A-Za-z][A-Za-z\d]{1,4}\b/g, 'file path'],
  [
    /\b(?:SELECT\s.+\sFROM|INSERT INTO|UPDATE\s.+\sSET|DELETE FROM|(?:CREATE|ALTER|DROP) TABLE)\s.*/gs,
    'sql query database',
  ],
  [/"[^"]*"|(?<!\w)'[^']*'(?!\w)|`[^`]*`|“[^”]*”/g, ''],
];

/** Words for what is in a file, by the end of its name. */
const FORMATS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['md', 'markdown'],
    ['txt', 'text'],
    ['pdf', 'pdf'],
    ['csv', 'csv'],
    ['json', 'json'],
    ['yaml yml', 'yaml'],
    ['html htm', 'html'],
    ['xls xlsx', 'excel spreadsheet'],
    ['doc docx', 'word document'],
    ['ppt pptx', 'powerpoint presentation'],
    ['png jpg jpeg gif webp', 'image'],
    ['svg', 'svg image'],
    ['mp3 wav flac', 'audio'],
    ['mp4 mov mkv', 'video'],
    ['zip tar gz', 'archive'],
    ['py', 'python code'],
    ['js', 'javascript code'],
    ['ts', 'typescript code'],
  ].flatMap(([ends, words]) => ends!.split(' ').map((end) => [end, words!])),
);

/** Separates the values in a question from the rest of its text. */
function takeOutValues(question: string): {
  readonly text: string;
  /** Stems of the words for what the values are. */
  readonly kinds: readonly string[];
  /** Stems of the words inside the values. */
  readonly inside: readonly string[];
} {
  const kinds: string[] = [];
  const inside: string[] = [];
  let text = question;
  for (const [pattern, words] of KINDS) {
    text = text.replace(pattern, (value) => {
      const format = words.startsWith('file') ? FORMATS[/\.(\w+)$/.exec(value)?.[1]?.toLowerCase() ?? ''] : undefined;
      kinds.push(...listStems(`${words} ${format ?? ''}`));
      inside.push(...listStems(value));
      return ' ';
    });
  }
  return { text, kinds, inside };
}
