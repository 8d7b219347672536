import type { ToolContext, ToolOutput } from '@bae/core';
import { formatQuantity, formatPath } from '@bae/workspace';
import { createAddressError } from '../address/resolve-address.ts';
import { translatePath } from '../address/translate-path.ts';
import type { CodeCatalog, CodeFolder, CodeModule } from '../modules/code-catalog.ts';
import type { ArgsOf } from '../params.ts';
import { fitsResult } from '../read/paging.ts';
import { listModulesIn } from '../read/read-target.ts';
import { matchesSegments } from '../modules/find-packages.ts';

const MOST_GROUPS = 12;

/**
 * The names of modules that match a dotted pattern, or, when they are too many, where they are. Code gets all names.
 *
 * @throws ResourceError for a pattern of paths, with the dotted one
 */
export function globModules(
  catalog: CodeCatalog,
  { pattern, every }: ArgsOf<'glob'>,
  context: ToolContext,
): ToolOutput {
  const { tag, definition } = context;
  if (/[/\\]/.test(pattern.replaceAll(/\[[^\]]*\]/g, ''))) {
    const fact = `use module notation: '${formatPath(pattern)}' contains a path separator`;
    const expected = 'names with dots between them, * for a part of one, ** for any number';
    const tags = [`<G:${translatePattern(pattern, catalog)}>`];
    throw createAddressError({ address: pattern, definition }, fact, { expected, tags });
  }
  const known = catalog.modules.filter(({ declares }) => every || !declares);
  const matching = matchModules(pattern, known);
  const output = { format: 'plain', rows: matching.length } as const;
  if (matching.length === 0) return { ...output, text: describeNoMatch(pattern, catalog, tag), whole: () => [] };
  const list = matching.map(({ name }) => name);
  const names = list.join('\n');
  const whole = () => list;
  if (fitsResult(names, context)) return { ...output, text: names, whole };
  const next = narrowGlob(pattern, matching, known);
  const narrow = next === undefined ? '' : `  Narrow: ${tag(`<G:${next}>`)}`;
  const groups = groupModules(matching, takeLiteralPrefix(pattern).length);
  const counts = groups.slice(0, MOST_GROUPS).map(({ name, modules }) => {
    // A module that ends where the wildcards begin has no further name.
    const label = name === '' ? (modules[0] as CodeModule).name : name;
    return modules.length === 1 ? label : `${label} (${modules.length})`;
  });
  const more = groups.length > MOST_GROUPS ? `, and ${groups.length - MOST_GROUPS} more` : '';
  const total = formatQuantity(matching.length, 'module');
  return { ...output, text: `${pattern} ${total}: ${counts.join(', ')}${more}${narrow}`, whole };
}

/** The innermost folder that a pattern names: how many modules it has, and the tag that lists them. */
function describeNoMatch(pattern: string, catalog: CodeCatalog, tag: ToolContext['tag']): string {
  const prefix = [...takeLiteralPrefix(pattern)];
  while (prefix.length > 0 && catalog.folder(prefix.join('.')) === undefined) prefix.pop();
  const name = prefix.join('.');
  const where = name === '' ? 'the project' : name;
  const modules = listModulesIn(catalog.folder(name) as CodeFolder, true);
  if (modules.length === 0) return `(no matches)\n${where} has no modules.`;
  const all = modules.every(({ declares }) => declares) ? ' every=true' : '';
  const call = `<G:${name === '' ? '' : `${name}.`}**${all}>`;
  return `(no matches)\n${where} has ${formatQuantity(modules.length, 'module')}. Try: ${tag(call)}`;
}

/** `core.**` for `packages/core/src/**.ts`: the folder without wildcards as an address, then the rest with dots. */
function translatePattern(pattern: string, catalog: CodeCatalog): string {
  const parts = pattern
    .replaceAll('\\', '/')
    .replace(/\.(?:\{[^}]*\}|\[[^\]]*\][a-z]*|[cm]?[jt]sx?|\*)$/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const wild = parts.findIndex((part) => /[*?{[]/.test(part));
  const literal = parts.slice(0, wild === -1 ? parts.length : wild);
  const folder = literal.length === 0 ? '' : (translatePath(literal.join('/'), catalog) ?? literal.join('.'));
  const rest = wild === -1 ? [] : parts.slice(wild);
  const names = rest.filter((part, index) => part !== '*' || rest[index - 1] !== '**');
  return [folder, ...names].filter((part) => part !== '').join('.') || '**';
}

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

function takeLiteralPrefix(pattern: string): readonly string[] {
  const parts = pattern.split('.');
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  return wild === -1 ? parts : parts.slice(0, wild);
}

/** Groups modules by the name at a depth, `''` where there is none; the largest group comes first. */
function groupModules(modules: readonly CodeModule[], depth: number) {
  return [...Map.groupBy(modules, ({ name }) => name.split('.')[depth] ?? '')]
    .map(([name, modules]) => ({ name, modules }))
    .toSorted((a, b) => b.modules.length - a.modules.length || (a.name < b.name ? -1 : 1));
}

/** A pattern that matches at least one of the matching modules, but not all of them, and no other; if there is one. */
export function narrowGlob(
  pattern: string,
  matching: readonly CodeModule[],
  all: readonly CodeModule[],
): string | undefined {
  const known = new Set(matching);
  for (const candidate of listNarrowerGlobs(pattern, matching)) {
    const fewer = matchModules(candidate, all);
    if (fewer.length > 0 && fewer.length < matching.length && fewer.every((module) => known.has(module)))
      return candidate;
  }
  return undefined;
}

/** Deeper folders first, then the beginnings of names. */
function* listNarrowerGlobs(pattern: string, matching: readonly CodeModule[]): Generator<string> {
  let prefix = takeLiteralPrefix(pattern);
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
