import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { dotted } from '../protocol/space-path.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-tree.ts';
import { codeName } from '../tool-spec/code-name.ts';
import { callOutline } from '../tool-spec/call-outline.ts';
import { declaration, documentedDeclaration } from '../tool-spec/declaration.ts';
import { memberName } from '../tool-spec/member-name.ts';
import { inToolOrder } from '../tool-spec/tool-order.ts';
import { joined, renderWithin } from './render-within.ts';

const HEAD =
  '// <run> blocks: TypeScript, top-level await, variables stay; the value of the last line is shown. Calls answer the texts of tags, cut in the same way.';
const MOVES = 'declare function home(): Promise<string>; // and back(), up(), nav()';
/** Names of places on one line. */
const MOST_PLACES = 24;

/** The tools of a place as code calls them there, one declaration a line; empty where it has none. */
export function renderDeclarations(space: SpaceDefinition): string {
  return specsOf(space)
    .map((spec) => `declare function ${declaration(spec)};`)
    .join('\n');
}

/** The same on one line and without types, which stand in the table. */
export function renderCallOutlines(space: SpaceDefinition): string {
  return specsOf(space).map(callOutline).join(', ');
}

/**
 * Everything that code can call at a place: its tools, the places there are with theirs, and the moves. Where
 * that is too much, places are named without their tools.
 *
 * @param cap units the text may have
 */
export function renderScope(tree: SpaceTree, at: SpacePath, cap: number): string {
  const space = tree.at(at);
  const specs = space === undefined ? [] : specsOf(space);
  const tools = specs.map((spec) => `declare function ${documentedDeclaration(spec)}`).join('\n');
  return renderWithin(versions(tree, tools), cap);
}

function* versions(tree: SpaceTree, tools: string): Generator<string> {
  const places = tree.below([]);
  const names = places.slice(0, MOST_PLACES).map(({ name }) => codeName(name));
  const more = places.length > names.length ? `, … ${places.length - names.length} more` : '';
  const named =
    names.length === 0
      ? ''
      : `declare const ${names.join(', ')}${more}: Place; // ${names[0]}.read("…"), ${names[0]}()`;
  yield joined(HEAD, tools, ...places.map((space) => placeDeclaration(tree, space)), MOVES);
  yield joined(HEAD, tools, named, MOVES);
  yield joined(HEAD, tools, MOVES);
  yield tools;
}

/** A place as code has it: called, it is entered; its tools are its methods. */
function placeDeclaration(tree: SpaceTree, space: SpaceDefinition): string {
  return `declare const ${codeName(space.name)}: ${placeType(tree, [space.name], space)}`;
}

function placeType(tree: SpaceTree, path: SpacePath, space: SpaceDefinition): string {
  const indent = '  '.repeat(path.length);
  const below = tree
    .below(path)
    .map((child) => `${memberName(child.name)}: ${placeType(tree, [...path, child.name], child)}`);
  const tools = specsOf(space).map((spec) => documentedDeclaration(spec, memberName(spec.name)));
  const members = [`(): Promise<string>; // go to ${dotted(path)}`, ...tools, ...below];
  return ['{', ...members.map((member) => indent + member), `${indent.slice(2)}};`].join('\n');
}

function specsOf({ tools }: SpaceDefinition) {
  return inToolOrder(Object.keys(tools)).flatMap((name) => tools[name]?.spec ?? []);
}
