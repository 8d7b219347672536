import { BaeError, formatErrorLine, ResourceError } from '../errors/bae-error.ts';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import { ORIENTATION_BREADTH, SMALL_WORLD_TOOLS } from '../protocol/limits.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { formatMention, formatSpacePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import {
  isWithinUnits,
  chooseVersion,
  formatCount,
  joinParts,
  joinFirst,
  truncateUnits,
} from '../text-size/text-size.ts';
import { stripControlCharacters } from '../tool-spec/plain-text.ts';
import {
  listToolNames,
  renderOpenTag,
  renderToolNames,
  renderTools,
  renderToolsWithin,
  renderToolTable,
} from './render-tools.ts';

const STATE_SHARE = 0.2;
/** Maximum lengths of a description, in units, in increasingly short versions of a list. */
const DESCRIPTIONS = [120, 48, 0];
const EXAMPLES = 3;

/**
 * Renders home as the model sees it: breadcrumb, the spaces with their counts, the tools of home; if all spaces
 * together have few tools, those too.
 *
 * @param cap the maximum length of the display, in units
 * @param transition the first line of a display that follows a move
 */
export async function renderHome(tree: SpaceTree, cap: number, transition?: string): Promise<string> {
  const [state, lists] = await Promise.all([renderState(tree.home), renderSpaceLists(tree)]);
  const head = joinParts(transition, 'home', truncateUnits(state, cap * STATE_SHARE));
  return chooseVersion(listHomeVersions(tree, cap, { head, lists }), cap);
}

/** Renders all root spaces of one group, each on a line with its counts. The text is not shortened. */
export async function renderGroup(tree: SpaceTree, name: string): Promise<string> {
  const groups = groupSpaces(tree.below([]));
  const wanted = name.trim().toLowerCase();
  const match = [...groups].find(([group]) => group.toLowerCase() === wanted);
  if (match === undefined) throw noSuchGroup(name.trim(), [...groups.keys()]);
  const [group, spaces] = match;
  const head = `Group ${group} (${formatCount(spaces.length, 'space')}):`;
  const lines = await Promise.all(spaces.map(prepareSpaceLine));
  return [head, ...lines.map((render) => render(Infinity))].join('\n');
}

function* listHomeVersions(
  tree: SpaceTree,
  cap: number,
  { head, lists }: { readonly head: string; readonly lists: readonly string[] },
): Generator<string> {
  const { home } = tree;
  yield joinParts(head, lists[0], renderTools(home), renderAllTools(tree));
  for (const list of lists) {
    const above = joinParts(head, list);
    const tools = renderToolsWithin(home, (text) => isWithinUnits(joinParts(above, text), cap));
    if (tools !== undefined) yield joinParts(above, tools);
  }
  for (const list of lists) yield joinParts(head, list, renderToolNames(home));
}

/** Renders the root spaces in increasingly short versions; many spaces are listed by group. */
async function renderSpaceLists(tree: SpaceTree): Promise<readonly string[]> {
  const spaces = tree.below([]);
  if (spaces.length === 0) return ['No spaces registered.'];
  if (spaces.length > ORIENTATION_BREADTH) return renderGroupLists(spaces);
  const lines = await Promise.all(spaces.map(prepareSpaceLine));
  const lists = DESCRIPTIONS.map((most) => ['Spaces:', ...lines.map((render) => render(most))].join('\n'));
  return [...lists, `Spaces: ${spaces.map(({ name }) => formatMention([name])).join(', ')}`];
}

/** Returns a function that renders a root space as a line, without its description if 0 units are allowed for it. */
async function prepareSpaceLine(space: SpaceDefinition): Promise<(descriptionUnits: number) => string> {
  const status = await renderStatus(space);
  return (descriptionUnits) => {
    const about =
      descriptionUnits === 0 ? '' : ` -- ${truncateUnits(stripControlCharacters(space.description), descriptionUnits)}`;
    return `  ${formatMention([space.name])}${about}${status === '' ? '' : ` | ${status}`}`;
  };
}

/** Maximum number of names per group in increasingly short versions of a list. */
const GROUP_NAMES = [Infinity, 12, 6, EXAMPLES];

/** Lists many spaces by name only: all of them if they fit, otherwise some of each group. */
function renderGroupLists(spaces: readonly SpaceDefinition[]): readonly string[] {
  const groups = [...groupSpaces(spaces)];
  const head = `Spaces: ${spaces.length}, entered with @name(); <R:group:${groups[0]![0]}> describes a group`;
  const lists = GROUP_NAMES.map((most) =>
    groups
      .map(([group, members]) => `  ${group}: ${joinFirst(getNames(members), most, ` <R:group:${group}>`)}`)
      .join('\n'),
  );
  if (spaces.every(({ group = '' }) => group.trim() === '')) lists.unshift(`  ${getNames(spaces).join(', ')}`);
  const counts = groups.map(([group, members]) => `${group} (${members.length})`);
  const few = joinFirst(counts, ORIENTATION_BREADTH, ' more groups');
  return [...lists, `  ${counts.join(', ')}`, `  ${few}`].map((list) => `${head}\n${list}`);
}

function getNames(spaces: readonly SpaceDefinition[]): readonly string[] {
  return spaces.map(({ name }) => name);
}

/**
 * Returns the spaces by group name, in alphabetical order; a space without a group is listed under its first letter.
 */
function groupSpaces(spaces: readonly SpaceDefinition[]): ReadonlyMap<string, readonly SpaceDefinition[]> {
  const groups = Map.groupBy(spaces, ({ group, name }) => {
    const own = stripControlCharacters(group ?? '').trim();
    return own === '' ? name.charAt(0).toLowerCase() : own;
  });
  return new Map([...groups].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function noSuchGroup(name: string, groups: readonly string[]): ResourceError {
  const fact = `no group '${name.slice(0, 60)}'.`;
  if (groups.length === 0) return new ResourceError(`${fact}\nNo spaces registered.`);
  const best = findNearestName(name, groups);
  if (best !== undefined) return new ResourceError(`${fact}\nDid you mean <R:group:${best}>?`);
  return new ResourceError(`${fact}\nGroups: ${joinFirst(groups, ORIENTATION_BREADTH)}`);
}

/**
 * Renders the tool tables of all spaces below home, with instructions to call the tools from home; empty if there are
 * too many. Tools of foreign spaces are left out.
 */
function renderAllTools(tree: SpaceTree): string {
  const parents: SpacePath[] = [[]];
  const tables: string[] = [];
  let count = 0;
  for (const parent of parents) {
    for (const space of tree.below(parent)) {
      const path = [...parent, space.name];
      const [first] = listToolNames(space);
      count += Object.keys(space.tools).length;
      if (space.isForeign === true) continue;
      parents.push(path);
      if (count > SMALL_WORLD_TOOLS || parents.length > ORIENTATION_BREADTH) return '';
      if (first === undefined) continue;
      const usage = `${formatMention(path)} tools, from here as ${renderOpenTag(first, formatSpacePath(path))}:`;
      tables.push(`${usage}\n${renderToolTable(space)}`);
    }
  }
  return tables.join('\n');
}

/**
 * Renders the state of a space as described by `enter()`; a note if that fails, with what to do. Empty if there is nothing to describe.
 */
export async function renderState(space: SpaceDefinition): Promise<string> {
  try {
    const state: unknown = await space.enter();
    if (state === undefined || state === null) return '';
    if (typeof state !== 'string') throw new TypeError(`enter() returned ${typeof state}, expected string`);
    return state.split('\n').map(stripControlCharacters).join('\n').trimEnd().replace(/^\n+/, '');
  } catch (error) {
    const line = `state unavailable: ${formatErrorLine(error)}`;
    const [hint] = BaeError.is(error) ? error.hints : [];
    return hint === undefined || line.includes(hint) ? line : `${line}\nTry: ${stripControlCharacters(hint)}`;
  }
}

/**
 * Renders the counts of `status()` on one line: `Start here. | open: 3  blocked: 0`; a note if it fails. May be empty.
 */
export async function renderStatus(space: SpaceDefinition): Promise<string> {
  if (space.status === undefined) return '';
  try {
    const status: unknown = await space.status();
    if (typeof status !== 'object' || status === null) {
      throw new TypeError(`status() returned ${status === null ? 'null' : typeof status}, expected counts by label`);
    }
    const counts = Object.entries(status).filter(([, count]) => typeof count === 'number');
    const line = counts.map(([label, count]) => `${stripControlCharacters(label)}: ${count}`).join('  ');
    const isOpen = counts.some(([label, count]) => label === 'open' && count > 0);
    return isOpen ? `Start here. | ${line}` : line;
  } catch (error) {
    return `status unavailable: ${formatErrorLine(error)}`;
  }
}
