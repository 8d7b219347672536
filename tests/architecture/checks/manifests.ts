import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';
import { CORE_DEPENDENCIES } from './package-imports.ts';

const CORE = 'packages/core/package.json';
const SHARED: ReadonlySet<string> = new Set(['@bae/core', 'zod', 'reflect-metadata']);

interface Manifest {
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Core depends on three packages; everybody else shares core's one copy of them as a peer. */
export function checkManifests(repository: Repository): readonly Violation[] {
  return repository.files
    .filter(({ path }) => /^packages\/.*package\.json$/.test(path))
    .flatMap(({ path, text }) => {
      const names = Object.keys((JSON.parse(text) as Manifest).dependencies ?? {}).toSorted();
      return path === CORE ? checkCore(names) : checkOther(path, names);
    });
}

function checkCore(names: readonly string[]): readonly Violation[] {
  if (names.join() === CORE_DEPENDENCIES.toSorted().join()) return [];
  return [{ path: CORE, message: `depends on ${names.join(', ')}; exactly ${CORE_DEPENDENCIES.join(', ')} are meant` }];
}

function checkOther(path: string, names: readonly string[]): readonly Violation[] {
  return names
    .filter((name) => SHARED.has(name))
    .map((name) => ({ path, message: `depends on ${name}; make it a peer dependency, so that there is one copy` }));
}
