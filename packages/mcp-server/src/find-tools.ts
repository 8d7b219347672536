import type { SpaceTree } from '@bae/core';

interface FoundTool {
  readonly place: string;
  readonly name: string;
  readonly description: string;
}

const MOST = 8;
/** How much a word counts where it is found. */
const WEIGHTS = { place: 2, name: 3, description: 1, parameter: 0.5 } as const;

/**
 * The tools of all places that fit some words, best first, a line each; rare words count more than common ones.
 *
 * @returns the empty text when nothing fits
 */
export function findTools(tree: SpaceTree, query: string): string {
  const tools = collectTools(tree, []).map((tool) => ({ tool, words: weighWords(tool) }));
  const wanted = [...new Set(listStems(query))].map((word) => {
    const count = tools.filter(({ words }) => words.has(word)).length;
    return { word, rarity: Math.log(1 + tools.length / (1 + count)) };
  });
  const scored = tools
    .map(({ tool, words }) => ({
      tool,
      score: wanted.reduce((sum, { word, rarity }) => sum + (words.get(word) ?? 0) * rarity, 0),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  return scored
    .slice(0, MOST)
    .map(({ tool: { place, name, description } }) => `${place}  ${name} -- ${firstLine(description)}`)
    .join('\n');
}

interface ListedTool extends FoundTool {
  readonly parameters: readonly string[];
}

function collectTools(tree: SpaceTree, at: readonly string[]): readonly ListedTool[] {
  const own = Object.values(tree.at(at)?.tools ?? {}).map(({ name, description, spec }) => ({
    place: at.join('.') || 'home',
    name,
    description,
    parameters: spec.params.map((param) => param.name),
  }));
  return [...own, ...tree.below(at).flatMap(({ name }) => collectTools(tree, [...at, name]))];
}

function weighWords({ place, name, description, parameters }: ListedTool): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of new Set(listStems(text))) weights.set(word, Math.max(weights.get(word) ?? 0, weight));
  };
  add(parameters.join(' '), WEIGHTS.parameter);
  add(description, WEIGHTS.description);
  add(place, WEIGHTS.place);
  add(name, WEIGHTS.name);
  return weights;
}

/** The words of a text or a name, without their commonest endings: `getIssues` and `get_issue` have the same. */
function listStems(text: string): readonly string[] {
  const spaced = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return (spaced.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/(?<=\w{3})(?:ies|es|s|ing|ed)$/, ''));
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0]!;
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
