import { spaceNameProblem } from '../decorators/resourcespace.ts';
import { InvalidSpaceError } from '../errors/setup-errors.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { NAVIGATION_NAMES, TAG_NAMES, VERBS } from '../protocol/verbs.ts';

/** What run blocks and tags call something of bae's own; a tool of that name would hide it. */
const BUILTINS: ReadonlySet<string> = new Set([...NAVIGATION_NAMES, 'ai', 'store', 'go', 'run', 'result']);
const VERB_NAMES: ReadonlySet<string> = new Set(VERBS);

/** @throws InvalidSpaceError when the name cannot be one, or the description is not one line */
export function checkSpaceName(space: SpaceDefinition): void {
  const problem = spaceNameProblem(space);
  if (problem !== undefined) throw new InvalidSpaceError(problem);
}

/** @throws InvalidSpaceError when a tool of the space is named like something that means more than the tool */
export function checkToolNames(space: SpaceDefinition): void {
  for (const name of Object.keys(space.tools)) {
    if (VERB_NAMES.has(name)) continue;
    const lower = name.toLowerCase();
    const verb = Object.hasOwn(TAG_NAMES, lower) ? TAG_NAMES[lower] : undefined;
    if (verb === undefined && !BUILTINS.has(lower)) continue;
    const reason = verb === undefined ? `would hide bae's own ${lower}` : `is read as the verb ${verb}`;
    throw new InvalidSpaceError(
      `tool '${name}' of space '${space.name}' ${reason}. Give the tool another name, for example '${space.name}_${name}'.`,
    );
  }
}
