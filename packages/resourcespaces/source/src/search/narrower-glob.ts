import type { CodeModule } from '../modules/code-module.ts';
import { groupModules, speltOut } from './group-modules.ts';
import { modulesMatching } from './module-pattern.ts';

/**
 * A pattern that names fewer of the modules found, and at least one; undefined when there is none.
 *
 * @param found modules that the pattern found
 * @param known all modules
 */
export function narrowerGlob(
  pattern: string,
  found: readonly CodeModule[],
  known: readonly CodeModule[],
): string | undefined {
  const all = new Set(found);
  for (const candidate of candidates(pattern, found)) {
    const matching = modulesMatching(candidate, known);
    if (matching.length > 0 && matching.length < found.length && matching.every((module) => all.has(module)))
      return candidate;
  }
  return undefined;
}

/** Deeper folders first, then the beginnings of names. */
function* candidates(pattern: string, found: readonly CodeModule[]): Generator<string> {
  let prefix = speltOut(pattern);
  const rest = pattern.split('.').slice(prefix.length);
  let inside = found;
  for (;;) {
    const groups = groupModules([...prefix, '**'].join('.'), inside).filter(({ name }) => name !== '');
    for (const { name } of groups) yield [...prefix, name, ...rest].join('.');
    const [only] = groups;
    if (groups.length !== 1 || only === undefined) break;
    prefix = prefix.concat(only.name);
    inside = only.modules;
  }
  const names = inside.map(({ name }) => name.split('.')[prefix.length] ?? '').filter((name) => name !== '');
  for (const start of beginnings(names)) yield [...prefix, `${start}*`].join('.');
}

/** What names begin with, one character longer than what they all begin with; the most frequent first. */
function beginnings(names: readonly string[]): readonly string[] {
  const [first = ''] = names;
  let common = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, common))) common--;
  const counts = new Map<string, number>();
  for (const name of names) {
    const start = first.slice(0, common) + (Array.from(name.slice(common))[0] ?? '');
    counts.set(start, (counts.get(start) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([start]) => start);
}
