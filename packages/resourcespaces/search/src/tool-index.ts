import type { SpaceTree, ToolDefinition } from '@bae/core';
import { stemmer } from 'stemmer';

/** A tool and its score for a question. */
export interface RankedTool {
  /** Dotted; `home` for the tools of home. */
  readonly place: string;
  readonly tool: ToolDefinition;
  readonly score: number;
}

/** Weight of a word by the field in which it is found. */
const WEIGHTS = { name: 4, place: 3, about: 0.4, description: 1, parameters: 0.4, explanations: 0.1 } as const;
type Field = keyof typeof WEIGHTS;
const FIELDS = Object.keys(WEIGHTS) as readonly Field[];

/** Parameters of BM25: saturation of word frequency, and influence of text length. */
const SATURATION = 1.6;
const LENGTH_SHARE = 0.45;
/** Weight of a synonym of a word in the question. */
const SYNONYM_SHARE = 0.2;
/** Weight of a known word that differs by one letter from an unknown word in the question. */
const MISSPELT_SHARE = 0.8;
/** Minimum length of a misspelt word in letters: shorter words differ by one letter from many others. */
const SHORTEST_MISSPELT = 4;

/** Share of a score that depends on the part of the question that a tool covers. */
const COVERAGE_SHARE = 0.25;
/**
 * Share of the summed scores of a place's best tools that is added to each of its tools: if many match, the place is
 * relevant.
 */
const PLACE_SHARE = 0.5;
const BEST_OF_PLACE = 7;

const STOP_WORDS = new Set(
  `a about all an and any are as at be by can each for from has have how i if in information into is it its me my not of
  on or our such that the their them then there these this those to use used using via we what when where which who will
  with you your`.split(/\s+/),
);
/** Cache of stems, because the words of tools are few and occur repeatedly. */
const STEMS = new Map<string, string>();
const MOST_STEMS = 20_000;

/** Words with nearly the same meaning in descriptions of tools. */
const SYNONYMS = [
  'get fetch retrieve obtain read list show view',
  'create make generate write add build new',
  'delete remove',
  'update edit modify change set',
  'search find discover lookup query',
  'image picture photo',
  'document doc word',
  'presentation ppt powerpoint slide',
  'spreadsheet excel workbook sheet',
  'web url page website webpage link site',
  'calculate compute',
  'repository repo',
  'folder directory',
  'issue ticket bug',
  'mail email',
  'chart plot graph',
  'run execute command',
  'convert transform',
  'merge combine join',
  'send post',
  'save store export',
  'news headline story article',
  'trend trending popular top rank ranking',
  'latest recent current newest now',
  'stock ticker share equity',
  'company firm business',
  'price cost quote',
  'paper publication preprint',
  'recipe dish meal food cook',
  'weather forecast temperature',
  'map location place address geocode',
  'route direction navigation',
  'video movie film',
  'music song track audio',
  'schedule calendar event appointment',
  'message chat',
  'person people user contact',
  'package library dependency',
  'summary summarize abstract',
  'train railway',
  'hotel accommodation',
  'wiki wikipedia encyclopedia',
  'draw paint canvas',
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

/** Index of the tools of all places, ranked with BM25 over names, descriptions and parameters. */
export class ToolIndex {
  readonly #tools: readonly ListedTool[];
  /** Tools that contain a word, by word, with its frequency weighted by field. */
  readonly #postings = new Map<string, { readonly tool: number; readonly weight: number }[]>();

  constructor(tree: SpaceTree) {
    const listed = collectTools(tree, []);
    this.#tools = listed;
    const texts = listed.map((one) => countFields(one));
    const usual = FIELDS.map((field) => average(texts.map((counts) => counts[field].length)));
    for (const [tool, counts] of texts.entries()) {
      for (const [word, weight] of weighWords(counts, usual)) {
        const holders = this.#postings.get(word);
        if (holders === undefined) this.#postings.set(word, [{ tool, weight }]);
        else holders.push({ tool, weight });
      }
    }
  }

  /** Tests whether the index contains exactly the current tools of the places. */
  isOf(tree: SpaceTree): boolean {
    const listed = collectTools(tree, []);
    const isSame = ({ tool, place }: ListedTool, index: number): boolean =>
      this.#tools[index]?.tool === tool && this.#tools[index].place === place;
    return listed.length === this.#tools.length && listed.every(isSame);
  }

  /** Finds the tools that match some words, best first; none if no word is known. */
  find(query: string): readonly RankedTool[] {
    const found = new Map<number, { score: number; covered: number }>();
    let whole = 0;
    for (const [word, share] of this.#expandQuery(query)) {
      const holders = this.#postings.get(word) ?? [];
      const rarity = Math.log(1 + (this.#tools.length - holders.length + 0.5) / (holders.length + 0.5));
      const isOwn = share === 1;
      if (isOwn && holders.length > 0) whole += rarity;
      for (const { tool, weight } of holders) {
        const { score, covered } = found.get(tool) ?? { score: 0, covered: 0 };
        const more = (share * rarity * weight * (SATURATION + 1)) / (weight + SATURATION);
        found.set(tool, { score: score + more, covered: covered + (isOwn ? rarity : 0) });
      }
    }
    const ranked = Array.from(found, ([index, { score, covered }]) => ({
      place: this.#tools[index]!.place,
      tool: this.#tools[index]!.tool,
      score: score * (1 - COVERAGE_SHARE + (COVERAGE_SHARE * covered) / (whole || 1)),
    })).toSorted(byScore);
    const best = new Map<string, number>();
    for (const [place, tools] of Map.groupBy(ranked, (tool) => tool.place))
      best.set(place, sum(tools.slice(0, BEST_OF_PLACE).map((tool) => tool.score)));
    return ranked
      .map((tool) => ({ ...tool, score: tool.score + PLACE_SHARE * best.get(tool.place)! }))
      .toSorted(byScore);
  }

  /**
   * Returns the words of a question with weight 1, and their synonyms and corrections of misspelt words with lower
   * weights.
   */
  #expandQuery(query: string): ReadonlyMap<string, number> {
    const own = listStems(query);
    const words = new Map<string, number>();
    const addSynonyms = (word: string): void => {
      for (const other of collectSynonyms().get(word) ?? []) words.set(other, SYNONYM_SHARE);
    };
    for (const word of own) {
      addSynonyms(word);
      if (word.length < SHORTEST_MISSPELT || this.#postings.has(word)) continue;
      for (const known of this.#postings.keys()) {
        if (!isOneLetterAway(word, known)) continue;
        addSynonyms(known);
        words.set(known, MISSPELT_SHARE);
      }
    }
    for (const word of own) words.set(word, 1);
    return words;
  }
}

function byScore(a: RankedTool, b: RankedTool): number {
  return b.score - a.score;
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

interface ListedTool extends Omit<RankedTool, 'score'> {
  /** Description of its place. */
  readonly about: string;
  /** Name of its place and its synonyms. */
  readonly called: string;
}

function collectTools(tree: SpaceTree, path: readonly string[]): readonly ListedTool[] {
  const space = tree.at(path);
  const place = path.join('.') || 'home';
  const about = space?.description ?? '';
  const called = [place, ...(space?.synonyms ?? [])].join(' ');
  const own = Object.values(space?.tools ?? {}).map((tool) => ({ place, tool, about, called }));
  return [...own, ...tree.below(path).flatMap(({ name }) => collectTools(tree, [...path, name]))];
}

function countFields({ tool, about, called }: ListedTool): Readonly<Record<Field, readonly string[]>> {
  const { name, description, spec } = tool;
  return {
    name: listStems(name),
    place: listStems(called),
    about: listStems(about),
    description: listStems(description),
    parameters: listStems(spec.params.map((param) => param.name).join(' ')),
    explanations: listStems(spec.params.map(({ doc = '' }) => doc).join(' ')),
  };
}

function weighWords(
  counts: Readonly<Record<Field, readonly string[]>>,
  usual: readonly number[],
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const [index, field] of FIELDS.entries()) {
    const words = counts[field];
    const damping = 1 - LENGTH_SHARE + (LENGTH_SHARE * words.length) / (usual[index]! || 1);
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + WEIGHTS[field] / damping);
  }
  return weights;
}

function average(numbers: readonly number[]): number {
  return sum(numbers) / Math.max(1, numbers.length);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Matches text in a script without spaces between words. */
const UNSPACED = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+)/u;

/** Lists the stems of the words in a text or a name: `getIssues` and `get_issue` have the same ones. */
function listStems(text: string): readonly string[] {
  const spaced = text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  const words: readonly string[] = spaced.match(/[\p{L}\p{N}]+/gu) ?? [];
  const parts = UNSPACED.test(spaced) ? words.flatMap((word) => word.split(UNSPACED).flatMap(pairLetters)) : words;
  return parts.filter((word) => word !== '' && !STOP_WORDS.has(word)).map(toStem);
}

/** Splits text whose words cannot be separated into pairs of consecutive letters. */
function pairLetters(word: string): readonly string[] {
  if (word.length < 3 || !UNSPACED.test(word)) return [word];
  return Array.from({ length: word.length - 1 }, (_, index) => word.slice(index, index + 2));
}

function toStem(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  const stem = stemmer(word);
  if (STEMS.size < MOST_STEMS) STEMS.set(word, stem);
  return stem;
}
