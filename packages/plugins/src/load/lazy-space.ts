import type { SpaceDefinition, SpacePath, ToolContext, ToolDefinition } from '@bae/core';
import type { ParamSpec } from '@bae/core/pipeline';
import { $ZodObject, $ZodUnknown, type $ZodType } from 'zod/v4/core';
import type { ParamManifest, SpaceManifest, ToolManifest } from '../manifest/plugin-manifest.ts';
import { PluginError } from '../plugin-error.ts';
import { limitLoadTime } from './import-plugin.ts';
import type { PluginCode } from './plugin-code.ts';

/** Where a space is in its package, and what is known about it without running anything. */
export interface LazySpaceParts {
  readonly code: PluginCode;
  /** Names in the package, from its root. */
  readonly path: SpacePath;
  readonly name: string;
  readonly manifest: SpaceManifest;
}

/** A space as its manifest describes it until its code is loaded: when it is entered, searched or called. */
export function makeLazySpace({ code, path, name, manifest }: LazySpaceParts): SpaceDefinition {
  const load = async (): Promise<SpaceDefinition> => {
    const space = (await code.load()).at(path);
    if (space === undefined) throw new PluginError(`${path.join('.')} is not there any more.`, ['nav()']);
    return space;
  };
  const loaded = () => code.tree?.at(path);
  const loadTool = async (tool: string): Promise<ToolDefinition> => {
    const space = await load();
    const found = space.tools[tool];
    if (found === undefined) throw new PluginError(`${space.name} has no tool '${tool}' any more.`, [`help:`]);
    return found;
  };
  const tools = Object.fromEntries(
    manifest.tools.map((tool) => [tool.name, makeLazyTool(tool, () => loadTool(tool.name))]),
  );
  const children = new Map<string, SpaceDefinition>();
  const getChild = (below: SpaceManifest): SpaceDefinition => {
    const child = { code, path: [...path, below.name], name: below.name, manifest: below };
    if (!children.has(below.name)) children.set(below.name, makeLazySpace(child));
    return children.get(below.name)!;
  };
  return {
    name,
    description: manifest.description,
    ...(manifest.group !== undefined && { group: manifest.group }),
    get tools() {
      return loaded()?.tools ?? tools;
    },
    enter: async () => {
      const entering = Promise.resolve((await load()).enter());
      return limitLoadTime(entering, `${code.name}: ${name} was not entered`, 'its enter() waits for something');
    },
    children: () => Object.fromEntries(listChildren(code, path, manifest).map((one) => [one.name, getChild(one)])),
    // Counts are shown in places that did not ask for this space: that is no reason to run its code.
    status: () => loaded()?.status?.() ?? {},
    ...(manifest.search === true && {
      search: async (query: string, limit: number) => (await load()).search?.(query, limit) ?? [],
    }),
  };
}

/** The spaces below a space: those of the code once it is loaded, else those of the manifest. */
function listChildren(code: PluginCode, path: SpacePath, { children }: SpaceManifest): readonly SpaceManifest[] {
  const spaces = code.tree?.below(path);
  if (spaces === undefined) return children;
  return spaces.map(({ name, description }) => {
    const known = children.find((child) => child.name === name);
    // One that was added at run time: its tools come from the code.
    return known ?? { name, description, tools: [], children: [] };
  });
}

type Args = Readonly<Record<string, unknown>>;

/** A tool as its manifest describes it, whose code is loaded to check arguments, or to be called. */
export function makeLazyTool(manifest: ToolManifest, load: () => Promise<ToolDefinition>): ToolDefinition {
  const { name, description, effect, params, rest, range, timeoutMs, confirms } = manifest;
  const forward = (key: 'target' | 'plan' | 'preview') =>
    manifest[key] === true && {
      [key]: async (args: Args, context: ToolContext) => (await load())[key]!(args, context),
    };
  return {
    name,
    description,
    effect,
    spec: { name, doc: description, params: params.map(toParamSpec), ...(rest && { rest }), ...(range && { range }) },
    params: deferSchema(() => makeLazyParams(manifest, load)),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(confirms === true && { confirms }),
    ...forward('target'),
    ...forward('plan'),
    ...forward('preview'),
    invoke: async (args, context) => (await load()).invoke(args, context),
  };
}

/** A parameter may be left out exactly when it has the key `default`, whatever its value. */
function toParamSpec(manifest: ParamManifest): ParamSpec {
  const { optional, default: value, values: _, ...param } = manifest;
  return { ...param, ...(optional === true && { default: value }) } as ParamSpec;
}

/** A schema that is made when it is first read: most tools are listed and never called. */
function deferSchema(make: () => $ZodObject): $ZodObject {
  let schema: $ZodObject | undefined;
  return {
    get _zod() {
      schema ??= make();
      return schema._zod;
    },
  } as $ZodObject;
}

function makeLazyParams({ params }: ToolManifest, load: () => Promise<ToolDefinition>): $ZodObject {
  const fields = params.map(({ name, values }) => {
    const field = new $ZodUnknown({ type: 'unknown' });
    if (values !== undefined) field._zod.values = new Set(values);
    return [name, delegateTo(async () => (await load()).params._zod.def.shape[name]!, field)] as const;
  });
  const shape: Readonly<Record<string, $ZodType>> = Object.fromEntries(fields);
  return delegateTo(async () => (await load()).params, new $ZodObject({ type: 'object', shape }));
}

/** Makes a schema check what another one checks, which is loaded when needed. */
function delegateTo<T extends $ZodType>(load: () => Promise<$ZodType>, schema: T): T {
  schema._zod.run = async (payload, context) => (await load())._zod.run(payload, context);
  return schema;
}
