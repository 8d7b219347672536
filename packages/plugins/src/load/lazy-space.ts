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
import type { ToolSpec } from '@bae/core/pipeline';
import { $ZodObject, $ZodUnknown, type $ZodType } from 'zod/v4/core';
import type { ParamManifest, SpaceManifest, ToolManifest } from '../manifest/plugin-manifest.ts';
import { PluginError, summarizeError } from '../plugin-error.ts';
import { compareManifests, describeTree, pickRecord } from '../manifest/describe-spaces.ts';
import type { Plugin } from '../package/read-plugin.ts';
import type { TrustedCode } from '../trust/trusted-modules.ts';
import { importPlugin, type PluginModule } from './import-plugin.ts';
import { hideSecrets } from '../options/hide-secrets.ts';
import { fillSecrets, listSecretNames, type SecretPlace } from '../options/secret-options.ts';
import { limitLoadTime } from './load-time.ts';

/** Position of a space in its package, and its description, which is available without running code. */
export interface LazySpaceParts {
  readonly code: PluginCode;
  /** Names from the root of the package. */
  readonly path: SpacePath;
  readonly name: string;
  readonly manifest: SpaceManifest;
}

/**
 * Creates a space that is described by its manifest until its code is loaded, when it is entered, searched or called.
 */
export function makeLazySpace({ code, path, name, manifest }: LazySpaceParts): SpaceDefinition {
  const hidden = new WeakMap<SpaceDefinition, SpaceDefinition>();
  const hide = (space: SpaceDefinition | undefined): SpaceDefinition | undefined => {
    if (space === undefined) return undefined;
    const known = hidden.get(space) ?? hideSecrets(space, () => code.secrets);
    hidden.set(space, known);
    return known;
  };
  const load = async (): Promise<SpaceDefinition> => {
    const space = hide((await code.load()).at(path));
    if (space === undefined) throw new PluginError(`${path.join('.')} no longer exists.`, ['nav()']);
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
    ...pickRecord(manifest),
    get tools() {
      return loaded()?.tools ?? tools;
    },
    enter: async () => {
      const entering = Promise.resolve((await load()).enter());
      return limitLoadTime(entering, `${code.name}: ${name} was not entered`, 'its enter() waits for something');
    },
    children: () => Object.fromEntries(listChildren(code, path, manifest).map((one) => [one.name, getChild(one)])),
    // These also appear in places that did not ask for this space, so they do not cause its code to run.
    status: () => loaded()?.status?.() ?? {},
    running: () => loaded()?.running?.() ?? [],
    isIdle: (tool) => loaded()?.isIdle?.(tool) ?? false,
    ...(manifest.search === true && {
      search: async (query: string, limit: number) => (await load()).search?.(query, limit) ?? [],
    }),
    ...(manifest.contentOf === true && { contentOf: async (target: string) => (await load()).contentOf?.(target) }),
    ...(manifest.complete === true && {
      complete: async (typed: string, limit: number) => (await load()).complete?.(typed, limit) ?? [],
    }),
    ...(manifest.locate === true && {
      locate: async (wanted: string, near: boolean) => (await load()).locate?.(wanted, near),
    }),
  };
}

/** Lists the child spaces: those of the code once it is loaded, otherwise those of the manifest. */
function listChildren(code: PluginCode, path: SpacePath, { children }: SpaceManifest): readonly SpaceManifest[] {
  const spaces = code.tree?.below(path);
  if (spaces === undefined) return children;
  return spaces.map(({ name, description }) => {
    const known = children.find((child) => child.name === name);
    // A space added at run time; its tools come from the code.
    return known ?? { name, description, tools: [], children: [] };
  });
}

type Args = Readonly<Record<string, unknown>>;

/** Creates a tool that is described by its manifest. Its code is loaded to check arguments, or when it is called. */
export function makeLazyTool(manifest: ToolManifest, load: () => Promise<ToolDefinition>): ToolDefinition {
  const { name, description, effect, params, rest, open, range, returns, timeoutMs, selects, confirms } = manifest;
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
      ...(open && { open }),
      ...(range && { range }),
      ...(returns !== undefined && { returns }),
    },
    params: deferSchema(() => makeLazyParams(manifest, load)),
    ...pickDeclared(manifest),
    isLazy: true,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(selects !== undefined && { selects }),
    ...(confirms === true && { confirms }),
    ...forward('target'),
    ...forward('plan'),
    ...forward('preview'),
    invoke: async (args, context) => (await load()).invoke(args, context),
  };
}

/** Returns the declared details of the effect. */
function pickDeclared({ idempotent, destructive, openWorld, cost }: ToolManifest) {
  const details = Object.entries({ idempotent, destructive, openWorld, cost });
  return Object.fromEntries(details.filter(([, value]) => value !== undefined));
}

/** Converts a parameter. It is optional exactly when it has the key `default`, even if the value is undefined. */
function toParamSpec(manifest: ParamManifest): ToolSpec['params'][number] {
  const { optional, default: value, values: _, ...param } = manifest;
  return { ...param, ...(optional === true && { default: value }) } as ToolSpec['params'][number];
}

/** Creates a schema when it is first read, because most tools are listed but never called. */
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

/** Makes a schema delegate its checks to another one, which is loaded when it is needed. */
function delegateTo<T extends $ZodType>(load: () => Promise<$ZodType>, schema: T): T {
  schema._zod.run = async (payload, context) => (await load())._zod.run(payload, context);
  return schema;
}

type OpenedSpaces = ReturnType<typeof openSpaces>;

/** Token of the data folder of a package, which `getDataFolder` of @bae/workspace creates. */
export const DATA_FOLDER = Symbol.for('bae.data-folder');

/** Options for loading the code of a package. */
export interface CodeOptions {
  readonly plugin: Plugin;
  readonly options?: unknown;
  readonly provide: readonly Provision[];
  /** Source of the secrets in the options. Default: options have none. */
  readonly place?: SecretPlace | undefined;
  /** Returns the code that may be loaded; undefined if there is no restriction. Throws if the code may not run. */
  readonly permit: () => TrustedCode | undefined;
}

/** Spaces of a package for one session. They are created when first needed, and disposed of at its end. */
export interface PluginCode {
  readonly name: string;
  /** Spaces by the names that the package gave them; undefined until they are loaded. */
  readonly tree: SpaceTree | undefined;
  /** Secrets in its options, which are hidden in all of its output. */
  readonly secrets: readonly string[];
  /**
   * Loads the spaces once; after a failure the next call tries again.
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

/** Fills the secrets into the options. @throws PluginError when a secret cannot be read */
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

/** @throws PluginError when the spaces of the code differ from those of the manifest */
export function checkFit(plugin: Plugin, spaces: readonly SpaceManifest[]): void {
  const [difference] = compareManifests(plugin.manifest.spaces, spaces);
  if (difference === undefined) return;
  const problem = `the manifest of ${plugin.name} does not match its code: ${difference}. Nothing of it was called;`;
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

/** Parses options with the schema of the package. @throws PluginError when it refuses them */
export function parseOptions(name: string, { options: schema }: PluginModule, options: unknown): unknown {
  if (schema === undefined) return options;
  const parsed = schema.safeParse(options ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = ['options', ...issue!.path].join('.');
  const remedy = `Change it where ${name} is mounted, in the configuration.`;
  throw new PluginError(`${name}: ${place}: ${issue!.message}. ${remedy}`);
}
