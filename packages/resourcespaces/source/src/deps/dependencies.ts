import { join } from 'node:path';
import { ParameterError, ResourceError } from '@bae/core';
import { FileNotFoundError, type WorkspaceRoot } from '@bae/workspace';
import { PackageError } from '../errors.ts';
import { readFields } from '../modules/find-packages.ts';
import { type ProgramResult, runProgram } from '../run-program.ts';

/** The lists of a package.json, by their keys. */
export const LISTS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

interface ListedDependency {
  readonly list: (typeof LISTS)[number];
  readonly name: string;
  /** As in package.json: `^1.2.0`. */
  readonly wanted: string;
}

/** The dependencies of a package.json. */
export interface DependencyManifest {
  readonly name: string;
  readonly packageManager: unknown;
  readonly dependencies: readonly ListedDependency[];
}

/** Reads the dependencies of the package in a folder below the root. */
export async function readDependencies(root: WorkspaceRoot, folder: string): Promise<DependencyManifest> {
  const manifest = await readProjectManifest(root, folder);
  const dependencies = LISTS.flatMap((list) => {
    const entries = Object.entries((manifest[list] ?? {}) as Readonly<Record<string, unknown>>);
    return entries.map(([name, wanted]) => ({ list, name, wanted: String(wanted) }));
  });
  const { name, packageManager } = manifest;
  return { name: typeof name === 'string' ? name : root.name, packageManager, dependencies };
}

async function readProjectManifest(root: WorkspaceRoot, folder: string): Promise<Readonly<Record<string, unknown>>> {
  const path = folder === '' ? 'package.json' : `${folder}/package.json`;
  try {
    return JSON.parse((await root.readText(path)).text.replace(/^\uFEFF/, '')) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof FileNotFoundError) {
      const fact = 'this project has no package.json, so it has no dependencies.';
      throw new ResourceError(`${fact} Go home and write one: <W:package.json>{}</W>`, ['@home()'], error);
    }
    if (!(error instanceof SyntaxError)) throw error;
    const message = `package.json cannot be read: ${error.message}. Go home and mend it: <R:package.json>`;
    throw new ResourceError(message, ['@home()'], error);
  }
}

/** The version of a package that is installed; undefined when none is. */
export async function findInstalled(root: WorkspaceRoot, folder: string, name: string): Promise<string | undefined> {
  for (const place of folder === '' ? [''] : [`${folder}/`, '']) {
    const { version } = await readFields(root, `${place}node_modules/${name}/package.json`);
    if (typeof version === 'string') return version;
  }
  return undefined;
}

const NAME = String.raw`(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*`;
const DEPENDENCY = new RegExp(`^(${NAME})(?:@([\\w.^~<>=|* +-]+))?$`, 'i');
const LONGEST_NAME = 214;

/**
 * Parses `zod`, `zod@^4.0.0`, `@scope/name@latest`. Nothing else is accepted: no URLs, no folders, and nothing that a
 * package manager would take for an option.
 */
export function parseDependency(text: string): { readonly name: string; readonly spec: string } {
  const [, name, version] = DEPENDENCY.exec(text.trim()) ?? [];
  if (name === undefined || name.length > LONGEST_NAME) {
    const fact = `'${text.trim().slice(0, 60)}' is no package. A package is a name in the registry, perhaps with a version.`;
    throw new ParameterError(`${fact} Folders and addresses are added by hand.`, ['<W:zod>', '<W:zod@^4.0.0>']);
  }
  return { name, spec: version === undefined ? name : `${name}@${version.trim()}` };
}

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
  const { name, version } = manager;
  const args = listManagerArguments(manager, change);
  const run = (command: string, all: readonly string[]) =>
    runProgram({ command, args: all, folder: join(root.folder, change.folder), environment: ENVIRONMENT }, signal);
  const result = await run(name, args)
    .catch((error: unknown) => {
      // npm can fetch another package manager, in the version that the project names.
      if (!isMissing(error) || name === 'npm') throw error;
      return run('npx', ['--yes', `${name}@${version ?? 'latest'}`, ...args]);
    })
    .catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      const fact = `${name} is not installed, and the project uses it.`;
      const remedy = 'Ask the user to install it; packages cannot be changed without.';
      throw new PackageError(`${fact} ${remedy}`, ['<R:>'], error);
    });
  if (result.code === 0) return;
  const end = result.code === null ? 'was killed' : `ended with code ${result.code}`;
  throw new PackageError(`${name} ${args.join(' ')} ${end}.\n${findCause(result)}`, ['<R:>']);
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function findCause({ output, errors }: ProgramResult): string {
  const lines = `${output}\n${errors}`.split('\n').filter((line) => /\S/.test(line));
  const useful = lines.filter((line) => !/^npm (notice|warn)|A complete log of this run|^\s*\/.*debug-\d/i.test(line));
  const text = (useful.length > 0 ? useful : lines).join('\n').trim();
  return text.length > LONGEST_CAUSE ? `…${text.slice(-LONGEST_CAUSE)}` : text || 'It gave no reason.';
}
