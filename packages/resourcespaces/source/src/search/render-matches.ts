import type { ToolContext } from '@bae/core';
import { countUnits } from '@bae/core/pipeline';
import { formatCount, createTooManyMatchesError, type GrepRow } from '@bae/workspace';
import type { CodeModule } from '../modules/code-module.ts';
import { RESULT_LIMIT } from '../read/paging.ts';

/** The result of a search of modules. */
export interface ModuleMatches {
  /** The first matching lines of modules. */
  readonly groups: ReadonlyMap<CodeModule, readonly GrepRow[]>;
  /** For code: all of them; absent when there are more than it can have at once. */
  readonly all?: ReadonlyMap<CodeModule, readonly GrepRow[]>;
  /** Matching lines in all. */
  readonly matches: number;
  /** Modules with a match. */
  readonly modules: number;
}

/** What was searched. */
interface Searched {
  readonly pattern: string;
  /** Address of what was searched, `''` for the project. */
  readonly path: string;
  /** Modules in it. */
  readonly searched: number;
  /** Qualifies a tag so that it works from the caller's location. */
  readonly tag: ToolContext['tag'];
}

const MOST_ROWS = 50;
/** Room for the last line, in units. */
const FOOTER = 240;

/** Matching lines below the names of their modules, as many as there is room for, and how many there are in all. */
export function renderMatches(result: ModuleMatches, searched: Searched): string {
  const { groups, matches, modules } = result;
  if (matches === 0) return `(no matches)\nsearched ${formatCount(searched.searched, 'module')}`;
  const { lines, count } = selectLines(groups);
  if (count === matches) return lines.join('\n');
  const total = `${count} of ${matches} matches in ${formatCount(modules, 'module')}`;
  return [...lines, `${total}; narrow with ${describeNarrower(result, searched)}`].join('\n');
}

/**
 * What code gets of a search: a row for each matching line, `module:12: text`, and `''` when there is none.
 *
 * @throws ResourceError when there are more than code can have at once
 */
export function listMatches(result: ModuleMatches, { pattern, path }: Searched): string {
  const { all, groups, matches, modules } = result;
  if (all === undefined) {
    const part = findNarrower(result, path);
    const narrower = part && `<Grep:${pattern} path=${part}>`;
    const place = `<R:${firstModule(groups) ?? path}>`;
    throw createTooManyMatchesError({ matches, within: formatCount(modules, 'module'), narrower, place });
  }
  const rows = [...all].flatMap(([{ name }, lines]) =>
    lines.map(({ line, text, long = text }) => `${name}:${line}: ${long}`),
  );
  return rows.join('\n');
}

/** As many lines as there is room for, and how many of them are matching lines. */
function selectLines(groups: ModuleMatches['groups']): { readonly lines: readonly string[]; readonly count: number } {
  const lines: string[] = [];
  let [count, left] = [0, RESULT_LIMIT - FOOTER];
  for (const [module, rows] of groups) {
    for (const [index, { line, text }] of rows.entries()) {
      const added = [...(index === 0 ? [module.name] : []), `  ${line}: ${text}`];
      const size = countUnits(added.join('\n')) + 1;
      if (count === MOST_ROWS || (size > left && count > 0)) return { lines, count };
      lines.push(...added);
      left -= size;
      count++;
    }
  }
  return { lines, count };
}

function describeNarrower(result: ModuleMatches, { pattern, path, tag }: Searched): string {
  const longer = 'a longer pattern';
  const part = findNarrower(result, path);
  return part === undefined ? longer : `path=${part} or ${longer}: ${tag(`<Grep:${pattern} path=${part}>`)}`;
}

/** A part of what was searched that has fewer of the matches; undefined when only a longer pattern helps. */
function findNarrower({ groups, modules }: ModuleMatches, path: string): string | undefined {
  if (modules < 2) return undefined;
  const counts = new Map<string, number>();
  for (const [module, rows] of groups) {
    const part = partWith(module, path);
    counts.set(part, (counts.get(part) ?? 0) + rows.length);
  }
  const best = [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
  const isSmaller = best !== undefined && best !== path && counts.size > 1;
  const target = isSmaller ? best : firstModule(groups);
  return target === path ? undefined : target;
}

function firstModule(groups: ModuleMatches['groups']): string | undefined {
  const [first] = groups.keys();
  return first?.name;
}

/** The folder in what was searched that a module is in, or the module itself if it is in none. */
function partWith({ name, folder, package: { label } }: CodeModule, path: string): string {
  if (path === '' && folder !== '') {
    const isLabelled = label !== '' && (folder === label || folder.startsWith(`${label}.`));
    return isLabelled ? label : (folder.split('.')[0] as string);
  }
  if (!folder.startsWith(`${path}.`)) return name;
  return `${path}.${folder.slice(path.length + 1).split('.')[0]}`;
}
