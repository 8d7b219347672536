import { posix } from 'node:path';
import {
  inject,
  ResourceError,
  resourcespace,
  tool,
  type Change,
  type Resourcespace,
  type ToolOutput,
} from '@bae/core';
import { WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { findPackageFolder } from '../modules/find-packages.ts';
import {
  changeDependencies,
  type DependencyChange,
  type DependencyManifest,
  findInstalled,
  findPackageManager,
  listManagerArguments,
  LISTS,
  parseDependency,
  readDependencies,
} from './dependencies.ts';

const LIMIT_MS = 5 * 60 * 1000;

const inPackage = z.string().default('').describe('Package of the project; default the one at its root');
const dependency = z.string().meta({ description: 'Name, perhaps with a version', examples: ['zod@^4.0.0'] });
const CHANGE = z.object({ dependency, package: inPackage });

const PARAMS = {
  read: z.object({
    filter: z
      .string()
      .default('')
      .meta({ description: 'Part of a name', examples: [''] }),
    package: inPackage,
  }),
  write: CHANGE.extend({
    dev: z.boolean().default(false).describe('Only for development'),
    version: z
      .string()
      .optional()
      .meta({ description: 'Version or range; default the newest', examples: [''] }),
  }),
  remove: CHANGE,
} as const;

/** The packages that a project depends on, and its package manager. */
@resourcespace({ name: 'deps', description: 'Dependencies.' })
export class DepsSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#root = root;
  }

  async enter(): Promise<string> {
    const manifest = await readDependencies(this.#root, '');
    const { name } = await findPackageManager(this.#root, manifest.packageManager);
    return `${manifest.name}: ${summarizeLists(manifest)} (${name})`;
  }

  @tool({ description: 'Dependencies: the version asked for, and the one installed.', params: PARAMS.read })
  async read({ filter, package: name }: z.output<typeof PARAMS.read>): Promise<ToolOutput> {
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
  async write(args: z.output<typeof PARAMS.write>): Promise<Change> {
    const { package: inPackage, dev } = args;
    const range = args.version?.trim() ?? '';
    const { name, spec } = parseDependency(range === '' ? args.dependency : `${args.dependency}@${range}`);
    const folder = await findPackageFolder(this.#root, inPackage);
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
  async remove(args: z.output<typeof PARAMS.remove>): Promise<Change> {
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

  /** Plans a change by the package manager, of which the whole project has one. */
  async #plan(change: DependencyChange, describe: (manager: string) => string | Promise<string>): Promise<Change> {
    const { packageManager } = await readDependencies(this.#root, '');
    const manager = await findPackageManager(this.#root, packageManager);
    const command = [manager.name, ...listManagerArguments(manager, change)].join(' ');
    return {
      touches: [{ path: posix.join(change.folder, 'package.json') }, { outside: command }],
      preview: () => (change.folder === '' ? command : `${command} (in ${change.folder})`),
      apply: async ({ signal }) => {
        await changeDependencies(this.#root, { manager, change }, signal);
        return describe(manager.name);
      },
    };
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
