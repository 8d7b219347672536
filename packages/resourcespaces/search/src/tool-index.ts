import type { SpaceTree, ToolDefinition } from '@bae/core';

/** A tool, and how well it fits a question. */
export interface RankedTool {
  /** Dotted; `home` for the tools of home. */
  readonly place: string;
  readonly tool: ToolDefinition;
  readonly score: number;
}

/** How much a word counts where it is found. */
const WEIGHTS = { name: 3, place: 2, about: 0.7, description: 1, parameters: 0.4, explanations: 0.2 } as const;
type Field = keyof typeof WEIGHTS;
const FIELDS = Object.keys(WEIGHTS) as readonly Field[];

/** Saturation of the frequency of a word, and how much the length of a text counts, as usual for BM25. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.6;
/** How much another word for one of the question counts. */
const SYNONYM_SHARE = 0.25;

/** Share of a score that depends on how much of the question a tool has: one word of ten is less than ten of ten. */
const COVERAGE_SHARE = 0.5;

const STOP_WORDS = new Set(
  `a about all an and any are as at be by can each for from has have how i if in information into is it its me my not of
  on or our such that the their them then there these this those to use used using via we what when where which who will
  with you your`.split(/\s+/),
);
/** The words of tools are few, and occur again and again. */
const STEMS = new Map<string, string>();
const MOST_STEMS = 20_000;

/** Words that mean nearly the same where tools are concerned. */
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
].map((line) => line.split(' ').map(toStem));
const SYNONYMS_OF = new Map<string, ReadonlySet<string>>();
for (const group of SYNONYMS)
  for (const word of group) SYNONYMS_OF.set(word, new Set([...(SYNONYMS_OF.get(word) ?? []), ...group]));

/** Every tool of every place, to find those that fit some words. BM25 over names, descriptions and parameters. */
export class ToolIndex {
  readonly #tools: readonly ListedTool[];
  /** By word: the tools that have it, and how often, weighted by field. */
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

  /** True when these are the tools of the places as they are now. */
  isOf(tree: SpaceTree): boolean {
    const listed = collectTools(tree, []);
    const isSame = ({ tool, place }: ListedTool, index: number): boolean =>
      this.#tools[index]?.tool === tool && this.#tools[index].place === place;
    return listed.length === this.#tools.length && listed.every(isSame);
  }

  /** The tools that fit some words, best first; none when no word is known. */
  find(query: string): readonly RankedTool[] {
    const found = new Map<number, { score: number; covered: number }>();
    let whole = 0;
    for (const [word, share] of expandQuery(query)) {
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
    return Array.from(found, ([index, { score, covered }]) => ({
      ...this.#tools[index]!,
      score: score * (1 - COVERAGE_SHARE + (COVERAGE_SHARE * covered) / (whole || 1)),
    })).toSorted((a, b) => b.score - a.score);
  }
}

/** The words of a question with weight 1, and other words for them with less. */
function expandQuery(query: string): ReadonlyMap<string, number> {
  const own = listStems(query);
  const words = new Map<string, number>();
  for (const word of own) for (const other of SYNONYMS_OF.get(word) ?? []) words.set(other, SYNONYM_SHARE);
  for (const word of own) words.set(word, 1);
  return words;
}

interface ListedTool extends Omit<RankedTool, 'score'> {
  /** The description of its place. */
  readonly about: string;
}

function collectTools(tree: SpaceTree, path: readonly string[]): readonly ListedTool[] {
  const space = tree.at(path);
  const place = path.join('.') || 'home';
  const own = Object.values(space?.tools ?? {}).map((tool) => ({ place, tool, about: space!.description }));
  return [...own, ...tree.below(path).flatMap(({ name }) => collectTools(tree, [...path, name]))];
}

function countFields({ place, tool, about }: ListedTool): Readonly<Record<Field, readonly string[]>> {
  const { name, description, spec } = tool;
  return {
    name: listStems(name),
    place: listStems(place),
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
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}

/** The words of a text or a name, without their endings: `getIssues` and `get_issue` have the same. */
function listStems(text: string): readonly string[] {
  const spaced = text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word)).map(toStem);
}

function toStem(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  const stem = word.replace(/(?<=\w{3})(?:ations?|ating|ated|ates?|ing|ies|ied|ed|es|s|e|y)$/, '');
  if (STEMS.size < MOST_STEMS) STEMS.set(word, stem);
  return stem;
}
