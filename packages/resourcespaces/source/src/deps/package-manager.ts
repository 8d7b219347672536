import { join } from 'node:path';
import type { WorkspaceRoot } from '@bae/workspace';
import { PackageError } from '../errors.ts';
import { runProgram, type ProgramResult } from '../run-program.ts';

type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The package manager of a project. */
export interface PackageManager {
  readonly name: ManagerName;
  /** The version that the project asks for. */
  readonly version: string | undefined;
}

/** A change of the dependencies of a package. */
export interface DependencyChange {
  readonly verb: 'add' | 'remove';
  /** As a package manager takes it: `zod@^4.0.0`. */
  readonly dependency: string;
  readonly dev: boolean;
  /** Folder of the package, below the root; empty for the root. */
  readonly folder: string;
}

const LOCKFILES: readonly (readonly [file: string, name: ManagerName])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['yarn.lock', 'yarn'],
  ['package-lock.json', 'npm'],
  ['pnpm-workspace.yaml', 'pnpm'],
];
const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund'];
/** Allows adding a package to the root of a workspace, since the root was named in the call. */
const AT_ROOT = '--ignore-workspace-root-check';
const ENVIRONMENT = { YARN_ENABLE_SCRIPTS: 'false', npm_config_ignore_scripts: 'true' } as const;
/** Characters of the output of a package manager that are shown. */
const LONGEST_CAUSE = 1200;

/** Finds the package manager of a project: the one in its package.json, or else the one whose lockfile exists. */
export async function findPackageManager(root: WorkspaceRoot, declared: unknown): Promise<PackageManager> {
  const [, name, version] = /^(npm|pnpm|yarn|bun)@([\w.-]+)/.exec(typeof declared === 'string' ? declared : '') ?? [];
  if (name !== undefined) return { name: name as ManagerName, version };
  for (const [file, owner] of LOCKFILES) if (await root.exists(file)) return { name: owner, version: undefined };
  return { name: 'npm', version: undefined };
}

/** The arguments for a change. Scripts of packages are never run: consent to add a package is no consent to run it. */
export function listManagerArguments(
  { name, version }: PackageManager,
  { verb, dependency, dev }: Omit<DependencyChange, 'folder'>,
): string[] {
  const add = verb === 'add';
  const saveDev = add && dev ? ['--save-dev'] : [];
  const devFlag = add && dev ? ['--dev'] : [];
  switch (name) {
    case 'npm':
      return [add ? 'install' : 'uninstall', ...NPM_FLAGS, ...saveDev, dependency];
    case 'pnpm':
      return [verb, '--ignore-scripts', ...(add ? [AT_ROOT] : []), ...saveDev, dependency];
    case 'bun':
      return [verb, '--ignore-scripts', ...devFlag, dependency];
    default: {
      // Later versions take the setting from the environment, and have no warning about the root.
      const isClassic = version === undefined || version.startsWith('1.');
      return [verb, ...(isClassic ? ['--ignore-scripts', AT_ROOT] : []), ...devFlag, dependency];
    }
  }
}

/** Adds or removes a package with the project's package manager. */
export async function changeDependencies(
  root: WorkspaceRoot,
  { manager, change }: { readonly manager: PackageManager; readonly change: DependencyChange },
  signal: AbortSignal,
): Promise<void> {
  const args = listManagerArguments(manager, change);
  const result = await runManager(manager, { args, folder: join(root.folder, change.folder) }, signal);
  if (result.code === 0) return;
  const end = result.code === null ? 'was killed' : `ended with code ${result.code}`;
  throw new PackageError(`${manager.name} ${args.join(' ')} ${end}.\n${findCause(result)}`, ['<R:>']);
}

async function runManager(
  { name, version }: PackageManager,
  { args, folder }: { readonly args: readonly string[]; readonly folder: string },
  signal: AbortSignal,
): Promise<ProgramResult> {
  const commands: { command: string; args: readonly string[] }[] = [{ command: name, args }];
  // npm can fetch another package manager, in the version that the project names.
  if (name !== 'npm') commands.push({ command: 'npx', args: ['--yes', `${name}@${version ?? 'latest'}`, ...args] });
  let missing: unknown;
  for (const command of commands) {
    try {
      return await runProgram({ ...command, folder, environment: ENVIRONMENT }, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      missing = error;
    }
  }
  const fact = `${name} is not installed, and the project uses it.`;
  throw new PackageError(`${fact} Ask the user to install it; packages cannot be changed without.`, ['<R:>'], missing);
}

/** The part of the output that contains the reason. */
function findCause({ output, errors }: ProgramResult): string {
  const lines = `${output}\n${errors}`.split('\n').filter((line) => /\S/.test(line));
  const useful = lines.filter((line) => !/^npm (notice|warn)|A complete log of this run|^\s*\/.*debug-\d/i.test(line));
  const text = (useful.length > 0 ? useful : lines).join('\n').trim();
  return text.length > LONGEST_CAUSE ? `…${text.slice(-LONGEST_CAUSE)}` : text || 'It gave no reason.';
}
