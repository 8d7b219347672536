import { inject, ResourceError, resourcespace, tool, type Resourcespace, type ToolContext } from '@bae/core';
import { WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { changeDependencies } from './change-dependencies.ts';
import { readDependency, showDependency } from './dependency-name.ts';
import { installedVersion, LISTS, readDependencies, type DependencyManifest } from './dependency-list.ts';
import { findPackageFolder } from './find-package.ts';
import { findPackageManager } from './package-manager.ts';

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
    version: z.string().optional().describe('Version or range; default the newest'),
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
    return `${manifest.name}: ${summary(manifest)} (${name})`;
  }

  @tool({ description: 'Dependencies with the version asked for and the one installed.', params: PARAMS.read })
  async read({ filter, package: name }: z.output<typeof PARAMS.read>) {
    const folder = await findPackageFolder(this.#root, name);
    const manifest = await readDependencies(this.#root, folder);
    const found = manifest.dependencies.filter((one) => one.name.includes(filter));
    if (found.length === 0 && filter !== '') throw nothing(manifest, filter);
    const groups = LISTS.map((list) => ({ list, rows: found.filter((one) => one.list === list) }));
    const blocks = groups
      .filter(({ rows }) => rows.length > 0)
      .map(async ({ list, rows }) => {
        const lines = rows.map(async ({ name: one, wanted }) => {
          const installed = await installedVersion(this.#root, folder, one);
          return `  ${one} ${wanted}${installed === undefined ? ', not installed' : ` -> ${installed}`}`;
        });
        return [`${list} (${rows.length})`, ...(await Promise.all(lines))].join('\n');
      });
    const text = [`${manifest.name}: ${summary(manifest)}`, ...(await Promise.all(blocks))].join('\n');
    return { text, format: 'plain' as const, rows: found.length };
  }

  @tool({
    description: 'The version that was added. Adds a package with the package manager of the project.',
    params: PARAMS.write,
    body: 'version',
    effect: 'external',
    timeoutMs: LIMIT_MS,
  })
  async write(args: z.output<typeof PARAMS.write>, { signal }: ToolContext) {
    const { package: name, dev, version: range = '' } = args;
    const wanted = readDependency(range.trim() === '' ? args.dependency : `${args.dependency}@${range.trim()}`);
    const folder = await findPackageFolder(this.#root, name);
    const manager = await this.#manager();
    const order = { verb: 'add', dependency: showDependency(wanted), dev, folder } as const;
    await changeDependencies(this.#root, { manager, order }, signal);
    const after = await readDependencies(this.#root, folder);
    const added = after.dependencies.find((one) => one.name === wanted.name);
    const version = (await installedVersion(this.#root, folder, wanted.name)) ?? added?.wanted ?? '';
    const list = added?.list ?? (dev ? 'devDependencies' : 'dependencies');
    return `Added ${wanted.name} ${version} to the ${list} of ${after.name} with ${manager.name}; its scripts were not run.`;
  }

  @tool({
    description: 'What was removed. Removes a package with the package manager of the project.',
    params: PARAMS.remove,
    effect: 'external',
    timeoutMs: LIMIT_MS,
  })
  async remove({ dependency: text, package: name }: z.output<typeof PARAMS.remove>, { signal }: ToolContext) {
    const { name: unwanted } = readDependency(text);
    const folder = await findPackageFolder(this.#root, name);
    const manifest = await readDependencies(this.#root, folder);
    const there = manifest.dependencies.find((one) => one.name === unwanted);
    if (there === undefined) throw nothing(manifest, unwanted);
    const manager = await this.#manager();
    const order = { verb: 'remove', dependency: unwanted, dev: false, folder } as const;
    await changeDependencies(this.#root, { manager, order }, signal);
    return `Removed ${unwanted} ${there.wanted} from the ${there.list} of ${manifest.name} with ${manager.name}.`;
  }

  /** The whole project has one package manager. */
  async #manager() {
    const { packageManager } = await readDependencies(this.#root, '');
    return findPackageManager(this.#root, packageManager);
  }
}

function summary({ dependencies }: DependencyManifest): string {
  const counts = LISTS.map((list) => ({ list, count: dependencies.filter((one) => one.list === list).length }));
  const shown = counts
    .filter(({ count }) => count > 0)
    .map(({ list, count }) => `${count} ${count === 1 ? list.replace(/ies$/, 'y') : list}`);
  return shown.length === 0 ? 'no dependencies' : shown.join(', ');
}

function nothing({ name, dependencies }: DependencyManifest, wanted: string): ResourceError {
  const total = dependencies.length === 1 ? '1 dependency' : `${dependencies.length} dependencies`;
  return new ResourceError(`${name} does not depend on '${wanted}'. It has ${total}.`, ['<R:>']);
}
