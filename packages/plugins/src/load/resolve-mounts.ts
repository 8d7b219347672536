import { findNearestName, type SpaceSource } from '@bae/core';
import { checkMountOptions } from '../manifest/check-options.ts';
import type { SpaceManifest } from '../manifest/plugin-manifest.ts';
import { discoverPackages, findPlugin, packageName } from '../package/find-packages.ts';
import { readPlugin, type Plugin } from '../package/read-plugin.ts';
import { PluginError } from '../plugin-error.ts';
import { folderDigest } from '../trust/digests.ts';
import { pluginSubject, type TrustSubject } from '../trust/trust-subject.ts';
import { checkManifestNames, checkMountNames } from './check-names.ts';
import { readSpaceName } from './import-plugin.ts';
import type { Mount, MountedThing, MountRequest, SpaceEntry, SpaceMount } from './mount.ts';

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
      void this.#mounts.push({ path: joinMountPath(wanted, name), key, label, thing });
    if (typeof use !== 'string') {
      const name = as ?? readSpaceName(use);
      if (options !== undefined)
        return this.#fail(key, 'options: only a package takes options. Give them to the space itself.');
      if (name === undefined)
        return this.#fail(key, 'use: expected a space, or the name of a package. Make one with defineResourcespace().');
      return mount(name, labelSource(use), { type: 'source', source: use });
    }
    if (this.#request.builtIn.includes(use)) {
      if (options !== undefined) return this.#fail(key, `options: bae's own ${use} takes no options. Remove them.`);
      return mount(as ?? use, `bae's own ${use}`, { type: 'built-in', name: use });
    }
    const found = await findPlugin(use, this.#request.from);
    if ('problem' in found) return this.#fail(key, `use: ${found.problem}`);
    this.#addPackage(found.folder, wanted, key);
  }

  addDiscovered(name: string, folder: string): void {
    if (!this.#folders.has(folder) && !this.#disabled.has(name)) this.#addPackage(folder);
  }

  finish(): ResolvedMounts {
    const all = [...this.#mountBuiltIn(), ...this.#mounts];
    const enabled = all.filter(
      ({ path, thing }) =>
        !this.#disabled.has(path.join('.')) && !(thing.type === 'plugin' && this.#disabled.has(thing.plugin.name)),
    );
    const chosen = enabled.filter((mount) => !isDiscovered(mount));
    const { mounts, notices } = dropShadowed(chosen, enabled.filter(isDiscovered));
    return {
      mounts,
      untrusted: [...this.#untrusted.values()].filter(({ name }) => !this.#disabled.has(name)),
      notices: [...this.#notices, ...notices],
      problems: [...this.#problems, ...findCollisions(chosen), ...this.#findUnknownNames(all)],
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
    const problem = checkManifestNames(manifest);
    if (problem !== undefined) return void this.#notices.push(`${name} is not used: ${problem}`);
    if (key !== undefined) this.#problems.push(...checkMountOptions(plugin, wanted?.options, `${key}.options`));
    const digest = folderDigest(folder);
    if (this.#request.trust.stateOf({ path: folder, digest }) !== 'trusted')
      return void this.#untrusted.set(folder, pluginSubject(plugin));
    for (const space of manifest.spaces) {
      const thing = { type: 'plugin' as const, plugin, space, options: wanted?.options, digest };
      this.#mounts.push({
        path: findMountPath(plugin, space, wanted),
        label: name,
        thing,
        ...(key !== undefined && { key }),
      });
    }
  }

  #mountBuiltIn(): readonly Mount[] {
    const used = new Set(this.#mounts.map(({ thing }) => (thing.type === 'built-in' ? thing.name : '')));
    return this.#request.builtIn
      .filter((name) => !used.has(name))
      .map((name) => ({ path: [name], label: `bae's own ${name}`, thing: { type: 'built-in', name } }));
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

function labelSource(source: SpaceSource): string {
  return `a space of the configuration${'name' in source ? ` (${source.name})` : ''}`;
}

function joinMountPath({ under }: Pick<SpaceMount, 'under'>, name: string): readonly string[] {
  return [...(under === undefined ? [] : under.split('.')), name];
}

/** A package of several spaces that is mounted under one name becomes a place of that name with the spaces in it. */
function findMountPath(
  { manifest }: Plugin,
  { name }: SpaceManifest,
  wanted: Partial<SpaceMount> = {},
): readonly string[] {
  const { as } = wanted;
  if (as === undefined) return joinMountPath(wanted, name);
  return manifest.spaces.length === 1 ? joinMountPath(wanted, as) : [...joinMountPath(wanted, as), name];
}

/**
 * Drops discovered mounts whose name is taken, with a notice for each. Nobody asked for them, so a second space
 * of a name is not a mistake in the configuration.
 */
function dropShadowed(
  chosen: readonly Mount[],
  discovered: readonly Mount[],
): Pick<ResolvedMounts, 'mounts' | 'notices'> {
  const taken = new Map(chosen.map((mount) => [mount.path.join('.'), mount]));
  const mounts = [...chosen];
  const notices: string[] = [];
  for (const mount of discovered) {
    const name = mount.path.join('.');
    const first = taken.get(name);
    if (first === undefined) {
      taken.set(name, mount);
      mounts.push(mount);
      continue;
    }
    notices.push(
      `${mount.label} is not used: ${first.label} has a space named ${name} already. Give it another name in the configuration: "spaces": [${suggestRename(mount)}]`,
    );
  }
  return { mounts, notices };
}

/** One line for every two mounts of one name that a configuration asks for, with how to rename one of them. */
function findCollisions(mounts: readonly Mount[]): readonly string[] {
  return [...Map.groupBy(mounts, ({ path }) => path.join('.'))].flatMap(([path, [first, ...others]]) =>
    others.map((other) => {
      const { key = 'spaces', label } = other;
      return `${key}: two spaces are named ${path}: ${first!.label} and ${label}. Give one another name: ${suggestRename(other)}`;
    }),
  );
}

function suggestRename({ path, thing }: Mount): string {
  const use = thing.type === 'plugin' ? thing.plugin.name : thing.type === 'built-in' ? thing.name : undefined;
  const under = path.slice(0, -1).join('.');
  const renamed = JSON.stringify({ as: `${path.at(-1)}2`, ...(under !== '' && { under }) });
  return `{"use":${use === undefined ? '…' : JSON.stringify(use)},${renamed.slice(1)}`;
}
