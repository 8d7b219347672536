import { nearestName } from '@bae/core';
import { discoverPackages } from '../package/discover-packages.ts';
import { packageName } from '../package/package-name.ts';
import type { TrustSubject } from '../trust/trust-subject.ts';
import { collisionsOf } from './collisions.ts';
import { firstOfEach } from './first-of-each.ts';
import type { Mount } from './mount.ts';
import type { MountRequest } from './mount-request.ts';
import { mountPackage, mountsOfEntry, type MountedPackages } from './mounts-of-entry.ts';

/** Which spaces there will be, and what is to be said about them. */
export interface ResolvedMounts {
  readonly mounts: readonly Mount[];
  /** Packages whose code may not run yet; they are not among the mounts. */
  readonly untrusted: readonly TrustSubject[];
  /** One line each: packages that cannot be used. Everything else goes on. */
  readonly notices: readonly string[];
  /** One line each, beginning with a key of the configuration: nothing starts before they are mended. */
  readonly problems: readonly string[];
}

/** Finds what a configuration mounts. Reads descriptions only: no code of a package runs. */
export async function resolveMounts(request: MountRequest): Promise<ResolvedMounts> {
  const listed: MountedPackages[] = [];
  for (const [index, entry] of request.entries.entries()) {
    listed.push(await mountsOfEntry(entry, `spaces[${index}]`, request));
  }
  const found = request.discover ? await discovered(request, listed) : [];
  const builtIn = builtInMounts(request, listed);
  const disabled = namesOf(request.disabled);
  const wanted = (mounts: readonly Mount[]) => mounts.filter((mount) => !isDisabled(mount, disabled));
  const chosen = wanted([...builtIn, ...listed.flatMap(({ mounts }) => mounts)]);
  const { mounts, notices } = firstOfEach(chosen, wanted(found.flatMap((one) => one.mounts)));
  const all = [...listed, ...found];
  const untrusted = all.flatMap((one) => one.untrusted).filter(({ name }) => !disabled.has(name));
  return {
    mounts,
    untrusted: [...new Map(untrusted.map((subject) => [subject.path, subject])).values()],
    notices: [...all.flatMap((one) => one.notices), ...notices],
    problems: [
      ...listed.flatMap(({ problems }) => problems),
      ...collisionsOf(chosen),
      ...unknownNames(request, [...builtIn, ...all.flatMap((one) => one.mounts)], all),
    ],
  };
}

async function discovered(
  request: MountRequest,
  listed: readonly MountedPackages[],
): Promise<readonly MountedPackages[]> {
  const known = new Set(listed.flatMap(({ folders }) => folders));
  const off = namesOf(request.disabled);
  const found = await discoverPackages(request.from);
  return found
    .filter(({ name, folder }) => !known.has(folder) && !off.has(name))
    .map(({ folder }) => mountPackage({ folder }, request));
}

function builtInMounts({ builtIn }: MountRequest, listed: readonly MountedPackages[]): readonly Mount[] {
  const used = new Set(
    listed.flatMap(({ mounts }) => mounts).map(({ thing }) => (thing.type === 'built-in' ? thing.name : '')),
  );
  return builtIn
    .filter((name) => !used.has(name))
    .map((name) => ({ path: [name], label: `bae's own ${name}`, thing: { type: 'built-in', name } }));
}

/** Names of spaces as they are, and of packages in full. */
function namesOf(disabled: readonly string[]): ReadonlySet<string> {
  return new Set(disabled.flatMap((name) => [name, packageName(name) ?? name]));
}

function isDisabled({ path, thing }: Mount, disabled: ReadonlySet<string>): boolean {
  return disabled.has(path.join('.')) || (thing.type === 'plugin' && disabled.has(thing.plugin.name));
}

/** Names in `disabled` that nothing has, which are misspelt more often than not. */
function unknownNames(
  { disabled }: MountRequest,
  mounts: readonly Mount[],
  packages: readonly MountedPackages[],
): readonly string[] {
  const known = new Set([
    ...mounts.map(({ path }) => path.join('.')),
    ...mounts.flatMap(({ thing }) => (thing.type === 'plugin' ? [thing.plugin.name] : [])),
    ...packages.flatMap(({ names }) => names),
  ]);
  return disabled.flatMap((name, index) => {
    if (known.has(name) || known.has(packageName(name) ?? name)) return [];
    const nearest = nearestName(name, known);
    // What is not installed on this machine may be on another.
    return nearest === undefined
      ? []
      : [`disabled[${index}]: nothing is named ${JSON.stringify(name)}. Did you mean ${JSON.stringify(nearest)}?`];
  });
}
