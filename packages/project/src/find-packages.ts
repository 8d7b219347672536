import { posix } from 'node:path';
import { findNearestName, ResourceError } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';

const PNPM = 'pnpm-workspace.yaml';
const LERNA = 'lerna.json';
const MANIFEST = 'package.json';

/** A package of a project. */
export interface ProjectPackage {
  /** Prefix of the names of its modules; `''` for the package at the root. */
  readonly label: string;
  /** Name under which it is imported; undefined if it has none. */
  readonly name: string | undefined;
  /** Path relative to the root; `''` for the root. */
  readonly folder: string;
  readonly description: string;
}

/**
 * Finds the packages of npm, pnpm, yarn or lerna workspaces among the paths of all manifests; the one at the root comes last.
 */
export async function findPackages(root: WorkspaceRoot, paths: readonly string[]): Promise<readonly ProjectPackage[]> {
  const own = paths.includes(MANIFEST) ? await readManifest(root, '') : undefined;
  const pnpm = paths.includes(PNPM) ? await readFields(root, PNPM, (await import('yaml')).parse) : {};
  const lerna = paths.includes(LERNA) ? await readFields(root, LERNA) : {};
  const listed = [pnpm, lerna].flatMap(({ packages }) => listStrings(packages));
  const patterns = [...(own?.workspaces ?? []), ...listed];
  const folders = paths
    .filter((path) => path.endsWith(`/${MANIFEST}`))
    .map((path) => path.slice(0, -MANIFEST.length - 1))
    .filter((folder) => isMember(folder, patterns));
  const manifests = await Promise.all(folders.map((folder) => readManifest(root, folder)));
  return [...labelPackages(manifests), { label: '', name: own?.name, folder: '', description: own?.description ?? '' }];
}

/**
 * Finds the folder of a package of the project by its name, with or without scope, or by its folder, in which any other
 * package.json may be as well; empty for the root.
 */
export async function findPackageFolder(root: WorkspaceRoot, name: string): Promise<string> {
  const folder = posix.normalize(`${name}/`).slice(0, -1);
  if (name === '' || folder === '.') return '';
  const paths = await root.glob({ pattern: '**/{package.json,pnpm-workspace.yaml,lerna.json}' });
  const packages = await findPackages(root, paths);
  const owner = packages.find((one) => one.name === name || one.label === name || one.folder === folder);
  if (owner !== undefined) return owner.folder;
  const others = paths
    .filter((path) => path.endsWith(`/${MANIFEST}`))
    .map((path) => posix.dirname(path))
    .filter((path) => !packages.some((one) => one.folder === path));
  if (others.includes(folder)) return folder;
  const labels = [...packages.map(({ label }) => label).filter((label) => label !== ''), ...others];
  const nearest = findNearestName(name, labels) ?? others.find((path) => posix.basename(path) === name);
  const known = labels.length === 0 ? 'The project is one package.' : `Packages: ${labels.slice(0, 20).join(', ')}.`;
  throw new ResourceError(`no package '${name}' in this project. ${known}`, [
    nearest === undefined ? '<R:>' : `<R: package="${nearest}">`,
  ]);
}

/**
 * Returns true if a package manager installs a folder together with the root, as one of its workspaces. What only lerna
 * lists as a package is installed by itself.
 */
export async function isInstalledWithRoot(root: WorkspaceRoot, folder: string, manager: string): Promise<boolean> {
  if (folder === '') return true;
  if (manager !== 'pnpm') return isMember(folder, (await readManifest(root, '')).workspaces);
  const { packages } = await readFields(root, PNPM, (await import('yaml')).parse);
  return isMember(folder, listStrings(packages));
}

/**
 * Lists the packages of the project that a package names as dependencies, and that its package manager would fetch from
 * the registry, because it installs that package by itself.
 */
export async function listUnlinked(root: WorkspaceRoot, folder: string): Promise<readonly ProjectPackage[]> {
  const paths = await root.glob({ pattern: '**/{package.json,pnpm-workspace.yaml,lerna.json}' });
  const { dependencies, devDependencies } = await readFields(root, posix.join(folder, MANIFEST));
  const wanted: Readonly<Record<string, unknown>> = { ...Object(dependencies), ...Object(devDependencies) };
  const packages = await findPackages(root, paths);
  return packages.filter(({ name = '', label }) => {
    const range = wanted[name];
    return label !== '' && typeof range === 'string' && !/^(?:file|link|workspace|portal):/.test(range);
  });
}

function isMember(folder: string, patterns: readonly string[]): boolean {
  const matching = patterns.filter((pattern) => {
    const parts = pattern.replace(/^!/, '').split('/');
    return matchesSegments(
      parts.filter((part) => part !== '' && part !== '.'),
      folder.split('/'),
    );
  });
  return matching.length > 0 && !matching.some((pattern) => pattern.startsWith('!'));
}

/**
 * Gives each package a unique label. If several have the same name, the one nearest to the root gets it; the others are
 * prefixed with their scope, or get a number as a suffix.
 */
function labelPackages(members: readonly Manifest[]): readonly ProjectPackage[] {
  const depth = ({ folder }: Manifest) => folder.split('/').length;
  const sorted = members.toSorted((a, b) => depth(a) - depth(b) || (a.folder < b.folder ? -1 : 1));
  const taken = new Set<string>();
  return sorted.map(({ folder, name, description }) => {
    const [scope, bare] = splitScope(name ?? folder.split('/').at(-1) ?? '');
    let label = bare;
    if (taken.has(label) && scope !== '') label = `${scope}-${bare}`;
    for (let number = 2; taken.has(label); number++) label = `${bare}~${number}`;
    taken.add(label);
    return { label, name, folder, description };
  });
}

function splitScope(name: string): readonly [scope: string, bare: string] {
  const [, scope = '', bare = ''] = /^(?:@([^/]*)\/)?(.*)$/s.exec(name) ?? [];
  return [replaceSpecial(scope), replaceSpecial(bare) || 'package'];
}

function replaceSpecial(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_.~-]+/gu, '-');
}

interface Manifest extends Omit<ProjectPackage, 'label'> {
  /** Patterns for the folders of its packages. */
  readonly workspaces: readonly string[];
}

async function readManifest(root: WorkspaceRoot, folder: string): Promise<Manifest> {
  const { name, description, workspaces } = await readFields(root, posix.join(folder, MANIFEST));
  return {
    folder,
    name: typeof name === 'string' && name !== '' ? name : undefined,
    description: typeof description === 'string' ? description : '',
    workspaces: listStrings((workspaces as { packages?: unknown } | undefined)?.packages ?? workspaces),
  };
}

/** Reads the fields of a file; returns none if it is malformed or cannot be read. */
export async function readFields(
  root: WorkspaceRoot,
  path: string,
  parse: (text: string) => unknown = JSON.parse,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value = parse((await root.readText(path)).text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Returns the installed version of a package; undefined when it is not installed in a folder or at the root. */
export async function findInstalled(root: WorkspaceRoot, folder: string, name: string): Promise<string | undefined> {
  for (const place of new Set([folder, ''])) {
    const { version } = await readFields(root, posix.join(place, 'node_modules', name, MANIFEST));
    if (typeof version === 'string') return version;
  }
  return undefined;
}

/** Files of Plug'n'Play, with which packages are found without folders for them. */
const PLUG_AND_PLAY = ['.pnp.cjs', '.pnp.js'];

/** Returns true if packages are found without folders for them, as Plug'n'Play of Yarn does. */
export async function usesPlugAndPlay(root: WorkspaceRoot): Promise<boolean> {
  return (await Promise.all(PLUG_AND_PLAY.map((path) => root.exists(path)))).includes(true);
}

/**
 * Lists the packages that the package.json of a folder names for use or development and that are not installed, as far
 * as packages are installed in folders.
 */
export async function listMissingPackages(root: WorkspaceRoot, folder: string): Promise<readonly string[]> {
  const { dependencies, devDependencies } = await readFields(root, posix.join(folder, MANIFEST));
  const names = Object.keys({ ...Object(dependencies), ...Object(devDependencies) } as object);
  const installed = await Promise.all(names.map((name) => findInstalled(root, folder, name)));
  const missing = names.filter((_, index) => installed[index] === undefined);
  return missing.length > 0 && (await usesPlugAndPlay(root)) ? [] : missing;
}

function listStrings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/**
 * Tests whether a list of names matches a pattern: `*` stands for any part of one name, `?` for one character, and `**`
 * for any number of names. Takes time proportional to the product of both lengths.
 */
export function matchesSegments(pattern: readonly string[], names: readonly string[]): boolean {
  return matchesSequence(pattern, names, { any: '**', matches: matchesName });
}

function matchesName(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === name;
  return matchesSequence(pattern.split(''), name.split(''), {
    any: '*',
    matches: (part, char) => part === '?' || part === char,
  });
}

/** `any` is the part of a pattern that matches any number of items; `matches` compares every other part with an item. */
function matchesSequence(
  pattern: readonly string[],
  items: readonly string[],
  { any, matches }: { readonly any: string; readonly matches: (part: string, item: string) => boolean },
): boolean {
  // Index n is true if the part of the pattern processed so far can match the first n items.
  let reached = [true, ...items.map(() => false)];
  for (const part of pattern) {
    const next: boolean[] = [];
    for (const [at, isReached] of reached.entries()) {
      if (part === any) next.push(isReached || next.at(-1) === true);
      else next.push(reached[at - 1] === true && matches(part, items[at - 1] as string));
    }
    reached = next;
  }
  return reached.at(-1) === true;
}
