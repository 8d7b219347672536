import type { SpaceDefinition, ToolDefinition } from '@bae/core';
import { Registry } from '@bae/core/pipeline';
import type { PluginManifest, ToolManifest } from '../manifest/plugin-manifest.ts';
import type { SpaceMount } from './mount.ts';

/** An empty space, to try out names with. */
const EMPTY: SpaceDefinition = {
  name: 'start',
  description: 'Nothing.',
  tools: {},
  enter: () => '',
  children: () => ({}),
};

/** Why names that a user chose cannot be names of spaces, with the field they are in; undefined when they can. */
export function checkMountNames({ as, under }: SpaceMount): string | undefined {
  return checkField('as', as === undefined ? [] : [as]) ?? checkField('under', under?.split('.') ?? []);
}

function checkField(field: string, names: readonly string[]): string | undefined {
  const problem = names.map((name) => tryRegister([{ ...EMPTY, name }])).find((one) => one !== undefined);
  return problem === undefined ? undefined : `${field}: ${problem}`;
}

/** Why the names of spaces and tools of a package cannot be registered; undefined when they can. */
export function checkManifestNames({ spaces }: PluginManifest): string | undefined {
  return tryRegister(
    spaces.map(({ name, description, tools }) => ({
      ...EMPTY,
      name,
      description,
      tools: Object.fromEntries(tools.map((tool) => [tool.name, makeEmptyTool(tool)])),
    })),
  );
}

function makeEmptyTool({ name, description, effect }: ToolManifest): ToolDefinition {
  const spec = { name, params: [] };
  return { name, description, effect, params: {}, spec, invoke: () => '' } as unknown as ToolDefinition;
}

function tryRegister(spaces: readonly SpaceDefinition[]): string | undefined {
  const registry = new Registry(EMPTY);
  try {
    for (const space of spaces) registry.register(space);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
