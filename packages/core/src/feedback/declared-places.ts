import { dotted, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { codeName, documentedDeclaration, memberName } from '../tool-spec/declaration.ts';
import { specsInOrder } from './specs-in-order.ts';

/** Places that are declared or named. */
const MOST_PLACES = 24;

/** A place as TypeScript declares it for code. */
export interface DeclaredPlace {
  readonly name: string;
  /** The place with its tools, and all places below it. */
  readonly text: string;
}

/** The places that code can call by name: home, unless code stands there, and those of the root. */
export function declaredPlaces(tree: SpaceTree, at: SpacePath): readonly DeclaredPlace[] {
  const home = { name: 'home', text: `declare const home: ${typeOf(tree.home, [], [])}` };
  const roots = tree.below([]).slice(0, MOST_PLACES);
  const places = roots.map((space) => ({
    name: space.name,
    text: `declare const ${codeName(space.name)}: ${placeType(tree, [space.name], space)}`,
  }));
  return at.length === 0 ? places : [home, ...places];
}

/** Places without their tools, on one line, and the names of what is below them; empty when there are none. */
export function namedPlaces(tree: SpaceTree, places: readonly DeclaredPlace[]): string {
  const [first] = places;
  if (first === undefined) return '';
  const typed = places.map(({ name }) => `${codeName(name)}: Place`).join(', ');
  const roots = tree.below([]).length;
  const more = roots > MOST_PLACES ? `, … ${roots - MOST_PLACES} more` : '';
  const below = places.flatMap(({ name }) =>
    tree.below([name]).map((child) => `${codeName(name)}.${codeName(child.name)}`),
  );
  const also = below.length === 0 ? '' : `; also ${below.slice(0, MOST_PLACES).join(', ')}`;
  const example = codeName(first.name);
  return `type Place = any; declare const ${typed}; // ${example}.read("…"), ${example}()${more}${also}`;
}

/** A place as code has it: called, it is entered; its tools are its methods. */
function placeType(tree: SpaceTree, path: SpacePath, space: SpaceDefinition): string {
  const below = tree
    .below(path)
    .map((child) => `${memberName(child.name)}: ${placeType(tree, [...path, child.name], child)}`);
  return typeOf(space, path, below);
}

function typeOf(space: SpaceDefinition, path: SpacePath, below: readonly string[]): string {
  const indent = '  '.repeat(Math.max(path.length, 1));
  const methods = specsInOrder(space).map((spec) => documentedDeclaration(spec, memberName(spec.name)));
  const members = [`(): Answer; // go to ${dotted(path)}`, ...methods, ...below];
  return ['{', ...members.map((member) => indent + member), `${indent.slice(2)}};`].join('\n');
}
