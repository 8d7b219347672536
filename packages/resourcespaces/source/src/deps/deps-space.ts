import { join, posix } from 'node:path';
import {
  type Change,
  inject,
  ParameterError,
  ResourceError,
  resourcespace,
  type Resourcespace,
  tool,
  type ToolOutput,
} from '@bae/core';
import {
  findInstalled,
  findManagerOf,
  findPackageFolder,
  findPackageManager,
  listManagerPrograms,
  listMissingPackages,
  listUnlinked,
  type PackageManager,
  type ProgramResult,
  runProgram,
} from '@bae/project';
import { FileNotFoundError, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { PackageError } from '../errors.ts';
import { inPackage } from '../params.ts';

const LIMIT_MS = 5 * 60 * 1000;
const INSTALL_LIMIT_MS = 15 * 60 * 1000;

const change = () =>
  z.object({
    dependency: z.string().meta({ description: 'Name, perhaps with a version', examples: ['zod@^4.0.0'] }),
    package: inPackage(),
  });

const PARAMS = {
  read: () =>
    z.object({
      filter: z
        .string()
        .default('')
        .meta({ description: 'Part of a name', examples: [''] }),
      package: inPackage(),
    }),
  write: () =>
    change().extend({
      dev: z.boolean().default(false).describe('Only for development'),
      version: z
        .string()
        .optional()
        .meta({ description: 'Version or range; default the newest', examples: [''] }),
    }),
  remove: change,
  install: () => z.object({ package: inPackage() }),
} as const;

/** The dependencies of a project, and its package manager. */
@resourcespace({ name: 'deps', description: 'Dependencies.' })
export class DepsSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#root = root;
  }

  async enter(): Promise<string> {
    const manifest = await readDependencies(this.#root, '');
    const { name } = await findPackageManager(this.#root, manifest.packageManager);
    const missing = await listMissingPackages(this.#root, '');
    const advice = missing.length === 0 ? '' : `. ${missing.length} not installed: <install:>`;
    return `${manifest.name}: ${summarizeLists(manifest)} (${name})${advice}`;
  }

  @tool({ description: 'Dependencies: the version asked for, and the one installed.', params: PARAMS.read })
  async read({ filter, package: name }: z.output<ReturnType<typeof PARAMS.read>>): Promise<ToolOutput> {
    const folder = await findPackageFolder(this.#root, name);
    const manifest = await readDependencies(this.#root, folder);
    const matching = manifest.dependencies.filter((one) => one.name.includes(filter));
    if (matching.length === 0 && filter !== '') throw createUnknownError(manifest, filter);
    const blocks = [...Map.groupBy(matching, ({ list }) => list)].map(async ([list, rows]) => {
      const lines = rows.map(async ({ name, wanted }) => {
        const installed = await findInstalled(this.#root, folder, name);
        return `  ${name} ${wanted}${installed === undefined ? ', not installed' : ` -> ${installed}`}`;
      });
      return [`${list} (${rows.length})`, ...(await Promise.all(lines))].join('\n');
    });
    const text = [`${manifest.name}: ${summarizeLists(manifest)}`, ...(await Promise.all(blocks))].join('\n');
    return { text, format: 'plain', rows: matching.length };
  }

  @tool({
    description: 'The version of a package, added by the package manager.',
    params: PARAMS.write,
    body: 'version',
    effect: 'external',
    timeoutMs: LIMIT_MS,
    plan: true,
  })
  async write(args: z.output<ReturnType<typeof PARAMS.write>>): Promise<Change> {
    const { dev } = args;
    const range = args.version?.trim() ?? '';
    const { name, spec: written } = parseDependency(args.dependency);
    // A version of its own counts more than one after the name.
    const { spec } = range === '' ? { spec: written } : parseDependency(`${name}@${range}`);
    const folder = await findPackageFolder(this.#root, args.package);
    const change = { verb: 'add', dependency: spec, dev, folder } as const;
    return this.#plan(change, async (manager) => {
      const after = await readDependencies(this.#root, folder);
      const added = after.dependencies.find((one) => one.name === name);
      const version = (await findInstalled(this.#root, folder, name)) ?? added?.wanted ?? '';
      const list = added?.list ?? (dev ? 'devDependencies' : 'dependencies');
      return `Added ${name} ${version} to the ${list} of ${after.name} with ${manager}; its scripts were not run.`;
    });
  }

  @tool({
    description: 'The package, removed by the package manager.',
    params: PARAMS.remove,
    effect: 'external',
    timeoutMs: LIMIT_MS,
    plan: true,
  })
  async remove(args: z.output<ReturnType<typeof PARAMS.remove>>): Promise<Change> {
    const { name } = parseDependency(args.dependency);
    const folder = await findPackageFolder(this.#root, args.package);
    const manifest = await readDependencies(this.#root, folder);
    const dependency = manifest.dependencies.find((one) => one.name === name);
    if (dependency === undefined) throw createUnknownError(manifest, name);
    const { wanted, list } = dependency;
    const change = { verb: 'remove', dependency: name, dev: false, folder } as const;
    return this.#plan(
      change,
      (manager) => `Removed ${name} ${wanted} from the ${list} of ${manifest.name} with ${manager}.`,
    );
  }

  @tool({
    description: 'The packages that package.json names, installed by the package manager.',
    params: PARAMS.install,
    effect: 'external',
    timeoutMs: INSTALL_LIMIT_MS,
    plan: true,
  })
  async install({ package: name }: z.output<ReturnType<typeof PARAMS.install>>): Promise<Change> {
    const folder = await findPackageFolder(this.#root, name);
    const manifest = await readDependencies(this.#root, folder);
    const before = await listMissingPackages(this.#root, folder);
    const change = { verb: 'install', dependency: '', dev: false, folder } as const;
    return this.#plan(change, async (manager) => {
      const missing = await listMissingPackages(this.#root, folder);
      const count = before.filter((one) => !missing.includes(one)).length;
      const left = missing.length === 0 ? '' : ` Still not installed: ${missing.join(', ')}.`;
      const done = `Installed the packages of ${manifest.name} with ${manager}, ${count} that it names ${count === 1 ? 'was' : 'were'} missing`;
      return `${done}; their scripts were not run.${left}`;
    });
  }

  /** Plans a change by the package manager, in the folder of the package. */
  async #plan(change: DependencyChange, describe: (manager: string) => string | Promise<string>): Promise<Change> {
    const manager = await findManagerOf(this.#root, change.folder);
    const command = [manager.name, ...listManagerArguments(manager, change)].join(' ');
    const shown = change.folder === '' ? command : `${command} (in ${change.folder})`;
    const settings = await listManagerPrograms(this.#root, ['', change.folder]);
    const manifest = { path: posix.join(change.folder, 'package.json') };
    const alone = manager.isAlone === true ? await this.#describeAlone(change.folder, manager) : [];
    return {
      touches: [...(change.verb === 'install' ? [] : [manifest]), { path: manager.lockfile }, { outside: command }],
      preview: () =>
        [shown, ...settings.map((setting) => `  ${setting}`), ...alone.map((line) => `  ${line}`)].join('\n'),
      apply: async ({ signal, output }) => {
        const before = await this.#readLockfile(manager);
        await changeDependencies(this.#root, { manager, change, output }, signal).catch((error: unknown) => {
          if (!(error instanceof PackageError) || alone.length === 0) throw error;
          throw new PackageError([error.message, ...alone].join('\n'), error.hints, error);
        });
        const after = await this.#readLockfile(manager);
        const isNew = before === undefined && after !== undefined;
        const hasChanged = change.verb === 'install' && before !== after;
        const fate = isNew ? ` ${manager.lockfile} is new.` : hasChanged ? ` ${manager.lockfile} has changed.` : '';
        return [`${await describe(manager.name)}${fate}`, ...alone].join('\n');
      },
    };
  }

  /** Says where a package is installed that does not belong to the workspaces of the root, and what it gets from elsewhere. */
  async #describeAlone(folder: string, { name }: PackageManager): Promise<readonly string[]> {
    const unlinked = await listUnlinked(this.#root, folder);
    const fact = `${folder} is installed by itself, into its own node_modules.`;
    if (unlinked.length === 0) return [fact];
    const links = unlinked.map((one) => `${one.name} comes from the registry, not from ${one.folder}`);
    const list = JSON.stringify([folder, ...unlinked.map((one) => one.folder)]);
    const setting =
      name === 'pnpm' ? `packages: ${list} in pnpm-workspace.yaml` : `"workspaces": ${list} in package.json`;
    return [`${fact} ${links.join(', ')}. To link them: ${setting}, and an install at the root.`];
  }

  /** Returns undefined for a lockfile that is missing or no text. */
  async #readLockfile({ lockfile }: PackageManager): Promise<string | undefined> {
    return this.#root.readText(lockfile).then(
      ({ text }) => text,
      () => undefined,
    );
  }
}

function summarizeLists({ dependencies }: DependencyManifest): string {
  const counts = LISTS.flatMap((list) => {
    const count = dependencies.filter((one) => one.list === list).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? list.replace(/ies$/, 'y') : list}`];
  });
  return counts.join(', ') || 'no dependencies';
}

function createUnknownError({ name, dependencies }: DependencyManifest, wanted: string): ResourceError {
  const total = dependencies.length === 1 ? '1 dependency' : `${dependencies.length} dependencies`;
  return new ResourceError(`${name} does not depend on '${wanted}'. It has ${total}.`, ['<R:>']);
}

const LISTS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

interface ListedDependency {
  readonly list: (typeof LISTS)[number];
  readonly name: string;
  /** Version range as in package.json: `^1.2.0`. */
  readonly wanted: string;
}

interface DependencyManifest {
  readonly name: string;
  readonly packageManager: unknown;
  readonly dependencies: readonly ListedDependency[];
}

async function readDependencies(root: WorkspaceRoot, folder: string): Promise<DependencyManifest> {
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
    const message = `package.json cannot be read: ${error.message}. Fix it: <home.R:package.json>`;
    throw new ResourceError(message, ['@home()'], error);
  }
}

const NAME = String.raw`(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*`;
const DEPENDENCY = new RegExp(`^(${NAME})(?:@([\\w.^~<>=|* +-]+))?$`, 'i');
const LONGEST_NAME = 214;

/** Parses `zod`, `@scope/name@^4.0.0`; refuses URLs, folders, and anything that is an option of a package manager. */
function parseDependency(text: string): { readonly name: string; readonly spec: string } {
  const [, name, version] = DEPENDENCY.exec(text.trim()) ?? [];
  if (name === undefined || name.length > LONGEST_NAME) {
    const fact = `'${text.trim().slice(0, 60)}' is not a package. A package is a name in the registry, perhaps with a version.`;
    throw new ParameterError(`${fact} Folders and addresses are added by hand.`, ['<W:zod>', '<W:zod@^4.0.0>']);
  }
  return { name, spec: version === undefined ? name : `${name}@${version.trim()}` };
}

interface DependencyChange {
  readonly verb: 'add' | 'remove' | 'install';
  /** Package specifier for the package manager: `zod@^4.0.0`; empty for what package.json names. */
  readonly dependency: string;
  readonly dev: boolean;
  /** Folder of the package, relative to the root; empty for the root. */
  readonly folder: string;
}

const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund'];
/** Option that allows adding a package to the root of a workspace, since the call named the root. */
const AT_ROOT = '--ignore-workspace-root-check';
/** Option of pnpm that keeps a package out of the workspace around it. */
const ALONE = '--ignore-workspace';
const ENVIRONMENT = { YARN_ENABLE_SCRIPTS: 'false', npm_config_ignore_scripts: 'true' } as const;
const LONGEST_CAUSE = 1200;

/**
 * Lists the arguments for a change. Scripts of packages never run: consent to add a package is not consent to run it.
 */
export function listManagerArguments(
  { name, version, isAlone }: Pick<PackageManager, 'name' | 'version' | 'isAlone'>,
  { verb, dependency, dev }: Omit<DependencyChange, 'folder'>,
): string[] {
  const add = verb === 'add';
  const saveDev = add && dev ? ['--save-dev'] : [];
  const devFlag = add && dev ? ['--dev'] : [];
  const named = dependency === '' ? [] : [dependency];
  switch (name) {
    case 'npm':
      return [verb === 'remove' ? 'uninstall' : 'install', ...NPM_FLAGS, ...saveDev, ...named];
    case 'pnpm':
      return [verb, '--ignore-scripts', ...(isAlone ? [ALONE] : add ? [AT_ROOT] : []), ...saveDev, ...named];
    case 'bun':
      return [verb, '--ignore-scripts', ...devFlag, ...named];
    default: {
      // Later versions read the setting from the environment and do not warn about the root.
      const isClassic = version === undefined || version.startsWith('1.');
      const classic = isClassic ? ['--ignore-scripts', ...(verb === 'install' ? [] : [AT_ROOT])] : [];
      return [verb, ...classic, ...devFlag, ...named];
    }
  }
}

interface ChangeRun {
  readonly manager: PackageManager;
  readonly change: DependencyChange;
  readonly output: (text: string) => void;
}

async function changeDependencies(
  root: WorkspaceRoot,
  { manager, change, output }: ChangeRun,
  signal: AbortSignal,
): Promise<void> {
  const { name, version } = manager;
  const args = listManagerArguments(manager, change);
  const run = (command: string, all: readonly string[]) =>
    runProgram(
      {
        command,
        args: all,
        folder: join(root.folder, change.folder),
        project: root.folder,
        environment: ENVIRONMENT,
        onOutput: output,
      },
      signal,
    );
  const result = await run(name, args)
    .catch((error: unknown) => {
      // npm can fetch another package manager, in the version that the project specifies.
      if (!isMissing(error) || name === 'npm') throw error;
      return run('npx', ['--yes', `${name}@${version ?? 'latest'}`, ...args]);
    })
    .catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      const fact = `${name} is not installed, and the project uses it.`;
      const remedy = 'The user can install it; packages cannot be changed without it.';
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
