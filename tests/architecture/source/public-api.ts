import { posix } from 'node:path';
import { exportsOf, type Export } from './exports.ts';
import { targetOf } from './imports.ts';
import { modulesOf, type Module } from './module.ts';
import type { Repository } from './repository.ts';

/** One entry of a published package, and the names that can be imported from it. */
export interface Entry {
  /** What one writes: `@bae/core`, `@bae/core/pipeline`. */
  readonly specifier: string;
  readonly names: readonly PublicName[];
}

export interface PublicName {
  readonly name: string;
  readonly kind: string;
}

/** A package that is not private, by its folder. */
export interface PublishedPackage {
  readonly folder: string;
  readonly entries: readonly Entry[];
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | { readonly default: string }>>;
}

/** The packages others can install, with everything they can import. */
export function publishedPackages(repository: Repository): readonly PublishedPackage[] {
  const modules = new Map(modulesOf(repository).map((module) => [module.path, module]));
  return repository.files
    .filter(({ path }) => /^packages\/.*package\.json$/.test(path))
    .map(({ path, text }) => ({ folder: posix.dirname(path), manifest: JSON.parse(text) as Manifest }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest }) => ({ folder, entries: entriesOf(folder, manifest, modules) }));
}

function entriesOf(folder: string, manifest: Manifest, modules: ReadonlyMap<string, Module>): readonly Entry[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([key, target]) => {
    const built = typeof target === 'string' ? target : target.default;
    const source = modules.get(posix.join(folder, built.replace('./dist/', './src/').replace(/\.js$/, '.ts')));
    if (source === undefined) return [];
    const names = exportsOf(source).map((one) => ({ name: one.name, kind: kindOf(source, one, modules) }));
    return [{ specifier: posix.join(manifest.name, key), names: names.toSorted((a, b) => compare(a.name, b.name)) }];
  });
}

/** Follows a name to where it is declared. */
function kindOf(module: Module, one: Export, modules: ReadonlyMap<string, Module>): string {
  if (one.kind !== undefined) return one.kind;
  const path = one.from === undefined ? undefined : targetOf(module, one.from);
  if (path === undefined) return `from ${one.from}`;
  const target = modules.get(path);
  const origin = target && exportsOf(target).find(({ name }) => name === one.local);
  return target && origin ? kindOf(target, origin, modules) : 'missing';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
