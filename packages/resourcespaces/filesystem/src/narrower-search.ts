import { showPath, type GrepRow } from '@bae/workspace';
import { narrowerPattern } from './narrower-pattern.ts';

/** A search that found too much. */
export interface WideSearch {
  readonly pattern: string;
  /** True when it looked into what `.gitignore` excludes, too. */
  readonly all: boolean;
  /** Where it looked. Default: everywhere. */
  readonly path: string | undefined;
  /** True when that is a folder. */
  readonly isFolder: boolean;
}

/**
 * The tag of the same search in a part of what was searched that has matches; undefined when its first rows are all in
 * one file, or when it cannot be written as a tag.
 *
 * @param rows the first rows that it found
 */
export function narrowerSearch(
  rows: readonly GrepRow[],
  { pattern, all, path, isFolder }: WideSearch,
): string | undefined {
  const files = [...new Set(rows.map((row) => row.path))];
  if (files.length < 2 || /[<>"\p{Cc}]/u.test(pattern)) return undefined;
  const folder = path === undefined ? '' : `${path.replace(/\/+$/, '')}/`;
  const searched = path === undefined || isFolder ? `${folder}**` : path;
  const part = narrowerPattern(searched, files);
  if (part === searched) return undefined;
  const shown = /\s/.test(part) ? `"${showPath(part)}"` : showPath(part);
  return `<Grep:${pattern} path=${shown}${all ? ' all=true' : ''}>`;
}
