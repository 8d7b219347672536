import { ResourceError, type ToolContext, type ToolOutput } from '@bae/core';
import { counted, showPath } from '@bae/workspace';
import { units } from '@bae/core/pipeline';
import { translatePath } from '../address/translate-path.ts';
import { complaint } from '../address/usage.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeFolder, CodeModule } from '../modules/code-module.ts';
import { modulesIn } from '../read/folder-counts.ts';
import { ANSWER_CAP } from '../read/page-rows.ts';
import { groupModules } from './group-modules.ts';
import { modulesMatching } from './module-pattern.ts';
import { narrowerGlob } from './narrower-glob.ts';

/** Groups that are named when there are too many modules to list. */
const MOST_GROUPS = 12;

/** Which modules to list. */
export interface GlobRequest {
  readonly pattern: string;
  /** True to list files that only declare types. */
  readonly all: boolean;
}

/**
 * The names of modules that match a dotted pattern, or, when they are too many, where they are. Code gets all names.
 *
 * @throws ResourceError for a pattern of paths, with the dotted one
 */
export function globModules(catalog: CodeCatalog, { pattern, all }: GlobRequest, { tag }: ToolContext): ToolOutput {
  refusePaths(pattern, catalog);
  const known = catalog.modules.filter(({ declares }) => all || !declares);
  const found = modulesMatching(pattern, known);
  const output = { format: 'plain', rows: found.length } as const;
  if (found.length === 0) return { ...output, text: nothing(pattern, catalog, tag), whole: () => '' };
  const names = found.map(({ name }) => name).join('\n');
  const text =
    units(names) <= ANSWER_CAP ? names : `${counts(pattern, found)}${narrower(pattern, { found, known, tag })}`;
  return { ...output, text, whole: () => names };
}

interface Narrowing {
  readonly found: readonly CodeModule[];
  readonly known: readonly CodeModule[];
  readonly tag: ToolContext['tag'];
}

function narrower(pattern: string, { found, known, tag }: Narrowing): string {
  const next = narrowerGlob(pattern, found, known);
  return next === undefined ? '' : `  Narrow: ${tag(`<G:${next}>`)}`;
}

function counts(pattern: string, found: readonly CodeModule[]): string {
  const groups = groupModules(pattern, found);
  const named = groups.slice(0, MOST_GROUPS).map(({ name, modules }) => {
    // What ends where the pattern begins to expand has no further name.
    const shown = name === '' ? (modules[0] as CodeModule).name : name;
    return modules.length === 1 ? shown : `${shown} (${modules.length})`;
  });
  const more = groups.length > MOST_GROUPS ? `, and ${groups.length - MOST_GROUPS} more` : '';
  return `${pattern} ${counted(found.length, 'module')}: ${named.join(', ')}${more}`;
}

function nothing(pattern: string, catalog: CodeCatalog, tag: ToolContext['tag']): string {
  const steps = pattern.split('.');
  const wild = steps.findIndex((step) => /[*?]/.test(step));
  const prefix = steps.slice(0, wild === -1 ? steps.length : wild);
  for (let count = prefix.length; count >= 0; count--) {
    const folder = catalog.folder(prefix.slice(0, count).join('.'));
    if (folder === undefined) continue;
    return `(no matches)\n${whatIsIn(folder, tag)}`;
  }
  return '(no matches)';
}

/** How many modules a folder has, and the tag that lists them, if there are any to list. */
function whatIsIn(folder: CodeFolder, tag: ToolContext['tag']): string {
  const where = folder.name === '' ? 'the project' : folder.name;
  const deeper = `${folder.name === '' ? '' : `${folder.name}.`}**`;
  const modules = modulesIn(folder, true);
  if (modules.length === 0) return `${where} has no modules.`;
  const more = modules.every(({ declares }) => declares) ? ' all=true' : '';
  return `${where} has ${counted(modules.length, 'module')}. Try: ${tag(`<G:${deeper}${more}>`)}`;
}

function refusePaths(pattern: string, catalog: CodeCatalog): void {
  const bare = pattern.replaceAll(/\[[^\]]*\]/g, '');
  if (!/[/\\]/.test(bare)) return;
  const dotted = dottedPattern(pattern, catalog);
  const fact = `use module notation: '${showPath(pattern)}' contains a path separator`;
  const use = { address: pattern, verb: 'glob' } as const;
  throw new ResourceError(
    complaint(use, fact, { expected: 'names with dots between them, * for a part of one, ** for any number' }),
    [`<G:${dotted}>`],
  );
}

/** `core.**` of `packages/core/src/**.ts`: the folder that is spelt out as an address, then the rest with dots. */
function dottedPattern(pattern: string, catalog: CodeCatalog): string {
  const parts = pattern
    .replaceAll('\\', '/')
    .replace(/\.(?:\{[^}]*\}|\[[^\]]*\][a-z]*|[cm]?[jt]sx?|\*)$/, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const wild = parts.findIndex((part) => /[*?{[]/.test(part));
  const spelt = parts.slice(0, wild === -1 ? parts.length : wild);
  const folder = spelt.length === 0 ? '' : (translatePath(spelt.join('/'), catalog) ?? spelt.join('.'));
  const rest =
    wild === -1 ? [] : parts.slice(wild).filter((part, index) => part !== '*' || index > 0 || parts[wild] !== '**');
  const names = rest.filter((part, index) => !(part === '*' && rest[index - 1] === '**'));
  return [folder, ...names].filter((part) => part !== '').join('.') || '**';
}
