import type { WorkspaceRoot } from '@bae/workspace';

type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The package manager of a project. */
export interface PackageManager {
  readonly name: ManagerName;
  readonly version: string | undefined;
}

const LOCKFILES: readonly (readonly [file: string, name: ManagerName])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
  ['pnpm-workspace.yaml', 'pnpm'],
];

/** Finds the package manager of a project: the one in its package.json, or else the one whose lockfile exists. */
export async function findPackageManager(root: WorkspaceRoot, declared: unknown): Promise<PackageManager> {
  const [, name, version] = /^(npm|pnpm|yarn|bun)@([\w.-]+)/.exec(typeof declared === 'string' ? declared : '') ?? [];
  if (name !== undefined) return { name: name as ManagerName, version };
  for (const [file, owner] of LOCKFILES) if (await root.exists(file)) return { name: owner, version: undefined };
  return { name: 'npm', version: undefined };
}
