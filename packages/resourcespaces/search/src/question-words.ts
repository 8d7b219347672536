import { listStems, listWords, toStem } from './list-stems.ts';

/** Weight of another word for a word of the question: little beside the word itself, more if no tool has that. */
const SYNONYM_SHARE = 0.2;
const REPLACEMENT_SHARE = 0.5;
/** Weight of a known word that differs by one letter from an unknown word in the question. */
const MISSPELT_SHARE = 0.8;
/** Minimum length of a misspelt word in letters: shorter words differ by one letter from many others. */
const SHORTEST_MISSPELT = 4;
/** Weight of a known word that is two words in the question: "web site". */
const JOINED_SHARE = 0.5;
/** Weight of the words for the kind of a value, and of the words inside it. */
const KIND_SHARE = 0.4;
const INSIDE_SHARE = 0.2;
/** Weight of the words for looking something up, if the question has a word that no tool knows, such as a name. */
const LOOKUP_SHARE = 0.2;
const LOOKUP_WORDS = ['search', 'query'].map(toStem);

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

/** Words with nearly the same meaning in descriptions of tools: of actions, then of things. */
const SYNONYMS = [
  'get fetch retrieve obtain read list show view',
  'create make generate write add build new',
  'delete remove erase drop clear',
  'update edit modify change set',
  'search find discover lookup query',
  'calculate compute',
  'run execute command launch start invoke trigger',
  'stop end cancel terminate kill abort',
  'convert transform',
  'merge combine join concatenate',
  'split divide separate',
  'send post',
  'save store export write',
  'download fetch',
  'upload attach',
  'copy duplicate clone',
  'move rename',
  'compare difference diff',
  'check validate verify inspect test',
  'summary summarize abstract overview',
  'install setup',
  'uninstall remove',
  'pay buy purchase order',
  'login signin authenticate',
  'draw paint canvas',
  'image picture photo photograph img',
  'document doc word',
  'presentation ppt powerpoint slide',
  'spreadsheet excel workbook sheet',
  'web url page website webpage link site',
  'repository repo',
  'folder directory',
  'issue ticket bug',
  'mail email',
  'chart plot graph',
  'news headline story article',
  'trend trending popular top rank ranking',
  'latest recent current newest now',
  'stock ticker share equity',
  'crypto cryptocurrency bitcoin coin',
  'company firm business',
  'price cost quote fee',
  'currency money exchange',
  'paper publication preprint',
  'recipe dish meal food cook',
  'weather forecast temperature',
  'map location place address geocode',
  'route direction navigation',
  'video movie film',
  'music song track audio',
  'transcript subtitle caption',
  'schedule calendar event appointment',
  'message chat',
  'comment note reply',
  'person people user contact',
  'package library dependency',
  'database db sql',
  'error exception failure crash',
  'code program script source',
  'config configuration setting option',
  'documentation doc manual guide',
  'info information detail metadata',
  'app application',
  'environment env',
  'authentication auth',
  'kubernetes k8s cluster',
  'javascript js',
  'typescript ts',
  'python py',
  'markdown md',
  'phone mobile device smartphone',
  'drug medicine medication',
  'disease illness condition',
  'train railway',
  'hotel accommodation',
  'wiki wikipedia encyclopedia',
  'todo task',
  'time date clock',
];

let synonymsOf: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Returns the synonyms of each stem. They are collected for the first search, not when the package is loaded. */
function collectSynonyms(): ReadonlyMap<string, ReadonlySet<string>> {
  if (synonymsOf !== undefined) return synonymsOf;
  const collected = new Map<string, ReadonlySet<string>>();
  for (const group of SYNONYMS.map((line) => line.split(' ').map(toStem)))
    for (const word of group) collected.set(word, new Set([...(collected.get(word) ?? []), ...group]));
  return (synonymsOf = collected);
}

/** Number of characters of a question that are read: what is longer is a text, and its beginning says what it is about. */
const LONGEST_QUESTION = 2000;

/** Words that some tool has. */
interface Vocabulary {
  has(word: string): boolean;
  words(): Iterable<string>;
}

/**
 * Returns the stems to look for, with the weight of each. Those of the question itself have weight 1; all others less:
 * synonyms, corrections of misspelt words, words for the kinds of values such as addresses and files.
 */
export function weighQuestion(question: string, known: Vocabulary): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  const add = (words: Iterable<string>, share: number): void => {
    for (const word of words) if (share > (shares.get(word) ?? 0)) shares.set(word, share);
  };
  const { text, kinds, inside } = takeOutValues(question.slice(0, LONGEST_QUESTION));
  const own = new Set(listStems(text));
  add(inside, own.size === 0 && kinds.length === 0 ? 1 : INSIDE_SHARE);
  add(kinds, KIND_SHARE);
  add(
    joinNeighbours(listWords(text)).filter((word) => known.has(word)),
    JOINED_SHARE,
  );
  const synonyms = collectSynonyms();
  const unknown = Array.from(own).filter((word) => !known.has(word));
  for (const word of own) add(synonyms.get(word) ?? [], known.has(word) ? SYNONYM_SHARE : REPLACEMENT_SHARE);
  for (const word of unknown) {
    const meant = word.length < SHORTEST_MISSPELT ? [] : findSimilar(word, known);
    for (const other of meant) add(synonyms.get(other) ?? [], SYNONYM_SHARE);
    add(meant, MISSPELT_SHARE);
    if (meant.length === 0 && !synonyms.has(word) && own.size > unknown.length) add(LOOKUP_WORDS, LOOKUP_SHARE);
  }
  add(own, 1);
  return shares;
}

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
