import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { formatSpacePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import type { ToolSpec } from '../protocol/tool-definition.ts';
import {
  toCodeName,
  renderDocumentedDeclaration,
  renderShortDeclaration,
  quoteProperty,
} from '../tool-spec/declaration.ts';
import { chooseVersion, isWithinLimit, joinParts } from '../text-size/text-size.ts';
import { listToolNames } from './render-tools.ts';

const HEAD =
  '// <run> blocks: TypeScript, top-level await, no import, variables stay; print(x) and the value of the last line are shown. Calls answer what tags do, uncut: "" or [] where nothing was found, lines without numbers.';
const TYPES = 'type int = number; type Answer = Promise<any>; // text, or data of a tool that has some';
const MOVES = ['back', 'up', 'nav'];

const MOST_PLACES = 24;

/** TypeScript declaration of a place: an object with its tools and the places below it. */
interface Declaration {
  readonly name: string;
  readonly text: string;
}

/** Renders the tools of a place, as code there calls them, as one short declaration; empty if there are none. */
export function renderDeclarations(space: SpaceDefinition): string {
  const tools = listSpecs(space).map(renderShortDeclaration);
  return tools.length === 0 ? '' : `${TYPES}\ndeclare const\n${tools.join(',\n')};`;
}

/**
 * Renders everything that code can call at a place: its tools, all other places with theirs, and the moves. If that
 * exceeds `cap` units, the places with the most tools are named without them.
 */
export function renderScope(tree: SpaceTree, at: SpacePath, cap: number): string {
  return chooseVersion(listScopeVersions(tree, at), cap, isWithinLimit);
}

function* listScopeVersions(tree: SpaceTree, at: SpacePath): Generator<string> {
  const space = tree.at(at);
  const specs = space === undefined ? [] : listSpecs(space);
  const tools = specs.map((spec) => `declare function ${renderDocumentedDeclaration(spec)}`).join('\n');
  const places = declarePlaces(tree, at);
  // Anywhere else, home is a place that can be called.
  const moves = declareMoves(at.length === 0 ? ['home', ...MOVES] : MOVES);
  const bySize = places.toSorted((left, right) => left.text.length - right.text.length);
  for (let count = places.length; count >= 0; count--) {
    const declared = new Set(bySize.slice(0, count));
    const texts = places.filter((place) => declared.has(place)).map(({ text }) => text);
    const others = places.filter((place) => !declared.has(place));
    yield joinParts(HEAD, TYPES, tools, ...texts, namePlaces(tree, others), moves);
  }
  yield joinParts(HEAD, TYPES, tools, moves);
  if (space !== undefined) yield joinParts(HEAD, renderDeclarations(space));
  yield tools;
}

function declareMoves(names: readonly string[]): string {
  return `declare const ${names.map((name) => `${name}: () => Answer`).join(', ')};`;
}

/** Declares the places that code can call by name: those of the root, and home unless code is there. */
function declarePlaces(tree: SpaceTree, at: SpacePath): readonly Declaration[] {
  const home = { name: 'home', text: `declare const home: ${renderType(tree.home, [], [])}` };
  const roots = tree.below([]).slice(0, MOST_PLACES);
  const places = roots.map((space) => ({
    name: space.name,
    text: `declare const ${toCodeName(space.name)}: ${renderPlaceType(tree, [space.name], space)}`,
  }));
  return at.length === 0 ? places : [home, ...places];
}

/** Lists places without their tools on one line, and the names of those below them; empty if there are none. */
function namePlaces(tree: SpaceTree, places: readonly Declaration[]): string {
  const [first] = places;
  if (first === undefined) return '';
  const typed = places.map(({ name }) => `${toCodeName(name)}: Place`).join(', ');
  const hidden = tree.below([]).length - MOST_PLACES;
  const more = hidden > 0 ? `, … ${hidden} more` : '';
  const below = places.flatMap(({ name }) =>
    tree.below([name]).map((child) => `${toCodeName(name)}.${toCodeName(child.name)}`),
  );
  const also = below.length === 0 ? '' : `; also ${below.slice(0, MOST_PLACES).join(', ')}`;
  const example = toCodeName(first.name);
  return `type Place = any; declare const ${typed}; // ${example}.read("…"), ${example}()${more}${also}`;
}

function renderPlaceType(tree: SpaceTree, path: SpacePath, space: SpaceDefinition): string {
  const below = tree
    .below(path)
    .map((child) => `${quoteProperty(child.name)}: ${renderPlaceType(tree, [...path, child.name], child)}`);
  return renderType(space, path, below);
}

/** Renders a place as a TypeScript type: calling it enters the place; its tools are its methods. */
function renderType(space: SpaceDefinition, path: SpacePath, below: readonly string[]): string {
  const indent = '  '.repeat(Math.max(path.length, 1));
  const methods = listSpecs(space).map((spec) => renderDocumentedDeclaration(spec, quoteProperty(spec.name)));
  const members = [`(): Answer; // go to ${formatSpacePath(path)}`, ...methods, ...below];
  return ['{', ...members.map((member) => indent + member), `${indent.slice(2)}};`].join('\n');
}

function listSpecs(space: SpaceDefinition): readonly ToolSpec[] {
  return listToolNames(space).flatMap((name) => space.tools[name]?.spec ?? []);
}
