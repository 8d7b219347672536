import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-path.ts';
import { documentedDeclaration, shortDeclaration } from '../tool-spec/declaration.ts';
import { declaredPlaces, namedPlaces } from './declared-places.ts';
import { joined, renderWithin } from './render-within.ts';
import { specsInOrder } from './specs-in-order.ts';

const HEAD =
  '// <run> blocks: TypeScript, top-level await, variables stay; the value of the last line is shown. Calls answer what tags do, uncut: "" where nothing was found, lines without numbers.';
const TYPES = 'type int = number; type Answer = Promise<any>; // text, or data of a tool that has some';
const MOVES = ['back', 'up', 'nav'];

/** The tools of a place as code calls them there, as one short declaration; empty where it has none. */
export function renderDeclarations(space: SpaceDefinition): string {
  const tools = specsInOrder(space).map(shortDeclaration);
  return tools.length === 0 ? '' : `${TYPES}\ndeclare const\n${tools.join(',\n')};`;
}

/**
 * Everything that code can call at a place: its tools, the places there are with theirs, and the moves. Where
 * that is too much, the places with most tools are named without them.
 *
 * @param cap units the text may have
 */
export function renderScope(tree: SpaceTree, at: SpacePath, cap: number): string {
  return renderWithin(versions(tree, at), cap);
}

function* versions(tree: SpaceTree, at: SpacePath): Generator<string> {
  const space = tree.at(at);
  const specs = space === undefined ? [] : specsInOrder(space);
  const tools = specs.map((spec) => `declare function ${documentedDeclaration(spec)}`).join('\n');
  const places = declaredPlaces(tree, at);
  // Elsewhere home is a place that can be called.
  const moves = declaredMoves(at.length === 0 ? ['home', ...MOVES] : MOVES);
  const bySize = places.toSorted((left, right) => left.text.length - right.text.length);
  for (let whole = places.length; whole >= 0; whole--) {
    const shown = new Set(bySize.slice(0, whole));
    const texts = places.filter((place) => shown.has(place)).map(({ text }) => text);
    const others = places.filter((place) => !shown.has(place));
    yield joined(HEAD, TYPES, tools, ...texts, namedPlaces(tree, others), moves);
  }
  yield joined(HEAD, TYPES, tools, moves);
  if (space !== undefined) yield joined(HEAD, renderDeclarations(space));
  yield tools;
}

function declaredMoves(names: readonly string[]): string {
  return `declare const ${names.map((name) => `${name}: () => Answer`).join(', ')};`;
}
