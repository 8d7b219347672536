import {
  type SpaceDefinition,
  type SpacePath,
  type ToolContext,
  type ToolDefinition,
  BaeError,
  openSpaces,
  type Provision,
  type SpaceTree,
} from '@bae/core';
import type { ParamSpec } from '@bae/core/pipeline';
import { $ZodObject, $ZodUnknown, type $ZodType } from 'zod/v4/core';
import type { ParamManifest, SpaceManifest, ToolManifest } from '../manifest/plugin-manifest.ts';
import { PluginError, summarizeError } from '../plugin-error.ts';
import { compareManifests, describeTree } from '../manifest/describe-spaces.ts';
import type { Plugin } from '../package/read-plugin.ts';
import type { TrustedCode } from '../trust/trusted-modules.ts';
import { importPlugin, type PluginModule } from './import-plugin.ts';
import { hideSecrets } from '../options/hide-secrets.ts';
import { fillSecrets, listSecretNames, type SecretPlace } from '../options/secret-options.ts';
import { limitLoadTime } from './load-time.ts';

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
  const hidden = new WeakMap<SpaceDefinition, SpaceDefinition>();
  const hide = (space: SpaceDefinition | undefined): SpaceDefinition | undefined => {
    if (space === undefined) return undefined;
    const known = hidden.get(space) ?? hideSecrets(space, code.secrets);
    hidden.set(space, known);
    return known;
  };
  const load = async (): Promise<SpaceDefinition> => {
    const space = hide((await code.load()).at(path));
    if (space === undefined) throw new PluginError(`${path.join('.')} is not there any more.`, ['nav()']);
    return space;
  };
  const loaded = () => hide(code.tree?.at(path));
  const loadTool = async (tool: string): Promise<ToolDefinition> => {
    const space = await load();
    const found = space.tools[tool];
    if (found === undefined) throw new PluginError(`${space.name} has no tool '${tool}' any more.`, [`help:`]);
    return found;
  };
  const lazyTools = manifest.tools.map((tool) => [tool.name, makeLazyTool(tool, () => loadTool(tool.name))] as const);
  const tools = Object.fromEntries(lazyTools);
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
  const { name, description, effect, params, rest, range, returns, timeoutMs, confirms } = manifest;
  const forward = (key: 'target' | 'plan' | 'preview') =>
    manifest[key] === true && {
      [key]: async (args: Args, context: ToolContext) => (await load())[key]!(args, context),
    };
  return {
    name,
    description,
    effect,
    spec: {
      name,
      doc: description,
      params: params.map(toParamSpec),
      ...(rest && { rest }),
      ...(range && { range }),
      ...(returns !== undefined && { returns }),
    },
    params: deferSchema(() => makeLazyParams(manifest, load)),
    ...pickDeclared(manifest),
    isLazy: true,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(confirms === true && { confirms }),
    ...forward('target'),
    ...forward('plan'),
    ...forward('preview'),
    invoke: async (args, context) => (await load()).invoke(args, context),
  };
}

/** What is known of the effect. */
function pickDeclared({ idempotent, destructive, openWorld, cost }: ToolManifest) {
  const details = Object.entries({ idempotent, destructive, openWorld, cost });
  return Object.fromEntries(details.filter(([, value]) => value !== undefined));
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

type OpenedSpaces = ReturnType<typeof openSpaces>;

/** What the code of a package is loaded with. */
export interface CodeOptions {
  readonly plugin: Plugin;
  readonly options?: unknown;
  readonly provide: readonly Provision[];
  /** Where the secrets of the options are. Default: options have none. */
  readonly place?: SecretPlace | undefined;
  /** What the code may load; undefined when everything. Throws when it may not run. */
  readonly permit: () => TrustedCode | undefined;
}

/** The spaces of a package for one session: made when first needed, and disposed of at its end. */
export interface PluginCode {
  readonly name: string;
  /** The spaces, by the names that the package gave them; undefined until they are loaded. */
  readonly tree: SpaceTree | undefined;
  /** Secrets that its options have: they are hidden in everything that it says. */
  readonly secrets: readonly string[];
  /**
   * Loads the spaces, once; after a failure the next call tries again.
   *
   * @throws PluginError when the code may not run, fails, takes too long, or does not match the manifest
   */
  load(): Promise<SpaceTree>;
  dispose(): Promise<void>;
}

export function createPluginCode(options: CodeOptions): PluginCode {
  let loading: Promise<OpenedSpaces> | undefined;
  let tree: SpaceTree | undefined;
  let secrets: readonly string[] = [];
  return {
    name: options.plugin.name,
    get tree() {
      return tree;
    },
    get secrets() {
      return secrets;
    },
    async load() {
      try {
        if (loading === undefined) {
          const filled = fillOptions(options);
          secrets = filled.secrets;
          loading = openCode({ ...options, options: filled.options });
        }
        return (tree = (await loading).tree);
      } catch (error) {
        loading = undefined;
        throw error;
      }
    },
    async dispose() {
      const opened = await loading?.catch(() => undefined);
      loading = tree = undefined;
      await opened?.dispose();
    },
  };
}

/** The options with their secrets. @throws PluginError when one cannot be had */
export function fillOptions({ plugin, options, place }: CodeOptions) {
  const names = listSecretNames(plugin.manifest.options);
  if (names.length === 0 || place === undefined) return { options, secrets: [] };
  try {
    return fillSecrets({ options: (options ?? {}) as Readonly<Record<string, unknown>>, names }, place);
  } catch (error) {
    if (error instanceof PluginError) throw new PluginError(`${plugin.name}: ${error.message}`, error.hints);
    throw error;
  }
}

async function openCode(options: CodeOptions): Promise<OpenedSpaces> {
  const { plugin, permit } = options;
  const opened = makeSpaces(plugin.name, await importPlugin(plugin, { trusted: permit() }), options);
  try {
    checkFit(plugin, describeTree(opened.tree));
    return opened;
  } catch (error) {
    await opened.dispose();
    throw error;
  }
}

/** @throws PluginError when the spaces of the code are not those of the manifest */
export function checkFit(plugin: Plugin, spaces: readonly SpaceManifest[]): void {
  const [difference] = compareManifests(plugin.manifest.spaces, spaces);
  if (difference === undefined) return;
  const problem = `the manifest of ${plugin.name} does not fit its code: ${difference}. Nothing of it was called;`;
  throw new PluginError(`${problem} its author updates the manifest.`, [`bae manifest ${plugin.folder}`]);
}

/** Makes the spaces of a package for one session. @throws PluginError when they, or their options, are refused */
export function makeSpaces(
  name: string,
  module: PluginModule,
  { options, provide }: Pick<CodeOptions, 'options' | 'provide'>,
): OpenedSpaces {
  const given = parseOptions(name, module, options);
  try {
    return openSpaces({ spaces: module.spaces(given, provide), provide });
  } catch (error) {
    const hints = BaeError.is(error) ? error.hints : [];
    throw new PluginError(`${name}: its spaces cannot be made: ${summarizeError(error)}.`, hints, error);
  }
}

/** Options as the schema of the package returns them. @throws PluginError when it refuses them */
export function parseOptions(name: string, { options: schema }: PluginModule, options: unknown): unknown {
  if (schema === undefined) return options;
  const parsed = schema.safeParse(options ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = ['options', ...issue!.path].join('.');
  const remedy = `Change it where ${name} is mounted, in the configuration.`;
  throw new PluginError(`${name}: ${place}: ${issue!.message}. ${remedy}`);
}
