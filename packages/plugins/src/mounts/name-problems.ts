import type { SpaceDefinition, ToolDefinition } from '@bae/core';
import { Registry } from '@bae/core/pipeline';
import type { PluginManifest, SpaceManifest, ToolManifest } from '../manifest/plugin-manifest.ts';
import type { SpaceMount } from './mount.ts';

/** A home for trying out names. */
const START: SpaceDefinition = {
  name: 'start',
  description: 'Nothing.',
  tools: {},
  enter: () => '',
  children: () => ({}),
};

/** Why the names that a user chose cannot be names of spaces, beginning with the field they stand in. */
export function chosenNameProblem({ as, under }: SpaceMount): string | undefined {
  const named = under === undefined ? [] : under.split('.').map((name) => ['under', name] as const);
  for (const [field, name] of as === undefined ? named : [['as', as] as const, ...named]) {
    const problem = registerAll([{ ...START, name }]);
    if (problem !== undefined) return `${field}: ${problem}`;
  }
  return undefined;
}

/** Why the spaces of a package cannot be registered under the names that its manifest gives them and their tools. */
export function manifestProblem({ spaces }: PluginManifest): string | undefined {
  return registerAll(spaces.map(outline));
}

function registerAll(spaces: readonly SpaceDefinition[]): string | undefined {
  const registry = new Registry(START);
  try {
    for (const space of spaces) registry.register(space);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A space with the names that it and its tools have, and nothing behind them. */
function outline({ name, description, tools }: SpaceManifest): SpaceDefinition {
  return {
    ...START,
    name,
    description,
    tools: Object.fromEntries(tools.map((tool) => [tool.name, toolOutline(tool)])),
  };
}

function toolOutline({ name, description, effect }: ToolManifest): ToolDefinition {
  return {
    name,
    description,
    effect,
    params: {},
    spec: { name, params: [] },
    invoke: () => '',
  } as unknown as ToolDefinition;
}
