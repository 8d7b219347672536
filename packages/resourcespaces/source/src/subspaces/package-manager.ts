import type { WorkspaceRoot } from '@bae/workspace';

/** The package managers that are known. */
export type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The package manager of a project. */
export interface PackageManager {
  readonly name: ManagerName;
  /** The version that the project asks for. */
  readonly version: string | undefined;
}

/** What is to be done with a package. */
export interface PackageOrder {
  readonly verb: 'add' | 'remove';
  /** A package as the manager is told: `zod@^4.0.0`. */
  readonly dependency: string;
  readonly dev: boolean;
}

const LOCKFILES: readonly (readonly [file: string, name: ManagerName])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
  ['pnpm-workspace.yaml', 'pnpm'],
];

/** Finds out which package manager a project uses: what its package.json says, or else whose lockfile is there. */
export async function findPackageManager(root: WorkspaceRoot, declared: unknown): Promise<PackageManager> {
  const [, name, version] = /^(npm|pnpm|yarn|bun)@([\w.-]+)/.exec(typeof declared === 'string' ? declared : '') ?? [];
  if (name !== undefined) return { name: name as ManagerName, version };
  for (const [file, owner] of LOCKFILES) if (await root.exists(file)) return { name: owner, version: undefined };
  return { name: 'npm', version: undefined };
}

/**
 * The arguments for an order. Scripts of the packages are never run: adding a package is no reason to run what it
 * brings along.
 */
export function managerArguments({ name, version }: PackageManager, { verb, dependency, dev }: PackageOrder): string[] {
  const add = verb === 'add';
  switch (name) {
    case 'npm':
      return [add ? 'install' : 'uninstall', ...NPM_FLAGS, ...flag(add && dev, '--save-dev'), dependency];
    case 'pnpm':
      return [verb, '--ignore-scripts', ...flag(add, AT_ROOT), ...flag(add && dev, '--save-dev'), dependency];
    case 'bun':
      return [verb, '--ignore-scripts', ...flag(add && dev, '--dev'), dependency];
    default:
      // Later versions take it from the environment, and know no root to be warned of.
      return [
        verb,
        ...(isClassic(version) ? ['--ignore-scripts', AT_ROOT] : []),
        ...flag(add && dev, '--dev'),
        dependency,
      ];
  }
}

const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund'];
/** Lets a package be added to the root of a workspace, which was asked for by name. */
const AT_ROOT = '--ignore-workspace-root-check';

/** What the package manager finds in its environment. */
export const MANAGER_ENVIRONMENT = { YARN_ENABLE_SCRIPTS: 'false', npm_config_ignore_scripts: 'true' } as const;

function isClassic(version: string | undefined): boolean {
  return version === undefined || version.startsWith('1.');
}

function flag(isSet: boolean, name: string): readonly string[] {
  return isSet ? [name] : [];
}
