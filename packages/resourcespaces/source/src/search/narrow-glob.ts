import type { CodeModule } from '../modules/code-module.ts';
import { matchesSegments } from '../modules/segment-pattern.ts';

/** The modules that a dotted pattern matches, sorted. */
export function matchModules(pattern: string, modules: readonly CodeModule[]): readonly CodeModule[] {
  const parts = pattern.split('.');
  return modules.filter(({ name, folder }) => {
    if (matchesSegments(parts, name.split('.'))) return true;
    // A file name that contains dots is still one name.
    const own = name === folder ? '' : name.slice(folder === '' ? 0 : folder.length + 1);
    return own.includes('.') && matchesSegments(parts, [...(folder === '' ? [] : folder.split('.')), own]);
  });
}

/** The leading names of a pattern, without wildcards. */
export function literalPrefix(pattern: string): readonly string[] {
  const parts = pattern.split('.');
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  return wild === -1 ? parts : parts.slice(0, wild);
}

interface ModuleGroup {
  /** `''` for a module that has no further name. */
  readonly name: string;
  readonly modules: readonly CodeModule[];
}

/** Groups modules by their name after so many names, the largest group first. */
export function groupModules(modules: readonly CodeModule[], depth: number): readonly ModuleGroup[] {
  const groups = Map.groupBy(modules, ({ name }) => name.split('.')[depth] ?? '');
  return [...groups]
    .map(([name, modules]) => ({ name, modules }))
    .toSorted((a, b) => b.modules.length - a.modules.length || (a.name < b.name ? -1 : 1));
}

/**
 * A pattern that matches fewer of the modules, and at least one; undefined when there is none.
 *
 * @param matching modules that the pattern matches
 * @param all modules to choose from
 */
export function narrowGlob(
  pattern: string,
  matching: readonly CodeModule[],
  all: readonly CodeModule[],
): string | undefined {
  const known = new Set(matching);
  for (const candidate of listCandidates(pattern, matching)) {
    const fewer = matchModules(candidate, all);
    if (fewer.length > 0 && fewer.length < matching.length && fewer.every((module) => known.has(module)))
      return candidate;
  }
  return undefined;
}

/** Deeper folders first, then the beginnings of names. */
function* listCandidates(pattern: string, matching: readonly CodeModule[]): Generator<string> {
  let prefix = literalPrefix(pattern);
  const rest = pattern.split('.').slice(prefix.length);
  let inside = matching;
  for (;;) {
    const groups = groupModules(inside, prefix.length).filter(({ name }) => name !== '');
    for (const { name } of groups) yield [...prefix, name, ...rest].join('.');
    const [only] = groups;
    if (groups.length !== 1 || only === undefined) break;
    prefix = prefix.concat(only.name);
    inside = only.modules;
  }
  const names = inside.map(({ name }) => name.split('.')[prefix.length] ?? '').filter((name) => name !== '');
  for (const start of listBeginnings(names)) yield [...prefix, `${start}*`].join('.');
}

/** The common beginning of names with one more character of each, the most frequent first. */
function listBeginnings(names: readonly string[]): readonly string[] {
  const [first = ''] = names;
  let common = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, common))) common--;
  const starts = Map.groupBy(names, (name) => first.slice(0, common) + (Array.from(name.slice(common))[0] ?? ''));
  return [...starts].toSorted((a, b) => b[1].length - a[1].length).map(([start]) => start);
}
