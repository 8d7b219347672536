import type { SpaceDefinition, SpaceTree, ToolDefinition } from '@bae/core';
import { listStems, listWords, toStem } from './list-stems.ts';
import { weighQuestion } from './question-words.ts';

/** A tool and its score for a question. */
export interface RankedTool {
  /** Dotted; `home` for the tools of home. */
  readonly place: string;
  readonly tool: ToolDefinition;
  readonly score: number;
}

/**
 * Weight of a word by the field of a tool in which it is found. A name is chosen to tell what a tool does, and the first
 * sentence of a description as well; the rest has instructions and examples with words of many subjects.
 */
const TOOL_FIELDS = {
  name: 2,
  place: 5,
  about: 0.4,
  first: 1.5,
  rest: 0.4,
  parameters: 0.4,
  explanations: 0.1,
} as const;
/** The same for places; `names` and `descriptions` are those of its tools. */
const PLACE_FIELDS = { place: 3, about: 1, names: 1, descriptions: 0.3 } as const;

/** Share of a score that depends on the part of the question that a tool covers. */
const COVERAGE_SHARE = 0.25;
/** Share by which a score is higher if the tool does the kind of action that the question asks for, or lower if not. */
const ACTION_SHARE = 0.1;
/** Shares of the scores of its best tools, and of the score of its own words, in the score of a place. */
const BEST_SHARE = 0.3;
const PLACE_SHARE = 0.5;
/**
 * Share of the second best tool of a place beside the best one, of the third beside the second, and so on: several that
 * match say more than one, but many that nearly match say little.
 */
const NEXT_SHARE = 0.3;
/**
 * Share of the score of its place in the rank of a tool. Less than 1: the first tool is the best one of the best place,
 * but places with many tools that nearly match must not hide a tool elsewhere that does.
 */
const PRIOR_SHARE = 0.3;

/**
 * Index of the tools of all places. Tools and places are ranked with BM25F; what a place is about counts for its tools.
 */
export class ToolIndex {
  readonly #listed: readonly ListedTool[];
  readonly #kinds: readonly (ActionKind | undefined)[];
  readonly #tools: WordIndex<keyof typeof TOOL_FIELDS>;
  readonly #places: WordIndex<keyof typeof PLACE_FIELDS>;
  readonly #placeNames: readonly string[];

  constructor(tree: SpaceTree) {
    const places = collectPlacesBelow(tree, []);
    const words = places.map(splitTools);
    this.#listed = collectTools(places);
    this.#kinds = this.#listed.map(({ tool }) => findActionKind(tool.name));
    this.#tools = new WordIndex(words.flat(), TOOL_FIELDS);
    this.#places = new WordIndex(words.map(splitPlace), PLACE_FIELDS);
    this.#placeNames = places.map(({ name }) => name);
  }

  /** Returns this index if it still contains exactly the current tools of the places, and a new one otherwise. */
  renew(tree: SpaceTree): ToolIndex {
    return this.#isOf(tree) ? this : new ToolIndex(tree);
  }

  #isOf(tree: SpaceTree): boolean {
    const listed = collectTools(collectPlacesBelow(tree, []));
    const isSame = ({ tool, place }: ListedTool, index: number): boolean =>
      this.#listed[index]?.tool === tool && this.#listed[index].place === place;
    return listed.length === this.#listed.length && listed.every(isSame);
  }

  /**
   * Finds the tools that match some words, best first; none if no word is known. Those that have exactly the name in the
   * query come first, otherwise the best tool of the best place.
   */
  find(query: string): readonly RankedTool[] {
    const ranked = this.#rank(query);
    const named = this.#listed.filter((one) => isAskedFor(one, query));
    if (named.length === 0) return ranked;
    const score = ranked[0]?.score ?? 1;
    const known = ranked.filter((one) => named.some((other) => isSameTool(one, other)));
    const unknown = named.filter((one) => !known.some((other) => isSameTool(one, other)));
    const others = ranked.filter((one) => !known.includes(one));
    return [...[...known, ...unknown].map((one) => ({ ...one, score })), ...others];
  }

  #rank(query: string): readonly RankedTool[] {
    const words = weighQuestion(query, this.#tools);
    const own = this.#scoreTools(words, findActionKind(query));
    const places = this.#scorePlaces(words, own);
    const rank = (index: number, share: number): number =>
      own[index]! + share * places.get(this.#listed[index]!.place)!;
    const found = Array.from(own.keys()).filter((index) => own[index]! > 0);
    if (found.length === 0) return [];
    const first = found.reduce((best, index) => (rank(index, 1) > rank(best, 1) ? index : best));
    const others = found
      .filter((index) => index !== first)
      .map((index) => ({ ...this.#listed[index]!, score: rank(index, PRIOR_SHARE) }));
    return [{ ...this.#listed[first]!, score: rank(first, 1) }, ...others.toSorted((a, b) => b.score - a.score)];
  }

  /** Returns the scores of all tools, 0 for those without any of the words. */
  #scoreTools(words: ReadonlyMap<string, number>, asked: ActionKind | undefined): Float64Array {
    const scores = new Float64Array(this.#listed.length);
    const covered = new Float64Array(this.#listed.length);
    let whole = 0;
    for (const [word, share] of words) {
      const weight = share * this.#measureRarity(word);
      if (this.#tools.has(word)) whole += weight;
      for (const { document, strength } of this.#tools.find(word)) {
        scores[document]! += weight * strength;
        covered[document]! += weight;
      }
    }
    return scores.map((score, index) => {
      const coverage = 1 - COVERAGE_SHARE + (COVERAGE_SHARE * covered[index]!) / (whole || 1);
      return score * coverage * this.#compareKinds(index, asked);
    });
  }

  #compareKinds(index: number, asked: ActionKind | undefined): number {
    const kind = this.#kinds[index];
    if (kind === undefined || asked === undefined) return 1;
    return kind === asked ? 1 + ACTION_SHARE : 1 - ACTION_SHARE;
  }

  /** Returns the scores of the places, from what is known about them and from the scores of their best tools. */
  #scorePlaces(words: ReadonlyMap<string, number>, tools: Float64Array): ReadonlyMap<string, number> {
    const scores = new Map<string, number>();
    const add = (place: string, score: number): void => void scores.set(place, (scores.get(place) ?? 0) + score);
    for (const [word, share] of words) {
      const rarity = this.#places.measureRarity(word);
      for (const { document, strength } of this.#places.find(word))
        add(this.#placeNames[document]!, PLACE_SHARE * share * rarity * strength);
    }
    for (const [place, some] of Map.groupBy(tools.keys(), (index) => this.#listed[index]!.place)) {
      const best = some.map((index) => tools[index]!).toSorted((a, b) => b - a);
      add(place, BEST_SHARE * best.reduceRight((others, score) => score + NEXT_SHARE * others, 0));
    }
    return scores;
  }

  /** Returns how much a word tells tools apart; the places count as well, since some have many tools for one subject. */
  #measureRarity(word: string): number {
    return (this.#tools.measureRarity(word) + this.#places.measureRarity(word)) / 2;
  }
}

type ListedTool = Omit<RankedTool, 'score'>;

function isSameTool(one: ListedTool, other: ListedTool): boolean {
  return one.tool === other.tool && one.place === other.place;
}

/** A place that has tools. */
interface ListedPlace {
  /** Dotted; `home` for home. */
  readonly name: string;
  readonly space: SpaceDefinition;
}

function collectPlacesBelow(tree: SpaceTree, path: readonly string[]): readonly ListedPlace[] {
  const space = tree.at(path);
  const below = tree.below(path).flatMap(({ name }) => collectPlacesBelow(tree, [...path, name]));
  return space === undefined || Object.keys(space.tools).length === 0
    ? below
    : [{ name: path.join('.') || 'home', space }, ...below];
}

function collectTools(places: readonly ListedPlace[]): readonly ListedTool[] {
  return places.flatMap(({ name, space }) => Object.values(space.tools).map((tool) => ({ place: name, tool })));
}

/** Tests whether a query is the name of a tool, alone or behind its place, or has it as a word that only a name can be. */
function isAskedFor({ place, tool }: ListedTool, query: string): boolean {
  const words = query.trim().split(/\s+/);
  const whole = words.join('_');
  const names = [whole, ...words.filter((word) => /[\w][._-][\w]/.test(word))].map(joinWords);
  const own = joinWords(tool.name);
  return names.some((name) => name === own || name === joinWords(`${place}.${tool.name}`));
}

function joinWords(name: string): string {
  const divided = name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2');
  return divided.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_');
}

type ToolWords = FieldWords<keyof typeof TOOL_FIELDS>;

function splitTools({ name, space }: ListedPlace): readonly ToolWords[] {
  const place = listStems([name, ...(space.synonyms ?? [])].join(' '));
  const about = listStems(space.description);
  // The name of a place says nothing that tells its tools apart.
  const ofPlace = new Set(place);
  const listOwn = (text: string): readonly string[] => listStems(text).filter((stem) => !ofPlace.has(stem));
  return Object.values(space.tools).map((tool) => {
    const description = tool.description.trimStart();
    const end = /[.!?](?=\s)|[。\n]/.exec(description)?.index ?? description.length;
    const params = tool.parameterDocs?.() ?? tool.spec.params;
    return {
      place,
      about,
      name: listOwn(tool.name),
      first: listOwn(description.slice(0, end)),
      rest: Array.from(new Set(listOwn(description.slice(end)))),
      parameters: listStems(params.map((param) => param.name).join(' ')),
      explanations: Array.from(new Set(listOwn(params.map(({ doc = '' }) => doc).join(' ')))),
    };
  });
}

/** Combines the words of the tools of one place. */
function splitPlace(tools: readonly ToolWords[]): FieldWords<keyof typeof PLACE_FIELDS> {
  const { place, about } = tools[0]!;
  return {
    place,
    about,
    names: tools.flatMap(({ name }) => name),
    descriptions: tools.flatMap(({ first, rest }) => [...first, ...rest]),
  };
}

/** Saturation of word frequency, and influence of a field's length on the weight of its words. */
const SATURATION = 1.6;
const LENGTH_SHARE = 0.75;

/** Words of a document by field. */
type FieldWords<Field extends string> = Readonly<Record<Field, readonly string[]>>;

/**
 * Index of documents that consist of fields, ranked with BM25F: how often a word occurs is added up over the fields,
 * each with its own weight and compared with its usual length, before it saturates.
 */
export class WordIndex<Field extends string> {
  readonly #count: number;
  /**
   * By word: each document that contains it, followed by the frequency of the word there, weighted by the fields and
   * their lengths. Plain numbers, because an object for each would take most of the time of indexing.
   */
  readonly #postings = new Map<string, number[]>();

  constructor(documents: readonly FieldWords<Field>[], weights: Readonly<Record<Field, number>>) {
    this.#count = documents.length;
    const fields = (Object.entries(weights) as [Field, number][]).map(([field, weight]) => {
      const usual = average(documents.map((words) => words[field].length)) || 1;
      return { field, weight, usual };
    });
    for (const [document, words] of documents.entries()) {
      for (const { field, weight, usual } of fields) {
        const share = weight / (1 - LENGTH_SHARE + (LENGTH_SHARE * words[field].length) / usual);
        for (const word of words[field]) this.#add(word, document, share);
      }
    }
  }

  #add(word: string, document: number, share: number): void {
    const postings = this.#postings.get(word);
    if (postings === undefined) this.#postings.set(word, [document, share]);
    else if (postings[postings.length - 2] === document) postings[postings.length - 1]! += share;
    else postings.push(document, share);
  }

  /** Words of all documents. */
  words(): Iterable<string> {
    return this.#postings.keys();
  }

  /** Tests whether a document contains a word. */
  has(word: string): boolean {
    return this.#postings.has(word);
  }

  /** Returns how much a word tells documents apart: about 0 if it is in all of them. */
  measureRarity(word: string): number {
    const holders = (this.#postings.get(word)?.length ?? 0) / 2;
    return Math.log(1 + (this.#count - holders + 0.5) / (holders + 0.5));
  }

  /** Lists the documents that contain a word, and how much each has of it: from 0 to `SATURATION + 1`. */
  find(word: string): readonly { readonly document: number; readonly strength: number }[] {
    const postings = this.#postings.get(word) ?? [];
    return Array.from({ length: postings.length / 2 }, (_, index) => {
      const frequency = postings[2 * index + 1]!;
      return { document: postings[2 * index]!, strength: (frequency * (SATURATION + 1)) / (frequency + SATURATION) };
    });
  }
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0) / Math.max(1, numbers.length);
}

/** What an action does to things: most servers name their tools by one of these and a thing. */
type ActionKind = 'read' | 'create' | 'delete' | 'change';

const VERBS: Readonly<Record<ActionKind, string>> = {
  read: 'get fetch retrieve obtain read list show view describe search find query look lookup check download',
  create: 'create make generate add build new insert post write',
  delete: 'delete remove erase drop clear uninstall',
  change: 'update edit modify change set rename move replace',
};

let kindsByStem: ReadonlyMap<string, ActionKind> | undefined;

/** Finds the kind of the first action that a text or a name mentions: `listIssues` reads, "add an issue" creates. */
function findActionKind(text: string): ActionKind | undefined {
  kindsByStem ??= new Map(
    (Object.entries(VERBS) as [ActionKind, string][]).flatMap(([kind, verbs]) =>
      verbs.split(' ').map((verb) => [toStem(verb), kind] as const),
    ),
  );
  for (const word of listWords(text)) {
    const kind = kindsByStem.get(toStem(word));
    if (kind !== undefined) return kind;
  }
  return undefined;
}
