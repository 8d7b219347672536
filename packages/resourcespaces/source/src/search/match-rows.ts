import { ResourceError } from '@bae/core';
import { counted } from '@bae/workspace';
import { narrowerPart, type MatchingLine, type ModuleMatches, type Searched } from './render-matches.ts';

/** Lines that code gets at most. */
const MOST_FOR_CODE = 50_000;

/**
 * What code gets of a search: a row for each matching line, `module:12: text`, and `''` when there is none.
 *
 * @param all searches once more for all lines; called when the ones found are only the first, or were cut
 * @throws ResourceError when there are more than code can have at once
 */
export async function matchRows(
  found: ModuleMatches,
  searched: Searched,
  all: () => Promise<ModuleMatches>,
): Promise<string> {
  if (found.matches > MOST_FOR_CODE) throw tooMany(found, searched);
  const known = [...found.groups.values()].flat();
  const { groups } = known.length === found.matches && known.every(isWhole) ? found : await all();
  return [...groups].flatMap(([{ name }, rows]) => rows.map(({ line, text }) => `${name}:${line}: ${text}`)).join('\n');
}

/** False for a line that was cut; code gets more of it. */
function isWhole({ text }: MatchingLine): boolean {
  return !/^…|…$/.test(text);
}

function tooMany(found: ModuleMatches, searched: Searched): ResourceError {
  const { matches, modules, groups } = found;
  const fact = `${matches} lines in ${counted(modules, 'module')} match; code gets ${MOST_FOR_CODE} at most.`;
  const shownIn = [...groups.keys()];
  const part = narrowerPart(found, searched, shownIn);
  if (part !== undefined)
    return new ResourceError(`${fact} Narrow with path=… or a longer pattern.`, [
      `<Grep:${searched.pattern} path=${part}>`,
    ]);
  return new ResourceError(`${fact} Narrow with a longer pattern.`, [`<R:${shownIn[0]?.name ?? searched.path}>`]);
}
