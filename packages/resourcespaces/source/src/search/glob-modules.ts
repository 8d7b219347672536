import { ResourceError, type ToolContext, type ToolOutput } from '@bae/core';
import { countUnits } from '@bae/core/pipeline';
import { formatCount, formatPath } from '@bae/workspace';
import { complaint } from '../address/address-problem.ts';
import { translatePath } from '../address/translate-path.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeFolder, CodeModule } from '../modules/code-module.ts';
import type { ArgsOf } from '../params.ts';
import { RESULT_LIMIT } from '../read/paging.ts';
import { listModules } from '../read/read-module.ts';
import { groupModules, literalPrefix, matchModules, narrowGlob } from './narrow-glob.ts';

const MOST_GROUPS = 12;

/**
 * The names of modules that match a dotted pattern, or, when they are too many, where they are. Code gets all names.
 *
 * @throws ResourceError for a pattern of paths, with the dotted one
 */
export function globModules(catalog: CodeCatalog, { pattern, all }: ArgsOf<'glob'>, { tag }: ToolContext): ToolOutput {
  refusePaths(pattern, catalog);
  const known = catalog.modules.filter(({ declares }) => all || !declares);
  const matching = matchModules(pattern, known);
  const output = { format: 'plain', rows: matching.length } as const;
  if (matching.length === 0) return { ...output, text: describeNoMatch(pattern, catalog, tag), whole: () => '' };
  const names = matching.map(({ name }) => name).join('\n');
  if (countUnits(names) <= RESULT_LIMIT) return { ...output, text: names, whole: () => names };
  const next = narrowGlob(pattern, matching, known);
  const narrow = next === undefined ? '' : `  Narrow: ${tag(`<G:${next}>`)}`;
  return { ...output, text: `${countGroups(pattern, matching)}${narrow}`, whole: () => names };
}

function countGroups(pattern: string, matching: readonly CodeModule[]): string {
  const groups = groupModules(matching, literalPrefix(pattern).length);
  const counts = groups.slice(0, MOST_GROUPS).map(({ name, modules }) => {
    // A module that ends where the wildcards begin has no further name.
    const label = name === '' ? (modules[0] as CodeModule).name : name;
    return modules.length === 1 ? label : `${label} (${modules.length})`;
  });
  const more = groups.length > MOST_GROUPS ? `, and ${groups.length - MOST_GROUPS} more` : '';
  return `${pattern} ${formatCount(matching.length, 'module')}: ${counts.join(', ')}${more}`;
}

function describeNoMatch(pattern: string, catalog: CodeCatalog, tag: ToolContext['tag']): string {
  const prefix = literalPrefix(pattern);
  for (let count = prefix.length; count >= 0; count--) {
    const folder = catalog.folder(prefix.slice(0, count).join('.'));
    if (folder !== undefined) return `(no matches)\n${describeFolder(folder, tag)}`;
  }
  return '(no matches)';
}

/** How many modules a folder has, and the tag that lists them, if there are any to list. */
function describeFolder(folder: CodeFolder, tag: ToolContext['tag']): string {
  const where = folder.name === '' ? 'the project' : folder.name;
  const modules = listModules(folder, true);
  if (modules.length === 0) return `${where} has no modules.`;
  const all = modules.every(({ declares }) => declares) ? ' all=true' : '';
  const call = `<G:${folder.name === '' ? '' : `${folder.name}.`}**${all}>`;
  return `${where} has ${formatCount(modules.length, 'module')}. Try: ${tag(call)}`;
}

function refusePaths(pattern: string, catalog: CodeCatalog): void {
  const bare = pattern.replaceAll(/\[[^\]]*\]/g, '');
  if (!/[/\\]/.test(bare)) return;
  const fact = `use module notation: '${formatPath(pattern)}' contains a path separator`;
  const expected = 'names with dots between them, * for a part of one, ** for any number';
  throw new ResourceError(complaint({ address: pattern, verb: 'glob' }, fact, { expected }), [
    `<G:${translatePattern(pattern, catalog)}>`,
  ]);
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
