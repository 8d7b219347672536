import type { WorkspaceRoot } from '@bae/workspace';
import type { CodePackage } from './code-package.ts';
import { readManifest, readPnpmPatterns, type Manifest } from './manifest.ts';
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
  return [...labelled(manifests), { label: '', name: own?.name, folder: '', description: own?.description ?? '' }];
}

function isMember(folder: string, patterns: readonly string[]): boolean {
  const names = folder.split('/');
  const matches = (pattern: string) => matchesSegments(partsOf(pattern), names);
  const excluded = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return patterns.some((pattern) => !pattern.startsWith('!') && matches(pattern)) && !excluded.some(matches);
}

function partsOf(pattern: string): readonly string[] {
  return pattern.split('/').filter((part) => part !== '' && part !== '.');
}

interface Member {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Packages of one name: the one nearest to the root has it, the others have their scope before it, or a number behind. */
function labelled(members: readonly Member[]): readonly CodePackage[] {
  const depth = ({ folder }: Member) => folder.split('/').length;
  const sorted = members.toSorted((a, b) => depth(a) - depth(b) || (a.folder < b.folder ? -1 : 1));
  const taken = new Set<string>();
  return sorted.map(({ folder, manifest: { name, description } }) => {
    const [scope, bare] = scopeOf(name ?? folder.split('/').at(-1) ?? '');
    const candidates = [bare, ...(scope === '' ? [] : [`${scope}-${bare}`])];
    let label = candidates.find((candidate) => !taken.has(candidate));
    for (let number = 2; label === undefined; number++) {
      const candidate = `${bare}~${number}`;
      if (!taken.has(candidate)) label = candidate;
    }
    taken.add(label);
    return { label, name, folder, description };
  });
}

/** `core` of `@bae/core`; what cannot be in an address becomes a hyphen. */
function scopeOf(name: string): readonly [scope: string, bare: string] {
  const [, scope = '', bare = ''] = /^(?:@([^/]*)\/)?(.*)$/s.exec(name) ?? [];
  return [plain(scope), plain(bare) || 'package'];
}

function plain(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_.~-]+/gu, '-');
}
