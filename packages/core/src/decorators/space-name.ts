import { NAVIGATION_NAMES, VERBS } from '../protocol/verbs.ts';
import type { SpaceRecord } from './space-metadata.ts';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const TAKEN: ReadonlySet<string> = new Set([...NAVIGATION_NAMES, ...VERBS, 'go', 'group', 'result']);

/** Why a space cannot be called this, as a sentence with a remedy; undefined when it can. */
export function spaceNameProblem({ name, description }: SpaceRecord): string | undefined {
  if (typeof name !== 'string' || !IDENTIFIER.test(name)) {
    return `a space's name is an identifier (letters, digits, _ and -); got ${JSON.stringify(name)}. Example: 'tickets'.`;
  }
  if (TAKEN.has(name.toLowerCase()))
    return `'${name}' means something else in bae already. Give the space another name.`;
  if (typeof description !== 'string' || description.trim() === '' || description.includes('\n')) {
    return `space '${name}' needs a description of one line. Example: 'Support tickets of the shop.'`;
  }
  return undefined;
}
