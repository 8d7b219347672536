import type { WorkspaceRoot } from '@bae/workspace';
import type { CodePackage } from './code-module.ts';
import { matchesSegments } from './segment-pattern.ts';

const PNPM = 'pnpm-workspace.yaml';
const MANIFEST = 'package.json';

/**
 * The packages of a project, the one at the root last: those that its npm, pnpm or yarn workspaces name.
 *
 * @param paths all files of the project, or at least all manifests
 */
export async function findPackages(root: WorkspaceRoot, paths: readonly string[]): Promise<readonly CodePackage[]> {
  const own = paths.includes(MANIFEST) ? await readManifest(root, MANIFEST) : undefined;
  const patterns = [...(own?.workspaces ?? []), ...(paths.includes(PNPM) ? await readPnpmPatterns(root, PNPM) : [])];
  const folders = paths
    .filter((path) => path.endsWith(`/${MANIFEST}`))
    .map((path) => path.slice(0, -MANIFEST.length - 1))
    .filter((folder) => isMember(folder, patterns));
  const manifests = await Promise.all(
    folders.map(async (folder) => ({ folder, manifest: await readManifest(root, `${folder}/${MANIFEST}`) })),
  );
  return [...labelPackages(manifests), { label: '', name: own?.name, folder: '', description: own?.description ?? '' }];
}

function isMember(folder: string, patterns: readonly string[]): boolean {
  const names = folder.split('/');
  const matches = (pattern: string) => matchesSegments(splitPattern(pattern), names);
  const excluded = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return patterns.some((pattern) => !pattern.startsWith('!') && matches(pattern)) && !excluded.some(matches);
}

function splitPattern(pattern: string): readonly string[] {
  return pattern.split('/').filter((part) => part !== '' && part !== '.');
}

interface Member {
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * Gives each package a label of its own. Of several with the same name the one nearest to the root gets it; the others
 * get their scope before it, or a number behind it.
 */
function labelPackages(members: readonly Member[]): readonly CodePackage[] {
  const depth = ({ folder }: Member) => folder.split('/').length;
  const sorted = members.toSorted((a, b) => depth(a) - depth(b) || (a.folder < b.folder ? -1 : 1));
  const taken = new Set<string>();
  return sorted.map(({ folder, manifest: { name, description } }) => {
    const [scope, bare] = splitScope(name ?? folder.split('/').at(-1) ?? '');
    let label = bare;
    if (taken.has(label) && scope !== '') label = `${scope}-${bare}`;
    for (let number = 2; taken.has(label); number++) label = `${bare}~${number}`;
    taken.add(label);
    return { label, name, folder, description };
  });
}

/** `bae` and `core` of `@bae/core`. */
function splitScope(name: string): readonly [scope: string, bare: string] {
  const [, scope = '', bare = ''] = /^(?:@([^/]*)\/)?(.*)$/s.exec(name) ?? [];
  return [replaceSpecial(scope), replaceSpecial(bare) || 'package'];
}

/** Replaces what cannot be in an address by hyphens. */
function replaceSpecial(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_.~-]+/gu, '-');
}

/** The fields of a `package.json` that matter here. */
interface Manifest {
  readonly name: string | undefined;
  readonly description: string;
  /** Patterns of the folders of its packages. */
  readonly workspaces: readonly string[];
}

/** Reads a `package.json`; empty when it is malformed. */
async function readManifest(root: WorkspaceRoot, path: string): Promise<Manifest> {
  const { name, description, workspaces } = await readObject(root, path);
  const patterns = Array.isArray(workspaces)
    ? workspaces
    : (workspaces as { packages?: unknown } | undefined)?.packages;
  return {
    name: typeof name === 'string' && name !== '' ? name : undefined,
    description: typeof description === 'string' ? description : '',
    workspaces: strings(patterns),
  };
}

/** The folder patterns of a `pnpm-workspace.yaml`; none when it is malformed. */
async function readPnpmPatterns(root: WorkspaceRoot, path: string): Promise<readonly string[]> {
  try {
    const { parse } = await import('yaml');
    return strings((parse((await root.readText(path)).text) as { packages?: unknown } | null)?.packages);
  } catch {
    return [];
  }
}

async function readObject(root: WorkspaceRoot, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse((await root.readText(path)).text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
