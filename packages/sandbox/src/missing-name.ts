import { codeName } from '@bae/core/pipeline';
import { codePath } from './code-path.ts';
import { listedNames } from './listed-names.ts';
import { nearName } from './near-name.ts';
import type { RunScope } from './callable.ts';

/** What there is where a name was missing. */
export interface KnownNames {
  /** What code can call by a name of its own. */
  readonly names: readonly string[];
  /** Every place with its tools. */
  readonly spaces: RunScope['spaces'];
}

/** Places that are named, where several would do. */
const PLACES = 3;

const ELSEWHERE = new Set(
  (
    'fetch require process Buffer setTimeout setInterval setImmediate fs path os XMLHttpRequest WebSocket URL ' +
    'TextEncoder TextDecoder structuredClone crypto performance window document global Deno Bun module exports'
  ).split(' '),
);

/**
 * What was probably meant by a name that nothing has, or what there is; undefined for another error.
 *
 * @param message the engine's, of a ReferenceError
 */
export function missingName(message: string, { names, spaces }: KnownNames): string | undefined {
  const name = /^'(.+)' is not defined$/.exec(message)?.[1];
  if (message.startsWith('could not load module') || ELSEWHERE.has(name ?? ''))
    return `Code here reaches nothing but tools: ${listedNames(names)}.`;
  if (name === undefined) return undefined;
  const elsewhere = spaces.filter(({ tools }) => tools.some((tool) => codeName(tool.name) === name));
  if (elsewhere.length > 0)
    return `It is a tool of another place: ${someOf(elsewhere.map((place) => `${codePath(place.name)}.${name}(…)`))}.`;
  const below = spaces.filter((place) => codeName(place.name.slice(place.name.lastIndexOf('.') + 1)) === name);
  if (below.length > 0) return `Did you mean ${someOf(below.map((place) => codePath(place.name)))}?`;
  const near = nearName(name, names);
  if (near !== undefined) return `Did you mean ${near}?`;
  return names.length === 0 ? undefined : `Tools and places here: ${listedNames(names)}.`;
}

function someOf(all: readonly string[]): string {
  return all.slice(0, PLACES).join(', ');
}
