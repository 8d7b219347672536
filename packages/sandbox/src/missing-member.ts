import { nearestName } from '@bae/core';
import { codeName } from '@bae/core/pipeline';
import type { RunScope } from './callable.ts';
import { codeMember, codePath } from './code-path.ts';
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
  const places = placesByName(spaces);
  for (const { 0: chain, index } of line.matchAll(CHAIN)) {
    const { place, rest } = splitChain(chain.split('.'), places);
    const [name, next] = rest;
    if (place === undefined || name === undefined || isVariable(chain.split('.')[0]!, code)) continue;
    const called = next === undefined && /^\s*\(/.test(line.slice(index + chain.length));
    if (property === undefined ? called : next === property) return worded(place, name);
  }
  return undefined;
}

function worded({ path, members }: KnownPlace, name: string): string {
  const fact = `${path} has no tool ${name}.`;
  const nearest = nearestName(name, members.keys());
  if (nearest !== undefined) return `${fact} Did you mean ${path}${members.get(nearest)}?`;
  if (members.size === 0) return fact;
  return `${fact} It has ${listedNames([...members.keys()])}.`;
}

/** A place: how code writes it, and what is in it, each with how that is written behind it. */
interface KnownPlace {
  readonly path: string;
  readonly members: ReadonlyMap<string, string>;
}

/** Every place by its name, of which each part is as code would write it alone. */
function placesByName(spaces: RunScope['spaces']): ReadonlyMap<string, KnownPlace> {
  return new Map(
    spaces.map(({ name, tools }) => {
      const below = spaces.flatMap(({ name: one }) => (parentOf(one) === name ? [one.slice(name.length + 1)] : []));
      const members = [...tools.map((tool) => tool.name), ...below].map(codeMember);
      const path = codePath(name);
      return [plainName(name.split('.')), { path, members: new Map(members.map((one) => [shownName(one), one])) }];
    }),
  );
}

/** A member without the point. */
function shownName(member: string): string {
  return member.replace(/^\./, '');
}

function plainName(names: readonly string[]): string {
  return names.map(codeName).join('.');
}

function parentOf(name: string): string {
  return name.slice(0, Math.max(name.lastIndexOf('.'), 0));
}

/** The place a chain of names begins with, and what follows; no rest when that is in the place. */
function splitChain(names: readonly string[], places: ReadonlyMap<string, KnownPlace>) {
  let depth = 0;
  while (depth < names.length && places.has(plainName(names.slice(0, depth + 1)))) depth++;
  const place = places.get(plainName(names.slice(0, depth)));
  const [first = '', ...more] = names.slice(depth);
  const isThere = Array.from(place?.members.keys() ?? []).some((one) => codeName(one) === codeName(first));
  return { place, rest: first === '' || isThere ? [] : [first, ...more] };
}

/** True when code may have given a name to something of its own. */
function isVariable(name: string, code: string): boolean {
  return new RegExp(
    String.raw`\b(?:let|const|var|function|class)\s+${name}\b|(?<![\w$.])${name}\s*(?:=|[,)}\]:])`,
  ).test(code);
}
