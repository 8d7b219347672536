import { findNearestName, type Agent } from '@bae/core';

type SpaceTree = Agent['tree'];

/** Maximum number of names that an error lists. */
const MOST_NAMES = 12;

/** Returns the path of a place as a client writes it: `tasks`, `github.issues()`, or nothing for home. */
export function parsePlace(place = ''): readonly string[] {
  const path = place
    .replaceAll('()', '')
    .split('.')
    .filter((name) => name !== '');
  return path[0] === 'home' ? path.slice(1) : path;
}

/** Says which part of an address does not exist, what is there instead, and what to call next. */
export function explainWrongPlace(tree: SpaceTree, place: string | undefined, tool: string): string {
  const path = parsePlace(place);
  const known = path.findIndex((_, index) => tree.at(path.slice(0, index + 1)) === undefined);
  const parent = path.slice(0, known === -1 ? path.length : known);
  const space = tree.at(parent)!;
  const where = parent.length === 0 ? 'home' : parent.join('.');
  if (known !== -1) {
    const names = tree.below(parent).map(({ name }) => name);
    const full = (name: string): string => [...parent, name].join('.');
    return `There is no place ${JSON.stringify(path.join('.'))}.${listNear(path[known]!, names, full)} See what is there: see(${JSON.stringify({ place: where })}).`;
  }
  const names = Object.keys(space.tools);
  return `${where} has no tool ${JSON.stringify(tool)}.${listNear(tool, names)} See what is there: see(${JSON.stringify({ place: where })}).`;
}

function listNear(wrong: string, names: readonly string[], write = (name: string): string => name): string {
  const nearest = findNearestName(wrong, names);
  if (nearest !== undefined) return ` Did you mean ${JSON.stringify(write(nearest))}?`;
  if (names.length === 0) return '';
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  return ` There are ${names.slice(0, MOST_NAMES).map(write).join(', ')}${more}.`;
}
