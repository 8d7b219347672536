import { defineResourcespace, findNearestName, tool, type SpaceDefinition, type SpaceSource } from '@bae/core';
import { Registry } from '@bae/core/pipeline';
import { checkMountOptions } from '../options/check-options.ts';
import type { SpaceManifest } from '../manifest/plugin-manifest.ts';
import {
  discoverPackages,
  findPlugin,
  isInstalled,
  packageName,
  readPlugin,
  type Plugin,
} from '../package/read-plugin.ts';
import { PluginError } from '../plugin-error.ts';
import { folderDigest, pluginSubject, type TrustSubject } from '../trust/trust-subject.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { readSpaceName } from './import-plugin.ts';

/** Space and its mount settings, in the format of a configuration. */
export interface SpaceMount {
  /**
   * A package by its name (`tickets` is short for `bae-resourcespace-tickets`) or folder (`./spaces/tickets`), a
   * built-in space by its name, or, in code, the space itself.
   */
  readonly use: string | SpaceSource;
  /** Name under which it is mounted. Default: its own name. */
  readonly as?: string;
  /** Space or named place above it: `work`, `work.shop`. Default: home. */
  readonly under?: string;
  /**
   * For a package: `process` to run its code in a separate process, false to run it in that of bae. Default: a separate
   * one for a package that is installed in `node_modules` and can run there, otherwise that of bae.
   */
  readonly isolate?: 'process' | false;
  /** For a package: options that match its schema. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Entry in the list of spaces of a configuration. */
export type SpaceEntry = string | SpaceSource | SpaceMount;

/** Trust decisions of the user. */
export type Trust = Pick<TrustStore, 'stateOf' | 'addWantedTo' | 'loadsOf' | 'addLoads' | 'addWanted'>;

/** Input for finding spaces. */
export interface MountRequest {
  readonly entries: readonly SpaceEntry[];
  /** True to mount every installed package that is not listed. */
  readonly discover: boolean;
  readonly disabled: readonly string[];
  /** Spaces by name that are mounted below home unless they are disabled or listed by name. */
  readonly builtIn: Readonly<Record<string, SpaceSource>>;
  /** Absolute path of the folder at which relative paths and the search for packages begin. */
  readonly from: string;
  readonly trust: Trust;
}

/** Process in which the code of a package runs. */
export interface PluginProcess {
  /** False for the process of bae. */
  readonly isOwn: boolean;
  /** Why, as a clause for people. */
  readonly reason: string;
}

/** Space or package that is mounted. */
export type MountedThing =
  | {
      readonly type: 'source';
      readonly source: SpaceSource;
      /** Name of a built-in space. */
      readonly name?: string;
    }
  | {
      readonly type: 'plugin';
      readonly plugin: Plugin;
      readonly space: SpaceManifest;
      readonly options: SpaceMount['options'];
      readonly process: PluginProcess;
      /** Digest of the package when it was trusted. */
      readonly digest: string;
      readonly trust: Trust;
    };

/** Space and its future position. */
export interface Mount {
  /** Names from home; the last one is its own. */
  readonly path: readonly string[];
  readonly thing: MountedThing;
  /** Name of a package or class, for messages. */
  readonly label: string;
  /** Configuration key that requested it, such as `spaces[2]`; absent if it was discovered. */
  readonly key?: string;
}

/** Spaces to be mounted, and messages about them. */
export interface ResolvedMounts {
  readonly mounts: readonly Mount[];
  /** Packages whose code may not run yet; they are not in the mounts. */
  readonly untrusted: readonly TrustSubject[];
  /** One line for each package that cannot be used; all others are unaffected. */
  readonly notices: readonly string[];
  /** One line for each problem, beginning with its configuration key. Nothing starts until these are fixed. */
  readonly problems: readonly string[];
}

/** Finds the spaces mounted by a configuration. Reads only descriptions; no code of a package runs. */
export async function resolveMounts(request: MountRequest): Promise<ResolvedMounts> {
  const { entries, discover, from, builtIn, trust } = request;
  /** Names of spaces as given, and full names of packages. */
  const disabled = new Set(request.disabled.flatMap((name) => [name, packageName(name) ?? name]));
  const mounts: Mount[] = [];
  const untrusted = new Map<string, TrustSubject>();
  const notices: string[] = [];
  const problems: string[] = [];
  /** Folders of the packages that were read, and the names of these packages and their spaces. */
  const folders = new Set<string>();
  const names = new Set<string>();

  /** Mounts a package if it is trusted. A discovered package is given only by its folder. */
  const addPackage = (folder: string, wanted?: SpaceMount, key?: string): void => {
    folders.add(folder);
    const plugin = tryReadPlugin(folder);
    if (typeof plugin === 'string') return void notices.push(plugin);
    const { name, manifest } = plugin;
    for (const known of [name, ...manifest.spaces.map((space) => space.name)]) names.add(known);
    const problem = checkManifestNames(plugin);
    if (problem !== undefined) return void notices.push(`${name} is not used: ${problem}`);
    if (key !== undefined) problems.push(...checkMountOptions(plugin, wanted?.options, `${key}.options`));
    if (key !== undefined && wanted?.isolate === 'process' && manifest.hooks !== undefined)
      problems.push(`${key}.isolate: ${name} has hooks, which run in the process of bae. Remove isolate.`);
    const digest = folderDigest(folder);
    if (trust.stateOf({ path: folder, digest }) !== 'trusted')
      return void untrusted.set(folder, trust.addWantedTo(pluginSubject(plugin)));
    for (const space of manifest.spaces) {
      const { options } = wanted ?? {};
      const process = chooseProcess(plugin, wanted?.isolate);
      const thing = { type: 'plugin' as const, plugin, space, options, digest, trust, process };
      const path = makeMountPath(space.name, wanted, manifest.spaces.length === 1);
      mounts.push({ path, label: name, thing, ...(key !== undefined && { key }) });
    }
  };

  const addEntry = async (entry: SpaceEntry, key: string): Promise<void> => {
    const wanted: SpaceMount = typeof entry === 'object' && 'use' in entry ? entry : { use: entry };
    const { use, as, options, isolate } = wanted;
    const fail = (problem: string): void => void problems.push(`${key}.${problem}`);
    const problem = checkMountNames(wanted);
    if (problem !== undefined) return fail(problem);
    if (![undefined, 'process', false].includes(isolate))
      return fail(`isolate: expected "process" or false; got ${JSON.stringify(isolate)}.`);
    const own = typeof use === 'string' && Object.hasOwn(builtIn, use) ? use : undefined;
    const source = own === undefined ? use : builtIn[own]!;
    if (typeof source === 'string') {
      const found = await findPlugin(source, from);
      return 'problem' in found ? fail(`use: ${found.problem}`) : addPackage(found.folder, wanted, key);
    }
    if (isolate !== undefined) return fail('isolate: only a package has a process of its own. Remove it.');
    if (options !== undefined && own !== undefined)
      return fail(`options: bae's own ${own} takes no options. Remove them.`);
    if (options !== undefined) return fail('options: only a package takes options. Give them to the space itself.');
    const name = as ?? own ?? readSpaceName(source);
    if (name === undefined)
      return fail('use: expected a space, or the name of a package. Make one with defineResourcespace().');
    const label = `a space of the configuration${'name' in source ? ` (${source.name})` : ''}`;
    const mount = own === undefined ? { label, thing: { type: 'source' as const, source } } : makeOwn(own, source);
    mounts.push({ ...mount, path: makeMountPath(name, wanted), key });
  };

  for (const [index, entry] of entries.entries()) await addEntry(entry, `spaces[${index}]`);
  for (const { name, folder } of discover ? await discoverPackages(from) : []) {
    if (!folders.has(folder) && !disabled.has(name)) addPackage(folder);
  }
  const used = new Set(mounts.map(({ thing }) => (thing.type === 'source' ? thing.name : undefined)));
  const others = Object.entries(builtIn).filter(([name]) => !used.has(name));
  // Discovered packages come last.
  const all = [...others.map(([name, source]): Mount => ({ ...makeOwn(name, source), path: [name] })), ...mounts];
  const enabled = all.filter(
    ({ path, thing }) => !disabled.has(path.join('.')) && !(thing.type === 'plugin' && disabled.has(thing.plugin.name)),
  );
  const named = Map.groupBy(enabled, ({ path }) => path.join('.'));
  const isShadowed = (mount: Mount): boolean => isDiscovered(mount) && named.get(mount.path.join('.'))![0] !== mount;
  const explain = (mount: Mount): string => {
    const name = mount.path.join('.');
    const remedy = `Give it another name in the configuration: "spaces": [${suggestRename(mount)}]`;
    return `${mount.label} is not used: ${named.get(name)![0]!.label} has a space named ${name} already. ${remedy}`;
  };
  const known = new Set([...all.map(({ path }) => path.join('.')), ...names]);
  problems.push(...[...named.values()].flatMap(explainCollisions), ...explainUnknownNames(request.disabled, known));
  return {
    // Discovered packages were not requested, so a second space with the same name is not a mistake in the
    // configuration.
    mounts: enabled.filter((mount) => !isShadowed(mount)),
    untrusted: [...untrusted.values()].filter(({ name }) => !disabled.has(name)),
    notices: [...notices, ...enabled.filter(isShadowed).map(explain)],
    problems,
  };
}

function makeOwn(name: string, source: SpaceSource): Pick<Mount, 'label' | 'thing'> {
  return { label: `bae's own ${name}`, thing: { type: 'source', source, name } };
}

/** Decides where the code of a package runs. */
function chooseProcess({ folder, manifest, isolate }: Plugin, wanted: SpaceMount['isolate']): PluginProcess {
  if (wanted === 'process') return { isOwn: true, reason: 'isolate is "process"' };
  if (wanted === false) return { isOwn: false, reason: 'isolate is false' };
  if (!isInstalled(folder)) return { isOwn: false, reason: 'it is a folder or a link, not installed in node_modules' };
  if (manifest.hooks !== undefined) return { isOwn: false, reason: 'it has hooks' };
  if (isolate === false) return { isOwn: false, reason: 'its author says that it needs this' };
  if (manifest.standalone === true) return { isOwn: true, reason: 'it is installed in node_modules' };
  return { isOwn: false, reason: 'its manifest does not say that it can do without the application' };
}

/** Reads a package, or returns the reason why it cannot be used. */
function tryReadPlugin(folder: string): Plugin | string {
  try {
    return readPlugin(folder);
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    const { message, hints } = error;
    return hints.length === 0 ? message : `${message} Try: ${hints.join(', or ')}`;
  }
}

/** Reports names in `disabled` that match nothing and are probably misspelt. */
function explainUnknownNames(disabled: readonly string[], known: ReadonlySet<string>): readonly string[] {
  return disabled.flatMap((name, index) => {
    if (known.has(name) || known.has(packageName(name) ?? name)) return [];
    const nearest = JSON.stringify(findNearestName(name, known));
    const problem = `disabled[${index}]: nothing is named ${JSON.stringify(name)}. Did you mean ${nearest}?`;
    // A package that is not installed on this machine may be installed on another one.
    return nearest === undefined ? [] : [problem];
  });
}

function isDiscovered({ key, thing }: Mount): boolean {
  return key === undefined && thing.type === 'plugin';
}

/** Returns the names from home. If a package has several spaces, a name given by the user becomes a place for them. */
function makeMountPath(name: string, { as, under }: Partial<SpaceMount> = {}, isOnly = true): readonly string[] {
  const place = under === undefined ? [] : under.split('.');
  if (as === undefined) return [...place, name];
  return isOnly ? [...place, as] : [...place, as, name];
}

/** Explains each further mount of the same name that a configuration requests, and suggests how to rename it. */
function explainCollisions([first, ...others]: readonly Mount[]): readonly string[] {
  return others
    .filter((mount) => !isDiscovered(mount))
    .map((mount) => {
      const { key = 'spaces', label, path } = mount;
      return `${key}: two spaces are named ${path.join('.')}: ${first!.label} and ${label}. Give one another name: ${suggestRename(mount)}`;
    });
}

function suggestRename({ path, thing }: Mount): string {
  const use = thing.type === 'plugin' ? thing.plugin.name : thing.name;
  const under = path.slice(0, -1).join('.');
  const renamed = JSON.stringify({ as: `${path.at(-1)}2`, ...(under !== '' && { under }) });
  return `{"use":${use === undefined ? '…' : JSON.stringify(use)},${renamed.slice(1)}`;
}

/** Explains why names chosen by a user are not valid for spaces, naming the field; undefined if they are. */
function checkMountNames({ as, under }: SpaceMount): string | undefined {
  const fields = { as: as === undefined ? [] : [as], under: under?.split('.') ?? [] };
  for (const [field, names] of Object.entries(fields)) {
    for (const name of names) {
      const problem = tryRegister([{ ...EMPTY, name }]);
      if (problem !== undefined) return `${field}: ${problem}`;
    }
  }
  return undefined;
}

/** Explains why the names of spaces and tools of a package cannot be registered; undefined if they can. */
function checkManifestNames(plugin: Plugin): string | undefined {
  return tryRegister(
    plugin.manifest.spaces.map(({ name, description, tools }) => ({
      ...EMPTY,
      name,
      description,
      tools: Object.fromEntries(tools.map((one) => [one.name, { ...NAMELESS, name: one.name }])),
    })),
  );
}

/** Empty space and tool for testing names. */
const NAMELESS = tool('Nothing.', {}, () => '').named('nothing');
const EMPTY = defineResourcespace({ name: 'start', description: 'Nothing.', tools: {} });

function tryRegister(spaces: readonly SpaceDefinition[]): string | undefined {
  const registry = new Registry(EMPTY);
  try {
    for (const space of spaces) registry.register(space);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
