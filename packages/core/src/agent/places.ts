import { findVerb } from '../protocol/verbs.ts';
import { ResourceError } from '../errors/bae-error.ts';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import { renderScope } from '../orientation/render-declarations.ts';
import { renderGroup, renderHome } from '../orientation/render-home.ts';
import { fingerprintSpace, renderArrival, renderMove, renderPlace } from '../orientation/render-place.ts';
import {
  listToolNames,
  renderToolHelpWithin,
  renderToolList,
  renderToolNames,
  type ShownHelp,
} from '../orientation/render-tools.ts';
import {
  formatBreadcrumb,
  formatMention,
  formatSpacePath,
  type Move,
  type SpacePath,
  parsePath,
} from '../protocol/space-path.ts';
import type { ToolContext, ToolDefinition } from '../protocol/tool-definition.ts';
import { renderSpaceTree, type Navigation, walkSpaces } from '../registry/navigation.ts';
import type { Registry } from '../registry/registry.ts';
import { joinParts, truncateUnits } from '../text-size/text-size.ts';
import { throwIfAborted, untilAborted } from '../tool-router/abort.ts';
import { $ZodDefault, $ZodString } from 'zod/v4/core';
import { tool } from '../decorators/tool.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import { isResultAddress, readResult, searchResult, type SearchedResults } from '../results/kept-results.ts';
import { qualifyTag } from '../tool-router/suggest-call.ts';
import type { SessionTools } from '../tool-router/resolve-call.ts';

/** Maximum number of places that are named because they have a tool. */
const MOST_OWNERS = 3;

interface PlacesParts {
  readonly registry: Registry;
  readonly navigation: Navigation;
  /** Maximum length of one display, in units. */
  readonly cap: number;
  readonly runBlocks: boolean;
}

/** Moves one session between places and renders its location. */
export class Places {
  readonly #parts: PlacesParts;
  /** Fingerprints of the spaces that the model has seen in full, by dotted path. */
  readonly #seen = new Map<string, string>();
  /** Fingerprints of the spaces that were shown to code; the model may have seen none of them. */
  readonly #seenByCode = new Map<string, string>();
  #sentHome: string | undefined;

  constructor(parts: PlacesParts) {
    this.#parts = parts;
  }

  /**
   * Moves to a place (`source.meta`, `home`, `back`, `up`) or renders the map (`nav`), the location in one line
   * (`where`) or the tools (`help`).
   *
   * @throws ResourceError if there is no such place; AbortError, after the move, when the signal aborts before the
   *   place has described its state
   */
  async go(target: string, { signal, fromCode }: Pick<ToolContext, 'signal' | 'fromCode'>): Promise<string> {
    const { registry, navigation, cap } = this.#parts;
    if (target === 'nav') return renderSpaceTree(registry, navigation.location);
    if (target === 'where') return renderWhere(registry, navigation.location);
    if (target === 'help') return this.help(formatSpacePath(navigation.location), '').text;
    const move = navigation.go(target);
    const seen = fromCode ? this.#seenByCode : this.#seen;
    const isHomeForModel = move.to.length === 0 && !fromCode;
    const before = this.#sentHome;
    const home = isHomeForModel ? await this.#renderHome() : before;
    const text =
      isHomeForModel && move.moved && before !== undefined && home !== undefined
        ? this.#renderReturn(move, before, home)
        : await renderArrival({ tree: registry, move, cap, seen });
    // A text that is ready too late is not shown, so it must not count as seen.
    throwIfAborted(signal);
    this.#sentHome = home;
    if (isHomeForModel) return text;
    const space = registry.at(move.to);
    if (space !== undefined) seen.set(formatSpacePath(move.to), fingerprintSpace(space, registry.below(move.to)));
    return text;
  }

  /** Renders a place as a model sees it when it first enters. */
  async describe(path: SpacePath): Promise<string> {
    const { registry, cap } = this.#parts;
    return renderPlace({ tree: registry, at: path, cap });
  }

  /** True when home's own `read` works without a target: for example, it lists the content of the folder. */
  get hasOwnList(): boolean {
    const [target] = this.#parts.registry.home.tools['read']?.spec.params ?? [];
    return target !== undefined && 'default' in target;
  }

  get runsCode(): boolean {
    return this.#parts.runBlocks;
  }

  /** Lists all spaces, or those of one group. */
  async list(group: string | undefined): Promise<string> {
    return group === undefined ? this.#renderHome() : renderGroup(this.#parts.registry, group);
  }

  /** Describes the tools of a space, or one of them in full. */
  help(space: string, tool: string): ShownHelp {
    const { registry, runBlocks, cap } = this.#parts;
    const at = parsePath(space);
    const place = registry.at(at);
    if (place === undefined) throw new ResourceError(`${space} no longer exists.`, ['nav()']);
    const name = tool.trim();
    // From elsewhere, every tag begins with the name of the place.
    const isHere = formatSpacePath(this.#parts.navigation.location) === space;
    const prefixes = isHere ? 0 : Object.keys(place.tools).length * (space.length + 1);
    const room = Math.max(cap - prefixes, cap / 2);
    if (name === '') return { text: renderToolList(place, room) };
    const definition = [name, findVerb(name) ?? name].map((one) => findOwn(place.tools, one)).find(Boolean);
    if (definition !== undefined) return renderToolHelpWithin(definition, cap);
    if (name === 'run' && runBlocks) return { text: renderScope(registry, at, cap) };
    const elsewhere = this.#findElsewhere(at, name);
    if (elsewhere !== undefined) return this.#helpElsewhere(elsewhere.space, elsewhere.tool);
    const found = Object.entries(place.tools).filter(([one]) => one.toLowerCase().includes(name.toLowerCase()));
    if (found.length > 0) return { text: renderToolList({ ...place, tools: Object.fromEntries(found) }, room) };
    const owners = [...walkSpaces(registry)].filter(({ space: { tools } }) => findOwn(tools, name) !== undefined);
    if (owners.length === 1) return this.#helpElsewhere(formatSpacePath(owners[0]!.path), name);
    if (owners.length > 1) {
      const paths = owners.slice(0, MOST_OWNERS).map(({ path }) => formatSpacePath(path));
      throw new ResourceError(
        `${name} is no tool of ${space}, but of ${paths.join(', ')}.`,
        paths.map((path) => `<help:${path}.${name}>`),
      );
    }
    const names = listToolNames(place);
    const nearest = findNearestName(name, names);
    const remedy = nearest === undefined ? `Tools: ${names.join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
    throw new ResourceError(`no tool '${name}' in ${space}. ${remedy}`, [`<help:${nearest ?? ''}>`]);
  }

  /** Describes a tool of another place, or all of them, with tags that work from here. */
  #helpElsewhere(space: string, tool: string): ShownHelp {
    const { text, whole } = this.help(space, tool);
    const { tools = {} } = this.#parts.registry.at(parsePath(space)) ?? {};
    const qualify = (shown: string) => replaceHelpTags(shown, (tag) => qualifyTag(tag, space, tools));
    return { text: qualify(text), ...(whole !== undefined && { whole: qualify(whole) }) };
  }

  /** Finds what `place`, `place.tool` or `place.subspace.tool` names, below a place or below home. */
  #findElsewhere(at: SpacePath, name: string): { readonly space: string; readonly tool: string } | undefined {
    const { registry } = this.#parts;
    const steps = name.split('.');
    for (const from of at.length === 0 ? [at] : [at, []]) {
      const whole = registry.at([...from, ...steps]);
      if (whole !== undefined) return { space: formatSpacePath([...from, ...steps]), tool: '' };
      const tool = steps.at(-1) ?? '';
      const path = [...from, ...steps.slice(0, -1)];
      const tools = steps.length > 1 ? registry.at(path)?.tools : undefined;
      if (tools !== undefined && [tool, findVerb(tool) ?? tool].some((one) => Object.hasOwn(tools, one)))
        return { space: formatSpacePath(path), tool };
    }
    return undefined;
  }

  /**
   * Renders the beginning of a message to the model: the location, and at home the display if it has changed.
   *
   * @param isFirst true for the first message of a conversation, which shows any place
   */
  async renderLocation(signal: AbortSignal, isFirst: boolean): Promise<string> {
    const { location } = this.#parts.navigation;
    const line = `[Location: ${formatBreadcrumb(location)}]`;
    if (isFirst) {
      this.#seen.clear();
      this.#sentHome = undefined;
    }
    if (location.length > 0 && !isFirst) return line;
    if (location.length > 0) return `${line}\n${await untilAborted(this.describe(location), signal)}\n`;
    const home = await untilAborted(this.#renderHome(), signal);
    const sent = this.#sentHome;
    if (home === sent) return line;
    this.#sentHome = home;
    return `${line}\n${sent === undefined ? home : renderChangedLines(sent, home)}\n`;
  }

  /** Renders the return to home: what has changed there since the model last saw it, and names of what there is. */
  #renderReturn(move: Move, before: string, home: string): string {
    const { registry, cap } = this.#parts;
    const changed = home === before ? '' : renderChangedLines(before, home);
    // Most of it is new.
    if (changed === home) return joinParts(renderMove(move), home);
    const spaces = registry.below([]).map(({ name }) => formatMention([name]));
    const named = spaces.length === 0 ? '' : `Spaces: ${spaces.join(', ')}`;
    return truncateUnits(joinParts(renderMove(move), changed, named, renderToolNames(registry.home)), cap);
  }

  #renderHome(): Promise<string> {
    const { registry, cap } = this.#parts;
    return renderHome(registry, cap);
  }
}

/** Renders the location, its tools, and the places below it on one line. */
function renderWhere(registry: Registry, location: SpacePath): string {
  const tools = listToolNames(registry.at(location) ?? registry.home);
  const below = registry.below(location).map(({ name }) => `@${formatSpacePath([...location, name])}()`);
  const parts = [tools.join(' ') || 'no tools', ...(below.length === 0 ? [] : [below.join(' ')])];
  return `${formatBreadcrumb(location)} -- ${parts.join('; ')}`;
}

/** Returns the lines of a display that are new and those that were removed; the whole display if most of it is new. */
function renderChangedLines(before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const added = now.filter((line) => !old.includes(line));
  const subjects = new Set(added.map(getSubject));
  const removed = old.filter((line) => !now.includes(line) && !subjects.has(getSubject(line)));
  if (added.length + removed.length > now.length / 2) return after;
  return ['Changed here:', ...added, ...removed.map((line) => `no longer: ${line.trim()}`)].join('\n');
}

/** Returns the subject of a line of a display: the name at its beginning. */
function getSubject(line: string): string {
  return line.trim().split(/[\s(:]/, 1)[0]!;
}

/** Replaces the signatures and examples that lines of a help begin with. */
function replaceHelpTags(text: string, replace: (tag: string) => string): string {
  return text.replace(/^<[^>\n]*>|(?<=^Example: )<.*/gm, replace);
}

function findOwn<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

const TEXT = new $ZodString({ type: 'string' });
const OPTIONAL_TEXT = new $ZodDefault({
  type: 'default',
  innerType: TEXT,
  defaultValue: '',
}) as $ZodDefault<$ZodString>;
const PARAMS = { target: OPTIONAL_TEXT };
const SEARCH_PARAMS = { pattern: TEXT, in: OPTIONAL_TEXT, path: OPTIONAL_TEXT };
const RESULT_TARGET = /(?:^|[\s,])(?:in|path)\s*[=:]\s*["']?result:\d/;
const GROUP = /^\s*group:(.*)$/s;

/**
 * Creates the tools of the session itself, which are available everywhere: moves, kept results, the list of spaces, and
 * help.
 */
export function createSessionTools(texts: SearchedResults, places: Places): SessionTools {
  const { results } = texts;
  const go = defineReadTool('go', 'The place you went to.', (target, context) => places.go(target, context));
  const help = defineReadTool('help', 'The tools here, or everything about one.', (target, { space, tag }) => {
    const shown = places.help(space, target);
    const text = replaceHelpTags(shown.text, tag);
    const whole = shown.whole && replaceHelpTags(shown.whole, tag);
    if (whole === undefined) return text;
    return { text: `${text}\n[shortened; full: <R:${results.keep(whole)}>]`, whole: () => whole };
  });
  const kept = defineReadTool('read', 'The whole of a result that was cut.', (target, { answerLimit }) =>
    readResult(results, target, answerLimit),
  );
  const searching = tool(
    'Lines of a kept result that match a regular expression.',
    SEARCH_PARAMS,
    ({ pattern, in: target, path }, { signal }) =>
      searchResult(texts, { address: target || path, pattern, signal, inCode: places.runsCode }),
    { effect: 'read', seesDraft: true },
  ).named('grep');
  const listing = defineReadTool('read', 'The spaces there are.', (target) =>
    places.list(GROUP.exec(target)?.[1]?.trim()),
  );
  return (call, space) => {
    if (call.verb === 'go') return go;
    if (call.verb === 'help') return help;
    if (call.verb === 'grep' && isResultSearch(call)) return searching;
    if (call.verb !== 'read') return undefined;
    if (isResultAddress(call.arg)) return kept;
    return space === 'home' && isListing(call, places.hasOwnList) ? listing : undefined;
  };
}

function isResultSearch({ arg, kwargs = {} }: ToolCall): boolean {
  const places = [kwargs['in'], kwargs['path']];
  return RESULT_TARGET.test(arg) || places.some((place) => typeof place === 'string' && isResultAddress(place));
}

/**
 * Returns true for a read of a group, or for a read without a target if home has no list of its own. Code passes the
 * target by name if a tag would misread it.
 */
function isListing({ arg, kwargs = {} }: ToolCall, hasOwnList: boolean): boolean {
  if (Object.keys(kwargs).some((name) => name !== 'target')) return false;
  const { target: named = '' } = kwargs;
  const target = arg.trim() === '' ? named : arg;
  if (typeof target !== 'string') return false;
  return target.trim() === '' ? !hasOwnList : GROUP.test(target);
}

function defineReadTool(
  name: string,
  description: string,
  run: (target: string, context: ToolContext) => object | string | Promise<string>,
): ToolDefinition {
  const settings = { effect: 'read', seesDraft: true } as const;
  return tool(description, PARAMS, ({ target }, context) => run(target, context), settings).named(name);
}
