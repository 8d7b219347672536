import { ResourceError } from '../errors/call-errors.ts';
import { nearestName } from '../nearest-name/nearest-name.ts';
import { ORIENTATION_BREADTH } from '../protocol/limits.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { SpaceTree } from '../protocol/space-path.ts';
import { plainLine } from '../tool-spec/plain-text.ts';
import { renderSpaceLines } from './render-space-lines.ts';

/** Spaces by group name, in alphabetical order; a space without a group belongs to its first letter. */
export function groupSpaces(spaces: readonly SpaceDefinition[]): ReadonlyMap<string, readonly SpaceDefinition[]> {
  const groups = Map.groupBy(spaces, groupOf);
  return new Map([...groups].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/**
 * All root spaces of one group, each on a line with its counts. The text is whole, however long.
 *
 * @throws ResourceError when there is no such group
 */
export async function renderGroup(tree: SpaceTree, name: string): Promise<string> {
  const groups = groupSpaces(tree.below([]));
  const wanted = name.trim().toLowerCase();
  const found = [...groups].find(([group]) => group.toLowerCase() === wanted);
  if (found === undefined) throw noSuchGroup(name.trim(), [...groups.keys()]);
  const [group, spaces] = found;
  const count = spaces.length === 1 ? '1 space' : `${spaces.length} spaces`;
  return [`Group ${group} (${count}):`, ...(await renderSpaceLines(spaces)).map((line) => line())].join('\n');
}

function groupOf({ group, name }: SpaceDefinition): string {
  const own = plainLine(group ?? '').trim();
  return own === '' ? name.charAt(0).toLowerCase() : own;
}

function noSuchGroup(name: string, groups: readonly string[]): ResourceError {
  const fact = `no group '${name.slice(0, 60)}'.`;
  if (groups.length === 0) return new ResourceError(`${fact}\nNo spaces registered.`);
  const best = nearestName(name, groups);
  if (best !== undefined) return new ResourceError(`${fact}\nDid you mean <R:group:${best}>?`);
  const hidden = groups.length - ORIENTATION_BREADTH;
  const more = hidden > 0 ? `, +${hidden} more` : '';
  return new ResourceError(`${fact}\nGroups: ${groups.slice(0, ORIENTATION_BREADTH).join(', ')}${more}`);
}
