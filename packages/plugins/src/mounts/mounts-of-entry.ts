import { PluginError } from '../errors/plugin-error.ts';
import { spaceName } from '../code/space-name.ts';
import type { SpaceManifest } from '../manifest/plugin-manifest.ts';
import { readPlugin, type Plugin } from '../package/plugin.ts';
import { folderDigest } from '../trust/folder-digest.ts';
import { pluginSubject, type TrustSubject } from '../trust/trust-subject.ts';
import { checkOptions } from './check-options.ts';
import { findPlugin } from './find-plugin.ts';
import type { Mount, SpaceEntry, SpaceMount } from './mount.ts';
import { chosenNameProblem, manifestProblem } from './name-problems.ts';
import type { MountRequest } from './mount-request.ts';

/** What came of one entry of a configuration, or of one package that was discovered. */
export interface MountedPackages {
  readonly mounts: readonly Mount[];
  readonly untrusted: readonly TrustSubject[];
  readonly notices: readonly string[];
  readonly problems: readonly string[];
  /** Folders of the packages that were looked at, and the names of these packages and their spaces. */
  readonly folders: readonly string[];
  readonly names: readonly string[];
}

const NOTHING: MountedPackages = { mounts: [], untrusted: [], notices: [], problems: [], folders: [], names: [] };

/**
 * What one entry of a configuration mounts.
 *
 * @param key where it stands, for messages: `spaces[2]`
 */
export async function mountsOfEntry(entry: SpaceEntry, key: string, request: MountRequest): Promise<MountedPackages> {
  const wanted: SpaceMount = isMount(entry) ? entry : { use: entry };
  const { use, as, options } = wanted;
  const problem = (text: string): MountedPackages => ({ ...NOTHING, problems: [`${key}.${text}`] });
  const misnamed = chosenNameProblem(wanted);
  if (misnamed !== undefined) return problem(misnamed);
  if (typeof use !== 'string') {
    const name = as ?? spaceName(use);
    if (options !== undefined) return problem('options: only a package takes options. Give them to the space itself.');
    if (name === undefined)
      return problem('use: expected a space, or the name of a package. Make one with defineResourcespace().');
    return {
      ...NOTHING,
      mounts: [{ path: placed(wanted, name), key, label: labelOf(use), thing: { type: 'source', source: use } }],
    };
  }
  if (request.builtIn.includes(use)) {
    if (options !== undefined) return problem(`options: bae's own ${use} takes no options. Remove them.`);
    return {
      ...NOTHING,
      mounts: [
        { path: placed(wanted, as ?? use), key, label: `bae's own ${use}`, thing: { type: 'built-in', name: use } },
      ],
    };
  }
  const found = await findPlugin(use, request.from);
  if ('problem' in found) return problem(`use: ${found.problem}`);
  return mountPackage({ folder: found.folder, wanted, key }, request);
}

/** A package, and how it is mounted; for one that was discovered there is nothing but the folder. */
export interface PackageMount {
  readonly folder: string;
  readonly wanted?: SpaceMount;
  readonly key?: string;
}

/** What one package mounts, if it may run. */
export function mountPackage(mount: PackageMount, { trust }: Pick<MountRequest, 'trust'>): MountedPackages {
  const { folder, wanted, key } = mount;
  const plugin = readable(folder);
  if (plugin instanceof PluginError) return { ...NOTHING, folders: [folder], notices: [notice(plugin)] };
  const names = [plugin.name, ...plugin.manifest.spaces.map(({ name }) => name)];
  const looked = { ...NOTHING, folders: [folder], names };
  const problems = key === undefined ? [] : checkOptions(plugin, wanted?.options, `${key}.options`);
  const broken = manifestProblem(plugin.manifest);
  if (broken !== undefined) return { ...looked, notices: [`${plugin.name} is not used: ${broken}`] };
  const digest = folderDigest(folder);
  if (trust.stateOf({ path: folder, digest }) !== 'trusted')
    return { ...looked, problems, untrusted: [pluginSubject(plugin)] };
  const mounts = plugin.manifest.spaces.map((space): Mount => {
    const thing = { type: 'plugin' as const, plugin, space, options: wanted?.options, digest };
    return { path: pathOf(plugin, space, wanted), label: plugin.name, thing, ...(key !== undefined && { key }) };
  });
  return { ...looked, problems, mounts };
}

function isMount(entry: SpaceEntry): entry is SpaceMount {
  return typeof entry === 'object' && 'use' in entry;
}

function labelOf(source: object): string {
  return `a space of the configuration${'name' in source ? ` (${String(source.name)})` : ''}`;
}

function placed({ under }: SpaceMount, name: string): readonly string[] {
  return [...(under === undefined ? [] : under.split('.')), name];
}

/** A package of several spaces that is given one name becomes a place of that name with the spaces in it. */
function pathOf({ manifest }: Plugin, { name }: SpaceManifest, wanted: SpaceMount = { use: '' }): readonly string[] {
  const { as } = wanted;
  if (as === undefined) return placed(wanted, name);
  return manifest.spaces.length === 1 ? placed(wanted, as) : [...placed(wanted, as), name];
}

function readable(folder: string): Plugin | PluginError {
  try {
    return readPlugin(folder);
  } catch (error) {
    if (error instanceof PluginError) return error;
    throw error;
  }
}

function notice({ message, hints }: PluginError): string {
  return hints.length === 0 ? message : `${message} Try: ${hints.join(', or ')}`;
}
