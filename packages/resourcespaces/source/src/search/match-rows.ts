import type { ResourceError } from '@bae/core';
import { counted, tooManyMatches } from '@bae/workspace';
import { narrowerPart, type ModuleMatches, type Searched } from './render-matches.ts';

/**
 * What code gets of a search: a row for each matching line, `module:12: text`, and `''` when there is none.
 *
 * @throws ResourceError when there are more than code can have at once
 */
export function matchRows(found: ModuleMatches, searched: Searched): string {
  if (found.all === undefined) throw tooMany(found, searched);
  const rows = [...found.all].flatMap(([{ name }, lines]) =>
    lines.map(({ line, text, long = text }) => `${name}:${line}: ${long}`),
  );
  return rows.join('\n');
}

function tooMany(found: ModuleMatches, searched: Searched): ResourceError {
  const { matches, modules, groups } = found;
  const shownIn = [...groups.keys()];
  const part = narrowerPart(found, searched, shownIn);
  const narrower = part && `<Grep:${searched.pattern} path=${part}>`;
  const place = `<R:${shownIn[0]?.name ?? searched.path}>`;
  return tooManyMatches({ matches, within: counted(modules, 'module'), narrower, place });
}
