import type { SpaceDefinition, SpacePath, ToolDefinition } from '@bae/core';
import { PluginError } from '../errors/plugin-error.ts';
import type { SpaceManifest } from '../manifest/plugin-manifest.ts';
import { lazyTool } from './lazy-tool.ts';
import type { PluginCode } from './plugin-code.ts';
import { within } from './within.ts';

/** Where a space is in its package, and what is known of it without running anything. */
export interface LazySpaceParts {
  readonly code: PluginCode;
  /** Names in the package, from its root. */
  readonly path: SpacePath;
  /** What the space is called here. */
  readonly name: string;
  readonly manifest: SpaceManifest;
}

/**
 * A space as its manifest describes it. Its code is loaded when it is entered, searched or called; from then
 * on everything comes from there.
 */
export function lazySpace({ code, path, name, manifest }: LazySpaceParts): SpaceDefinition {
  const real = async (): Promise<SpaceDefinition> => {
    const space = (await code.load()).at(path);
    if (space === undefined) throw new PluginError(`${path.join('.')} is not there any more.`, ['nav()']);
    return space;
  };
  const now = () => code.tree?.at(path);
  const tools = lazyTools(manifest, real);
  const children = new Map<string, SpaceDefinition>();
  const child = (below: SpaceManifest): SpaceDefinition => {
    const known = children.get(below.name);
    const space = known ?? lazySpace({ code, path: [...path, below.name], name: below.name, manifest: below });
    children.set(below.name, space);
    return space;
  };
  return {
    name,
    description: manifest.description,
    ...(manifest.group !== undefined && { group: manifest.group }),
    get tools() {
      return now()?.tools ?? tools;
    },
    enter: async () => {
      const entered = Promise.resolve((await real()).enter());
      return within(entered, `${code.name}: ${name} was not entered`, 'its enter() waits for something');
    },
    children: () => Object.fromEntries(below(code, path, manifest).map((one) => [one.name, child(one)])),
    // Counts are shown where nobody asked for this space: no reason to run its code.
    status: () => now()?.status?.() ?? {},
    ...(manifest.search === true && {
      search: async (query: string, limit: number) => (await real()).search?.(query, limit) ?? [],
    }),
  };
}

function lazyTools(
  { tools }: SpaceManifest,
  space: () => Promise<SpaceDefinition>,
): Readonly<Record<string, ToolDefinition>> {
  return Object.fromEntries(tools.map((tool) => [tool.name, lazyTool(tool, () => realTool(tool.name, space))]));
}

async function realTool(name: string, space: () => Promise<SpaceDefinition>): Promise<ToolDefinition> {
  const { name: place, tools } = await space();
  const tool = tools[name];
  if (tool === undefined) throw new PluginError(`${place} has no tool '${name}' any more.`, [`help:`]);
  return tool;
}

/** What is below a space: right now when that is known, else what the manifest says. */
function below(code: PluginCode, path: SpacePath, { children }: SpaceManifest): readonly SpaceManifest[] {
  const spaces = code.tree?.below(path);
  if (spaces === undefined) return children;
  return spaces.map((space) => children.find(({ name }) => name === space.name) ?? justNamed(space));
}

/** A space that came into being at run time: its tools are asked for where they are. */
function justNamed({ name, description }: SpaceDefinition): SpaceManifest {
  return { name, description, tools: [], children: [] };
}
