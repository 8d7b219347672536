import { findNearestName } from '@bae/core';
import { toCodeName } from '@bae/core/pipeline';
import { formatMember, toPlaceExpression, MOVES, type RunScope } from '../host/callee-table.ts';

export interface KnownNames {
  /** Names of tools and places that are globals. */
  readonly names: readonly string[];
  /** Every place with its tools. */
  readonly spaces: RunScope['spaces'];
}

/** Maximum number of names in a list. */
const MOST_NAMES = 12;
/** Maximum number of suggested places. */
const MOST_PLACES = 3;

const ELSEWHERE = new Set(
  (
    'fetch require process Buffer setTimeout setInterval setImmediate fs path os XMLHttpRequest WebSocket URL ' +
    'TextEncoder TextDecoder structuredClone crypto performance window document global Deno Bun module exports'
  ).split(' '),
);

/**
 * Suggests the name that was probably meant in a ReferenceError, or the available ones; returns undefined for another
 * error.
 */
export function suggestDefinedName(message: string, { names, spaces }: KnownNames): string | undefined {
  const name = /^'(.+)' is not defined$/.exec(message)?.[1];
  if (message.startsWith('could not load module') || ELSEWHERE.has(name ?? ''))
    return `Code here reaches nothing but tools: ${joinNames(names)}.`;
  if (name === undefined) return undefined;
  const elsewhere = spaces.filter(({ tools }) => tools.some((tool) => toCodeName(tool.name) === name));
  if (elsewhere.length > 0)
    return `It is a tool of another place: ${listSome(elsewhere.map((place) => `${toPlaceExpression(place.name)}.${name}(…)`))}.`;
  const below = spaces.filter((place) => toCodeName(place.name.slice(place.name.lastIndexOf('.') + 1)) === name);
  if (below.length > 0) return `Did you mean ${listSome(below.map((place) => toPlaceExpression(place.name)))}?`;
  const near = findNearName(name, names);
  if (near !== undefined) return `Did you mean ${near}?`;
  return names.length === 0 ? undefined : `Tools and places here: ${joinNames(names)}.`;
}

function listSome(all: readonly string[]): string {
  return all.slice(0, MOST_PLACES).join(', ');
}

function joinNames(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? `, … ${names.length - MOST_NAMES} more` : '';
  return names.slice(0, MOST_NAMES).join(', ') + more;
}

/** Length of a name from which two letters may differ, and minimum length of a name that is compared. */
const LONG_NAME = 6;
const SHORTEST_NAME = 3;

/** Finds the name that was meant: one letter differs, or two in long names, or one name begins with the other. */
export function findNearName(name: string, names: readonly string[]): string | undefined {
  if (name.length < SHORTEST_NAME) return undefined;
  const close = names.filter((one) => one.length >= SHORTEST_NAME && isClose(name, one));
  // `readFile` for `read`, and `rem` for `remove`.
  const begins = (one: string): boolean =>
    one.startsWith(name) ||
    (one.length >= SHORTEST_NAME && name.startsWith(one) && /^[A-Z_]/.test(name.slice(one.length)));
  return findNearestName(name, close, 0) ?? names.find(begins);
}

function isClose(name: string, other: string): boolean {
  const shorter = Math.min(name.length, other.length);
  const longer = Math.max(name.length, other.length);
  const [left, right] = [name.toLowerCase(), other.toLowerCase()];
  const isNear = findNearestName(name, [other], 1 - (shorter < LONG_NAME ? 1 : 2) / longer) !== undefined;
  // The first letter is rarely wrong, unless two letters are swapped or one is added.
  const sorted = [left, right].map((one) => Array.from(one).toSorted().join(''));
  return isNear && (left.length !== right.length || sorted[0] === sorted[1] || left[0] === right[0]);
}

const LONGEST_LINE = 2000;
const READ_OF_UNDEFINED = /^cannot read property '(.+)' of undefined$/;
const CHAIN = /(?<![\w$.])[A-Za-z_$][\w$]*(?:\.[\w$]+)+/g;

/**
 * Names the member that code mistook for a tool of a place, and the one that was probably meant: `source has no tool
 * raed. Did you mean source.read?`. Returns undefined if the line failed for another reason.
 */
export function suggestMember(
  message: string,
  line: string,
  ended: Pick<KnownNames, 'spaces'> & { readonly code: string },
): string | undefined {
  const { code, spaces } = ended;
  const property = READ_OF_UNDEFINED.exec(message)?.[1];
  if ((message !== 'not a function' && property === undefined) || line.length > LONGEST_LINE) return undefined;
  const places = new Map(spaces.map(({ name }) => [toPlainName(name.split('.')), name]));
  for (const { 0: chain, index } of line.matchAll(CHAIN)) {
    const names = chain.split('.');
    let depth = 0;
    while (depth < names.length && places.has(toPlainName(names.slice(0, depth + 1)))) depth++;
    const place = places.get(toPlainName(names.slice(0, depth)));
    const [name, next] = names.slice(depth);
    if (place === undefined || name === undefined || isVariable(names[0]!, code)) continue;
    const members = listMembers(place, spaces);
    if (members.some((member) => toCodeName(toKey(member)) === toCodeName(name))) continue;
    const isCalled = next === undefined && /^\s*\(/.test(line.slice(index + chain.length));
    if (property === undefined ? isCalled : next === property)
      return describeMissing(toPlaceExpression(place), members, name);
  }
  return undefined;
}

function describeMissing(path: string, members: readonly string[], name: string): string {
  const fact = `${path} has no tool ${name}.`;
  const keys = members.map(toKey);
  const nearest = findNearestName(name, keys);
  if (nearest !== undefined) return `${fact} Did you mean ${path}${members[keys.indexOf(nearest)]}?`;
  return keys.length === 0 ? fact : `${fact} It has ${joinNames(keys)}.`;
}

/** Lists the tools and places directly in a place, as code writes them after its name. */
function listMembers(place: string, spaces: RunScope['spaces']): readonly string[] {
  const tools = spaces.find(({ name }) => name === place)?.tools ?? [];
  const children = spaces.flatMap(({ name }) => {
    const parent = name.slice(0, Math.max(name.lastIndexOf('.'), 0));
    return parent === place ? [name.slice(place.length + 1)] : [];
  });
  return [...tools.map(({ name }) => name), ...children].map(formatMember);
}

function toKey(member: string): string {
  return member.replace(/^\./, '');
}

function toPlainName(names: readonly string[]): string {
  return names.map(toCodeName).join('.');
}

/** Returns true if code may have a variable of that name. */
function isVariable(name: string, code: string): boolean {
  return new RegExp(
    String.raw`\b(?:let|const|var|function|class)\s+${name}\b|(?<![\w$.])${name}\s*(?:=|[,)}\]:])`,
  ).test(code);
}

/** Matches a line that is a tag or begins with one, as far as code can be recognised. */
const TAG = /^\s*<([A-Za-z][\w.-]*)(:[^<>]*)?>/;
/** Tools that have their own tags, by letter or by name, in upper or lower case. */
const LETTERS: Readonly<Record<string, string>> = { r: 'read', w: 'write', e: 'edit', g: 'glob' };
const VERBS = new Set([...Object.values(LETTERS), 'grep']);

/**
 * Suggests the call to write in place of a tag that ends at a line of unreadable code, counted from 1; returns
 * undefined if there is none.
 */
export function suggestCallForTag(code: string, line: number, known: KnownNames): string | undefined {
  const before = code.split('\n').slice(0, line);
  const last = before.findLast((one) => one.trim() !== '') ?? '';
  const [, tag, rest] = TAG.exec(last.slice(0, 500)) ?? [];
  if (tag === undefined) return undefined;
  const call = findCall(tag, rest?.slice(1).trim() ?? '', known);
  if (call !== undefined) return `Tags do not work in code: write await ${call}`;
  return rest === undefined ? undefined : 'Tags do not work in code: write them outside of the run block.';
}

function findCall(tag: string, argument: string, { names, spaces }: KnownNames): string | undefined {
  const dot = tag.lastIndexOf('.');
  const written = tag.slice(dot + 1);
  const lower = written.toLowerCase();
  const name = LETTERS[lower] ?? (VERBS.has(lower) ? lower : written);
  const target = spaces.find((space) => space.name === (argument === '' ? tag : argument));
  if (target !== undefined && (argument === '' || name === 'read')) return `${toPlaceExpression(target.name)}()`;
  if (MOVES.includes(name) && argument === '') return `${name}()`;
  const place = dot === -1 ? undefined : spaces.find((space) => space.name === tag.slice(0, dot));
  const callee = place === undefined ? toCodeName(name) : toPlaceExpression(place.name) + formatMember(name);
  const tools = (place === undefined ? spaces : [place]).flatMap((space) => space.tools);
  const specs = tools.filter((tool) => tool.name === name);
  const isPlace = spaces.some((space) => toCodeName(space.name) === callee);
  const isKnown = place === undefined ? dot === -1 && names.includes(callee) && !isPlace : specs.length > 0;
  if (!isKnown) return undefined;
  // Quoted text, keywords, or a pattern and a path are more than one argument.
  const isSeveral = /["'=]/.test(argument) || (name === 'grep' && /\s/.test(argument));
  if (argument === '' || isSeveral) return `${callee}(…)`;
  const hasBody = specs.some(({ params }) => params.some(({ body }) => body));
  return `${callee}(${JSON.stringify(argument)}${hasBody ? ', …' : ''})`;
}
