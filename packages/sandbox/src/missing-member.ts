import { nearestName } from '@bae/core';
import { codeName } from '@bae/core/pipeline';
import type { RunScope } from './callable.ts';
import { listedNames } from './listed-names.ts';

/** What a failed line was about. */
export interface FailedLine {
  readonly message: string;
  /** The line that failed. */
  readonly line: string;
  /** The whole code. */
  readonly code: string;
  readonly spaces: RunScope['spaces'];
}

/** Longest line that is looked at, in characters. */
const LONGEST_LINE = 2000;

const NOT_A_FUNCTION = 'not a function';
const READ_OF_UNDEFINED = /^cannot read property '(.+)' of undefined$/;
const CHAIN = /(?<![\w$.])[A-Za-z_$][\w$]*(?:\.[\w$]+)+/g;

/**
 * What code took for a tool of a place, and what there is instead: `source has no tool raed. Did you mean
 * source.read?`. Undefined when the line failed for another reason.
 */
export function missingMember({ message, line, code, spaces }: FailedLine): string | undefined {
  const property = READ_OF_UNDEFINED.exec(message)?.[1];
  if ((message !== NOT_A_FUNCTION && property === undefined) || line.length > LONGEST_LINE) return undefined;
  const places = membersByPlace(spaces);
  for (const { 0: chain, index } of line.matchAll(CHAIN)) {
    const { place, rest } = splitChain(chain.split('.'), places);
    const [name, next] = rest;
    if (place === '' || name === undefined || isVariable(chain.split('.')[0]!, code)) continue;
    const called = next === undefined && /^\s*\(/.test(line.slice(index + chain.length));
    if (property === undefined ? called : next === property) return worded(place, name, places.get(place) ?? []);
  }
  return undefined;
}

function worded(place: string, name: string, members: readonly string[]): string {
  const fact = `${place} has no tool ${name}.`;
  const nearest = nearestName(name, members);
  if (nearest !== undefined) return `${fact} Did you mean ${place}.${nearest}?`;
  if (members.length === 0) return fact;
  return `${fact} It has ${listedNames(members)}.`;
}

/** The tools of every place and the places below it, by its name in code. */
function membersByPlace(spaces: RunScope['spaces']): ReadonlyMap<string, readonly string[]> {
  return new Map(
    spaces.map(({ name, tools }) => {
      const below = spaces.flatMap(({ name: one }) => (parentOf(one) === name ? [one.slice(name.length + 1)] : []));
      const [root = '', ...rest] = name.split('.');
      return [[codeName(root), ...rest].join('.'), [...tools.map((tool) => tool.name), ...below]] as const;
    }),
  );
}

function parentOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('.'), 0));
}

/** The place a chain of names begins with, and what follows; no rest when that is in the place. */
function splitChain(names: readonly string[], places: ReadonlyMap<string, readonly string[]>) {
  let depth = 0;
  while (depth < names.length && places.has(names.slice(0, depth + 1).join('.'))) depth++;
  const place = names.slice(0, depth).join('.');
  const rest = names.slice(depth);
  return { place, rest: places.get(place)?.includes(rest[0] ?? '') === true ? [] : rest };
}

/** True when code may have given a name to something of its own. */
function isVariable(name: string, code: string): boolean {
  return new RegExp(
    String.raw`\b(?:let|const|var|function|class)\s+${name}\b|(?<![\w$.])${name}\s*(?:=|[,)}\]:])`,
  ).test(code);
}
