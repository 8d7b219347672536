import { ORIENTATION_BREADTH } from '../protocol/limits.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { callable, type SpaceTree } from '../protocol/space-path.ts';
import { groupSpaces } from './render-group.ts';
import { renderSpaceLines } from './render-space-lines.ts';

/** Units of a description, in ever shorter versions of a list. */
const DESCRIPTIONS = [120, 48, 0];
/** Spaces that a group names as examples. */
const EXAMPLES = 3;

/**
 * The root spaces for a reader at home, in ever shorter versions. A long list is one of groups, of
 * which each can be read on its own.
 */
export async function renderSpaceList(tree: SpaceTree): Promise<readonly string[]> {
  const spaces = tree.below([]);
  if (spaces.length === 0) return ['No spaces registered.'];
  if (spaces.length > ORIENTATION_BREADTH) return groupLists(spaces);
  const lines = await renderSpaceLines(spaces);
  const lists = DESCRIPTIONS.map((most) => ['Spaces:', ...lines.map((line) => line(most))].join('\n'));
  return [...lists, `Spaces: ${spaces.map(({ name }) => callable([name])).join(', ')}`];
}

function groupLists(spaces: readonly SpaceDefinition[]): readonly string[] {
  const groups = [...groupSpaces(spaces)];
  const example = groups[0]![0];
  const head = `Spaces: ${spaces.length} in ${groups.length} groups; list one with <R:group:${example}>`;
  const counts = groups.map(([group, members]) => `${group} (${members.length})`);
  const detailed = groups.map(([, members], index) => `  ${counts[index]}: ${exampleNames(members)}`);
  const hidden = groups.length - ORIENTATION_BREADTH;
  const few = `  ${counts.slice(0, ORIENTATION_BREADTH).join(', ')}${hidden > 0 ? `, +${hidden} more groups` : ''}`;
  return [[head, ...detailed].join('\n'), `${head}\n  ${counts.join(', ')}`, `${head}\n${few}`];
}

function exampleNames(members: readonly SpaceDefinition[]): string {
  const names = members.slice(0, EXAMPLES).map(({ name }) => callable([name]));
  return members.length > EXAMPLES ? `${names.join(', ')}, …` : names.join(', ');
}
