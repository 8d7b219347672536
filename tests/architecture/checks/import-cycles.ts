import { importsOf, targetOf } from '../source/imports.ts';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** No file leads back to itself, not even by importing types. */
export function checkImportCycles(repository: Repository): readonly Violation[] {
  const graph = graphOf(repository);
  const done = new Set<string>();
  return [...graph.keys()].flatMap((path) => {
    const cycle = cycleFrom(path, graph, done);
    return cycle === undefined ? [] : [{ path: cycle[0]!, message: `is in an import cycle: ${cycle.join(' > ')}` }];
  });
}

function graphOf(repository: Repository): Graph {
  const modules = modulesOf(repository);
  return new Map(
    modules.map((module) => {
      const targets = importsOf(module).map(({ specifier }) => targetOf(module, specifier));
      return [module.path, targets.filter((target) => target !== undefined)];
    }),
  );
}

/** The first cycle found below a file that was not looked at before; marks all it looked at as done. */
function cycleFrom(start: string, graph: Graph, done: Set<string>): readonly string[] | undefined {
  const trail: { readonly path: string; readonly ahead: string[] }[] = [];
  const enter = (path: string): void => {
    trail.push({ path, ahead: [...(graph.get(path) ?? [])] });
  };
  if (!done.has(start)) enter(start);
  while (trail.length > 0) {
    const { path, ahead } = trail.at(-1)!;
    const next = ahead.shift();
    if (next === undefined) {
      done.add(path);
      trail.pop();
      continue;
    }
    const seenAt = trail.findIndex((step) => step.path === next);
    if (seenAt >= 0) {
      for (const step of trail) done.add(step.path);
      return [...trail.slice(seenAt).map((step) => step.path), next];
    }
    if (!done.has(next)) enter(next);
  }
  return undefined;
}
