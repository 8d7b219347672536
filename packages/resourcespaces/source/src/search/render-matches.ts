import type { ToolContext } from '@bae/core';
import { units } from '@bae/core/pipeline';
import { counted } from '@bae/workspace';
import type { CodeModule } from '../modules/code-module.ts';
import { ANSWER_CAP } from '../read/page-rows.ts';

/** What a search of modules found. */
export interface ModuleMatches {
  /** The first matching lines of modules. */
  readonly groups: ReadonlyMap<CodeModule, readonly MatchingLine[]>;
  /** For code: all of them; absent when there are more than it can have at once. */
  readonly all?: ReadonlyMap<CodeModule, readonly MatchingLine[]>;
  /** Matching lines in all. */
  readonly matches: number;
  /** Modules with a match. */
  readonly modules: number;
}

/** A line that matches. */
export interface MatchingLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  /** For code: more of a line that was cut. */
  readonly long?: string;
}

/** What was searched. */
export interface Searched {
  readonly pattern: string;
  /** Address of what was searched, `''` for the project. */
  readonly path: string;
  /** Modules in it. */
  readonly searched: number;
  /** Words a tag for whoever made the call. */
  readonly tag: ToolContext['tag'];
}

const MOST_ROWS = 50;
/** Room for the last line, in units. */
const FOOTER = 240;

/** Matching lines below the names of their modules, as many as fit, and at the end how many there are in all. */
export function renderMatches(found: ModuleMatches, searched: Searched): string {
  if (found.matches === 0) return `(no matches)\nsearched ${counted(searched.searched, 'module')}`;
  const { lines, shown, shownIn } = fitting(found);
  if (shown === found.matches) return lines.join('\n');
  const total = `${shown} of ${counted(found.matches, 'match').replace(/matchs$/, 'matches')} in ${counted(found.modules, 'module')}`;
  return [...lines, `${total}; narrow with ${narrowing(found, searched, shownIn)}`].join('\n');
}

function fitting({ groups }: ModuleMatches): {
  readonly lines: string[];
  readonly shown: number;
  readonly shownIn: readonly CodeModule[];
} {
  const lines: string[] = [];
  const shownIn: CodeModule[] = [];
  let [shown, left] = [0, ANSWER_CAP - FOOTER];
  for (const [module, rows] of groups) {
    for (const [index, { line, text }] of rows.entries()) {
      const added = [...(index === 0 ? [module.name] : []), `  ${line}: ${text}`];
      const size = units(added.join('\n')) + 1;
      if (shown === MOST_ROWS || (size > left && shown > 0)) return { lines, shown, shownIn };
      if (index === 0) shownIn.push(module);
      lines.push(...added);
      left -= size;
      shown++;
    }
  }
  return { lines, shown, shownIn };
}

/** The folder in what was searched that a module is in, or the module when it is in none. */
function partWith({ name, folder, package: { label } }: CodeModule, path: string): string {
  if (path === '' && folder !== '') {
    const isLabelled = label !== '' && (folder === label || folder.startsWith(`${label}.`));
    return isLabelled ? label : (folder.split('.')[0] as string);
  }
  if (!folder.startsWith(`${path}.`)) return name;
  return `${path}.${folder.slice(path.length + 1).split('.')[0]}`;
}

function narrowing(found: ModuleMatches, searched: Searched, shownIn: readonly CodeModule[]): string {
  const { pattern, tag } = searched;
  const longer = 'a longer pattern';
  const part = narrowerPart(found, searched, shownIn);
  return part === undefined ? longer : `path=${part} or ${longer}: ${tag(`<Grep:${pattern} path=${part}>`)}`;
}

/** A part of what was searched that has fewer of the matches; undefined when only a longer pattern has. */
export function narrowerPart(
  { groups, modules }: ModuleMatches,
  { path }: Pick<Searched, 'path'>,
  shownIn: readonly CodeModule[],
): string | undefined {
  if (modules < 2) return undefined;
  const counts = new Map<string, number>();
  for (const [module, rows] of groups) {
    const part = partWith(module, path);
    counts.set(part, (counts.get(part) ?? 0) + rows.length);
  }
  const best = [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
  const isSmaller = best !== undefined && best !== path && counts.size > 1;
  const target = isSmaller ? best : shownIn[0]?.name;
  return target === path ? undefined : target;
}
