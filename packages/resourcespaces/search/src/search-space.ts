import {
  inject,
  ParameterError,
  resourcespace,
  tool,
  type Provision,
  type Resourcespace,
  type SearchHit,
  type SpaceDefinition,
  type SpaceTree,
  type ToolContext,
  type ToolDefinition,
} from '@bae/core';
import { maskKeys, renderSignature, type ToolSpec } from '@bae/core/pipeline';
import { z } from 'zod';
import { ToolIndex, type RankedTool } from './tool-index.ts';

/** Returns the places of the session, which do not exist yet when the search space is created. */
type GetTree = () => SpaceTree;
const PLACES = Symbol('places');

/** Something that cannot be done in this session, by the words that ask for it. */
export interface ClosedAbility {
  readonly words: readonly string[];
  /** What is closed, and how a person opens it; one line. */
  readonly text: string;
}

interface SearchedPlaces {
  readonly tree: GetTree;
  readonly closed: readonly ClosedAbility[];
}

/**
 * Provides the places to search.
 *
 * @param tree called for each search
 * @param closed what cannot be done: a search for tools says so first
 */
export function provideSearch(tree: GetTree, closed: readonly ClosedAbility[] = []): Provision {
  return { token: PLACES, value: { tree, closed } satisfies SearchedPlaces };
}

const query = () => z.string().meta({ description: 'Words to look for', examples: ['login'] });
const within = () => z.string().default('').describe('Places to search, by name: source,tasks. Default all');
const PARAMS = {
  read: () =>
    z.object({
      query: query()
        .default('')
        .meta({ examples: ['login'] }),
      in: within(),
    }),
  grep: () => z.object({ query: query(), in: within() }),
  find: () =>
    z.object({ query: z.string().meta({ description: 'What is to be done', examples: ['create an issue'] }) }),
} as const;

/**
 * Maximum number of hits per place, maximum length of a hit in characters, and time limit per place in milliseconds.
 */
const MOST_HITS = 5;
const LONGEST_HIT = 110;
const LIMIT_MS = 3000;
/** Maximum number of tools shown. */
const MOST_TOOLS = 10;
/** Estimated number of characters per token of the result limit. */
const CHARACTERS_PER_TOKEN = 2.4;

/** Searches every place at once, and the tools of all places. */
@resourcespace({ name: 'search', description: 'Asks every place at once, and finds the tool for a job.' })
export class SearchSpace implements Resourcespace {
  readonly #getTree: GetTree;
  readonly #closed: readonly ClosedAbility[];
  #index: ToolIndex | undefined;

  constructor(@inject(PLACES) { tree, closed }: SearchedPlaces) {
    this.#getTree = tree;
    this.#closed = closed;
  }

  enter(): string {
    const places = this.#listPlaces();
    const own = places.filter(({ space }) => space.search !== undefined).map(({ name }) => name);
    return `${places.length} places; by their content: ${own.join(', ') || 'none'}; the others by their tools.`;
  }

  @tool({ description: 'Hits of every place, each with a tag that reads it.', params: PARAMS.read })
  read(args: z.output<ReturnType<typeof PARAMS.read>>, context: ToolContext): Promise<string> | string {
    return args.query.trim() === '' ? this.enter() : this.#search(args, context);
  }

  @tool({ description: 'The same as read.', params: PARAMS.grep })
  grep(args: z.output<ReturnType<typeof PARAMS.grep>>, context: ToolContext): Promise<string> {
    return this.#search(args, context);
  }

  @tool({
    description: 'Tools of all places that do something, best first.\nEach as it is called from here.',
    params: PARAMS.find,
    effect: 'read',
  })
  async find({ query: wanted }: z.output<ReturnType<typeof PARAMS.find>>): Promise<string> {
    const closed = this.#closed.filter(({ words }) => hasWord(wanted, words)).map(({ text }) => text);
    const found = await this.#leaveOutIdle(this.#tools().find(wanted), MOST_TOOLS);
    if (found.length === 0 && closed.length === 0) {
      const names = this.#listPlaces().map(({ name }) => `@${name}()`);
      return `(no tool fits ${JSON.stringify(wanted)}) Other words may. Places: ${names.join(' ')}`;
    }
    return [...closed, ...found.map((tool) => renderTool(tool))].join('\n');
  }

  /** Returns the first tools of places that can do something at the moment. */
  async #leaveOutIdle(ranked: readonly RankedTool[], most: number): Promise<readonly RankedTool[]> {
    const tree = this.#getTree();
    const idle = new Map<string, boolean>();
    const isIdle = async (place: string, name?: string): Promise<boolean> => {
      const key = `${place} ${name ?? ''}`;
      const known = idle.get(key) ?? (await isIdleNow(tree.at(place === 'home' ? [] : place.split('.')), name));
      idle.set(key, known);
      return known;
    };
    const found: RankedTool[] = [];
    for (const tool of ranked) {
      if (found.length === most) break;
      const { place } = tool;
      const { name } = tool.tool;
      if (!(await isIdle(place)) && !(await isIdle(place, name))) found.push(tool);
    }
    return found;
  }

  async #search(
    { query: wanted, in: names }: z.output<ReturnType<typeof PARAMS.grep>>,
    { signal, answerLimit }: ToolContext,
  ): Promise<string> {
    const places = this.#choosePlaces(names);
    const tools = this.#tools().find(wanted);
    const answers = await Promise.all(places.map((place) => searchPlace(place, { wanted, tools, signal })));
    const room = answerLimit * CHARACTERS_PER_TOKEN;
    for (let most = MOST_HITS; most > 1; most--) {
      const text = renderAnswers(answers, { most });
      if (text.length <= room) return text;
    }
    return renderAnswers(answers, { most: 1, room });
  }

  /** Returns the index of tools, rebuilt if the tools have changed. */
  #tools(): ToolIndex {
    const tree = this.#getTree();
    return (this.#index = this.#index?.renew(tree) ?? new ToolIndex(tree));
  }

  #choosePlaces(names: string): readonly Place[] {
    const places = this.#listPlaces();
    const wanted = names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const unknown = wanted.find((name) => !places.some((place) => place.name === name));
    if (unknown !== undefined)
      throw new ParameterError(
        `in: there is no place ${JSON.stringify(unknown)}. There are ${places.map(({ name }) => name).join(', ')}.`,
      );
    return wanted.length === 0 ? places : places.filter(({ name }) => wanted.includes(name));
  }

  #listPlaces(): readonly Place[] {
    const tree = this.#getTree();
    const others = tree.below([]).filter(({ name }) => name !== 'search');
    const places = others.flatMap((space) => {
      // The resources of a server are in a child place.
      const below =
        space.search === undefined ? tree.below([space.name]).filter((one) => one.search !== undefined) : [];
      return [{ name: space.name, space }, ...below.map((one) => ({ name: `${space.name}.${one.name}`, space: one }))];
    });
    return [{ name: 'home', space: tree.home }, ...places];
  }
}

/** Tests whether a place, or one tool of it, can do nothing; one that fails to say so is not left out. */
async function isIdleNow(space: SpaceDefinition | undefined, tool?: string): Promise<boolean> {
  try {
    return (await space?.isIdle?.(tool)) ?? false;
  } catch {
    return false;
  }
}

function hasWord(text: string, words: readonly string[]): boolean {
  const own = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return words.some((word) => own.has(word));
}

interface Place {
  readonly name: string;
  readonly space: SpaceDefinition;
}

/** Answer of a place, or the reason why it gave none. */
interface PlaceAnswer {
  readonly name: string;
  readonly lines: readonly string[];
  readonly problem?: string;
}

interface Question {
  readonly wanted: string;
  /** Tools of all places that match the question. */
  readonly tools: readonly RankedTool[];
  readonly signal: AbortSignal;
}

/** Returns the hits of a place; if it has no search of its own, the tools of the place that match. */
async function searchPlace({ name, space }: Place, { wanted, tools, signal }: Question): Promise<PlaceAnswer> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  try {
    if (space.search !== undefined) {
      const hits = await Promise.race([space.search(wanted, MOST_HITS + 1), rejectWhenAborted(late)]);
      return { name, lines: hits.map((hit) => renderHit(hit, name)) };
    }
    // Entering a place without tools gives the reason, such as a server that does not start.
    if (Object.keys(space.tools).length === 0) await Promise.race([space.enter(), rejectWhenAborted(late)]);
  } catch (error) {
    signal.throwIfAborted();
    return { name, lines: [], problem: explainProblem(error, late) };
  }
  const finders = Object.values(space.tools)
    .filter(isFinder)
    .map((tool) => renderTool({ place: name, tool }, wanted));
  const others = tools
    .filter(({ place, tool }) => (place === name || place.startsWith(`${name}.`)) && !isFinder(tool))
    .map((tool) => renderTool(tool));
  return { name, lines: [...finders.slice(0, MOST_FINDERS), ...others].slice(0, MOST_HITS) };
}

function explainProblem(error: unknown, late: AbortSignal): string {
  if (late.aborted) return `no answer within ${LIMIT_MS / 1000} s`;
  return firstLine(error instanceof Error ? error.message : String(error));
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Renders the places with hits, each with at most `most` hits and as many as fit, then those without. */
function renderAnswers(
  answers: readonly PlaceAnswer[],
  { most, room = Infinity }: { readonly most: number; readonly room?: number },
): string {
  const found = answers.filter(({ lines }) => lines.length > 0);
  const all = found.map(({ name, lines }) => {
    const count = countHits(lines);
    const more = lines.length > most ? `, ${most} shown` : '';
    const enter = name === 'home' ? '' : `  @${name}()`;
    return [`${name} (${count}${more})${enter}`, ...lines.slice(0, most).map((line) => `  ${line}`)].join('\n');
  });
  const failed = answers.flatMap(({ name, problem }) =>
    problem === undefined ? [] : [problem.startsWith(`${name}: `) ? problem : `${name}: ${problem}`],
  );
  const empty = answers
    .filter(({ lines, problem }) => lines.length === 0 && problem === undefined)
    .map(({ name }) => name);
  const nothing = empty.length === 0 ? [] : [clipLine(`nothing in ${empty.join(', ')}`, room / 4)];
  let left = room * 0.6;
  const groups = all.filter((group) => (left -= group.length + 1) >= 0);
  const others = found.slice(groups.length).map(({ name, lines }) => `${name} ${countHits(lines)}`);
  if (others.length > 0) nothing.unshift(clipLine(`also in ${others.join(', ')}`, room / 4));
  const [first, second] = found;
  const narrow = first && second ? [`narrow: in=${first.name},${second.name}`] : [];
  return [...groups, ...failed, ...nothing, ...narrow].join('\n');
}

function countHits(lines: readonly string[]): string {
  return lines.length > MOST_HITS ? `${MOST_HITS}+` : String(lines.length);
}

/** Renders a line of text and the tag that reads it from other places. */
function renderHit({ target, text }: SearchHit, place: string): string {
  const tag = `<${place}.R:${target}>`;
  // Masked before it is cut, since half a key is not masked.
  return `${clipLine(`${target} ${maskKeys(text.trim())}`, LONGEST_HIT - tag.length)}  ${tag}`;
}

/** Renders a call of a tool that works from anywhere. @param words value for its only parameter */
function renderTool(
  { place, tool: { name, spec, description } }: Pick<RankedTool, 'place' | 'tool'>,
  words?: string,
): string {
  const signature = renderSignature({ ...spec, params: spec.params.filter(isNeeded) }, { style: 'tag' }).slice(1);
  const call = `<${place}.${words === undefined ? signature : `${name}:${words.replaceAll(/[<>\n]/g, ' ')}>`}`;
  return `${call} -- ${clipLine(firstLine(description), LONGEST_HIT - call.length)}`;
}

/** Maximum number of search tools shown for one place. */
const MOST_FINDERS = 2;

/**
 * Tests whether a tool searches a place by words only: it is shown as a ready-made call with the words of the question.
 */
function isFinder(tool: ToolDefinition): boolean {
  if (!/search|find|query|lookup/i.test(tool.name)) return false;
  const needed = tool.spec.params.filter(isNeeded);
  return needed.length === 1 && needed[0]!.type === 'string';
}

/** Tests whether a parameter is required. */
function isNeeded(param: ToolSpec['params'][number]): boolean {
  return !('default' in param);
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]!;
}

function clipLine(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= Math.max(20, most) ? line : `${line.slice(0, Math.max(19, most - 1))}…`;
}
