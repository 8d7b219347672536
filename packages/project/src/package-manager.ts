import type { WorkspaceRoot } from '@bae/workspace';

type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The package manager of a project. */
export interface PackageManager {
  readonly name: ManagerName;
  readonly version: string | undefined;
  /** Path of its lockfile relative to the root; the file may not exist yet. */
  readonly lockfile: string;
}

const LOCKFILES: readonly (readonly [file: string, name: ManagerName])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
];

/**
 * Finds the package manager of a project: the one named in its package.json, otherwise the one whose lockfile exists.
 */
export async function findPackageManager(root: WorkspaceRoot, declared: unknown): Promise<PackageManager> {
  const [, named, version] = /^(npm|pnpm|yarn|bun)@([\w.-]+)/.exec(typeof declared === 'string' ? declared : '') ?? [];
  const candidates = LOCKFILES.filter(([, owner]) => named === undefined || owner === named);
  for (const [lockfile, name] of candidates) if (await root.exists(lockfile)) return { name, version, lockfile };
  const isPnpm = named === undefined && (await root.exists('pnpm-workspace.yaml'));
  const [lockfile, name] = isPnpm ? LOCKFILES[0]! : named === undefined ? LOCKFILES.at(-1)! : candidates[0]!;
  return { name, version, lockfile };
}
