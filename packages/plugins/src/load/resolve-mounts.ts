import { defineResourcespace, findNearestName, type SpaceDefinition, type SpaceSource } from '@bae/core';
import { Registry } from '@bae/core/pipeline';
import { checkMountOptions } from '../manifest/check-options.ts';
import type { SpaceManifest } from '../manifest/plugin-manifest.ts';
import { discoverPackages, findPlugin, packageName } from '../package/find-packages.ts';
import { readPlugin, type Plugin } from '../package/read-plugin.ts';
import { PluginError } from '../plugin-error.ts';
import { folderDigest } from '../trust/digests.ts';
import { pluginSubject, type TrustSubject } from '../trust/trust-subject.ts';
import type { TrustStore } from '../trust/trust-store.ts';
import { readSpaceName } from './import-plugin.ts';
import { makeLazySpace } from './lazy-space.ts';
import { PluginCode } from './plugin-code.ts';

/** A space and how it is mounted, as a configuration lists it. */
export interface SpaceMount {
  /**
   * A package by its name (`tickets` is short for `bae-resourcespace-tickets`), its folder (`./spaces/tickets`),
   * a built-in space by its name, or in code the space itself.
   */
  readonly use: string | SpaceSource;
  /** The name it is mounted under. Default: its own name. */
  readonly as?: string;
  /** The space or named place above it: `work`, `work.shop`. Default: home. */
  readonly under?: string;
  /** For a package: options that match its schema. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Everything that a configuration may list as a space. */
export type SpaceEntry = string | SpaceSource | SpaceMount;

/** What spaces are found from. */
export interface MountRequest {
  readonly entries: readonly SpaceEntry[];
  /** True to mount every installed package that is not listed. */
  readonly discover: boolean;
  readonly disabled: readonly string[];
  /** Spaces by name that are mounted below home unless they are disabled, or listed by name. */
  readonly builtIn: Readonly<Record<string, SpaceSource>>;
  /** Folder that relative paths and the search for packages begin at, absolute. */
  readonly from: string;
  readonly trust: Pick<TrustStore, 'stateOf'>;
}

/** What is mounted. */
export type MountedThing =
  | {
      readonly type: 'source';
      readonly source: SpaceSource;
      /** Of a built-in space. */
      readonly name?: string;
    }
  | {
      readonly type: 'plugin';
      readonly plugin: Plugin;
      readonly space: SpaceManifest;
      readonly options: SpaceMount['options'];
      /** Of the package, as it was trusted. */
      readonly digest: string;
    };

/** One space and where it will be. */
export interface Mount {
  /** Names from home; the last one is its own. */
  readonly path: readonly string[];
  readonly thing: MountedThing;
  /** What it is, for messages: the name of a package, or of a class. */
  readonly label: string;
  /** The configuration key that asked for it: `spaces[2]`; absent for what was discovered. */
  readonly key?: string;
}

/** Which spaces there will be, and what to report about them. */
export interface ResolvedMounts {
  readonly mounts: readonly Mount[];
  /** Packages whose code may not run yet; they are not among the mounts. */
  readonly untrusted: readonly TrustSubject[];
  /** One line each: packages that cannot be used. Everything else goes on. */
  readonly notices: readonly string[];
  /** One line each, beginning with a key of the configuration. Nothing starts before they are fixed. */
  readonly problems: readonly string[];
}

/** Finds what a configuration mounts. Reads descriptions only: no code of a package runs. */
export async function resolveMounts(request: MountRequest): Promise<ResolvedMounts> {
  const { entries, discover, from } = request;
  const resolver = new MountResolver(request);
  for (const [index, entry] of entries.entries()) await resolver.addEntry(entry, `spaces[${index}]`);
  if (discover) for (const { name, folder } of await discoverPackages(from)) resolver.addDiscovered(name, folder);
  return resolver.finish();
}

class MountResolver {
  readonly #request: MountRequest;
  /** Names of spaces as they are, and of packages in full. */
  readonly #disabled: ReadonlySet<string>;
  /** Those of entries have a key, those of discovered packages have none. */
  readonly #mounts: Mount[] = [];
  readonly #untrusted = new Map<string, TrustSubject>();
  readonly #notices: string[] = [];
  readonly #problems: string[] = [];
  /** Folders of the packages that were read, and the names of these packages and their spaces. */
  readonly #folders = new Set<string>();
  readonly #names = new Set<string>();

  constructor(request: MountRequest) {
    this.#request = request;
    this.#disabled = new Set(request.disabled.flatMap((name) => [name, packageName(name) ?? name]));
  }

  /** @param key of the entry, for messages: `spaces[2]` */
  async addEntry(entry: SpaceEntry, key: string): Promise<void> {
    const wanted: SpaceMount = isMount(entry) ? entry : { use: entry };
    const { use, as, options } = wanted;
    const problem = checkMountNames(wanted);
    if (problem !== undefined) return this.#fail(key, problem);
    const mount = (name: string, label: string, thing: MountedThing): void =>
      void this.#mounts.push({ path: makeMountPath(wanted, name), key, label, thing });
    if (typeof use !== 'string') {
      const name = as ?? readSpaceName(use);
      if (options !== undefined)
        return this.#fail(key, 'options: only a package takes options. Give them to the space itself.');
      if (name === undefined)
        return this.#fail(key, 'use: expected a space, or the name of a package. Make one with defineResourcespace().');
      const label = `a space of the configuration${'name' in use ? ` (${use.name})` : ''}`;
      return mount(name, label, { type: 'source', source: use });
    }
    const builtIn = Object.hasOwn(this.#request.builtIn, use) ? this.#request.builtIn[use] : undefined;
    if (builtIn !== undefined) {
      if (options !== undefined) return this.#fail(key, `options: bae's own ${use} takes no options. Remove them.`);
      return mount(use, `bae's own ${use}`, { type: 'source', source: builtIn, name: use });
    }
    const found = await findPlugin(use, this.#request.from);
    if ('problem' in found) return this.#fail(key, `use: ${found.problem}`);
    this.#addPackage(found.folder, wanted, key);
  }

  addDiscovered(name: string, folder: string): void {
    if (!this.#folders.has(folder) && !this.#disabled.has(name)) this.#addPackage(folder);
  }

  finish(): ResolvedMounts {
    // What was discovered comes last.
    const all = [...this.#mountBuiltIn(), ...this.#mounts];
    const enabled = all.filter(
      ({ path, thing }) =>
        !this.#disabled.has(path.join('.')) && !(thing.type === 'plugin' && this.#disabled.has(thing.plugin.name)),
    );
    const named = Map.groupBy(enabled, ({ path }) => path.join('.'));
    const notices: string[] = [];
    const mounts = enabled.filter((mount) => {
      const name = mount.path.join('.');
      const [first] = named.get(name)!;
      if (mount === first || !isDiscovered(mount)) return true;
      // Nobody asked for it, so a second space of a name is not a mistake in the configuration.
      notices.push(
        `${mount.label} is not used: ${first!.label} has a space named ${name} already. Give it another name in the configuration: "spaces": [${suggestRename(mount)}]`,
      );
      return false;
    });
    return {
      mounts,
      untrusted: [...this.#untrusted.values()].filter(({ name }) => !this.#disabled.has(name)),
      notices: [...this.#notices, ...notices],
      problems: [...this.#problems, ...[...named.values()].flatMap(explainCollisions), ...this.#findUnknownNames(all)],
    };
  }

  /** Mounts a package if it is trusted. One that was discovered has a folder only. */
  #addPackage(folder: string, wanted?: SpaceMount, key?: string): void {
    this.#folders.add(folder);
    let plugin: Plugin;
    try {
      plugin = readPlugin(folder);
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      const { message, hints } = error;
      return void this.#notices.push(hints.length === 0 ? message : `${message} Try: ${hints.join(', or ')}`);
    }
    const { name, manifest } = plugin;
    for (const known of [name, ...manifest.spaces.map((space) => space.name)]) this.#names.add(known);
    const problem = checkManifestNames(plugin);
    if (problem !== undefined) return void this.#notices.push(`${name} is not used: ${problem}`);
    if (key !== undefined) this.#problems.push(...checkMountOptions(plugin, wanted?.options, `${key}.options`));
    const digest = folderDigest(folder);
    if (this.#request.trust.stateOf({ path: folder, digest }) !== 'trusted')
      return void this.#untrusted.set(folder, pluginSubject(plugin));
    for (const space of manifest.spaces) {
      const thing = { type: 'plugin' as const, plugin, space, options: wanted?.options, digest };
      const path = makeMountPath(wanted, space.name, manifest.spaces.length === 1);
      this.#mounts.push({ path, label: name, thing, ...(key !== undefined && { key }) });
    }
  }

  #mountBuiltIn(): readonly Mount[] {
    const used = new Set(this.#mounts.map(({ thing }) => (thing.type === 'source' ? thing.name : undefined)));
    return Object.entries(this.#request.builtIn)
      .filter(([name]) => !used.has(name))
      .map(([name, source]) => ({ path: [name], label: `bae's own ${name}`, thing: { type: 'source', source, name } }));
  }

  /** Reports names in `disabled` that match nothing and are probably misspelt. */
  #findUnknownNames(mounts: readonly Mount[]): readonly string[] {
    const known = new Set([...mounts.map(({ path }) => path.join('.')), ...this.#names]);
    return this.#request.disabled.flatMap((name, index) => {
      if (known.has(name) || known.has(packageName(name) ?? name)) return [];
      const nearest = findNearestName(name, known);
      // A package that is not installed on this machine may be on another.
      return nearest === undefined
        ? []
        : [`disabled[${index}]: nothing is named ${JSON.stringify(name)}. Did you mean ${JSON.stringify(nearest)}?`];
    });
  }

  #fail(key: string, problem: string): void {
    this.#problems.push(`${key}.${problem}`);
  }
}

function isMount(entry: SpaceEntry): entry is SpaceMount {
  return typeof entry === 'object' && 'use' in entry;
}

function isDiscovered({ key, thing }: Mount): boolean {
  return key === undefined && thing.type === 'plugin';
}

/** Names from home. Of a package of several spaces, a name of the user becomes a place with the spaces in it. */
function makeMountPath({ as, under }: Partial<SpaceMount> = {}, name: string, isOnly = true): readonly string[] {
  const place = under === undefined ? [] : under.split('.');
  if (as === undefined) return [...place, name];
  return isOnly ? [...place, as] : [...place, as, name];
}

/** One line for every second mount of a name that a configuration asks for, with how to rename it. */
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

/** Why names that a user chose cannot be names of spaces, with the field they are in; undefined when they can. */
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

/** Why the names of spaces and tools of a package cannot be registered; undefined when they can. */
function checkManifestNames(plugin: Plugin): string | undefined {
  const code = new PluginCode({ plugin, provide: [], permit: () => undefined });
  return tryRegister(
    plugin.manifest.spaces.map((manifest) => makeLazySpace({ code, path: [], name: manifest.name, manifest })),
  );
}

/** An empty space, to try out names with. */
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
