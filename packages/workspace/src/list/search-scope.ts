import { parseGlob } from './glob-pattern.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { OWN_FOLDER } from '../path/path-protection.ts';
import { resolveBelowRoot } from '../path/resolve-path.ts';
import { type RootFolder, containPath, createOutsideError } from '../path/root-folder.ts';

/** Folders that a search leaves out, unless the path or pattern contains their name as one of its parts. */
const SKIPPED = ['.git', 'node_modules', '.venv', '__pycache__', 'dist', OWN_FOLDER] as const;

/** The part of a workspace that is searched. */
export interface SearchScope {
  /** Folder that contains everything to search; its path from the root, with links resolved. */
  readonly folder: string;
  /** Maximum depth. Default: unlimited. */
  readonly depth?: number;
  readonly skipped: readonly string[];
  /** The ignore rules. Default: nothing is ignored. */
  readonly rules?: IgnoreRules;
  /** Selects files by their paths relative to the folder. Default: every file. */
  readonly matches?: (path: string) => boolean;
}

/** The scope of a file pattern. */
export interface PatternScope extends SearchScope {
  /** Folder that contains everything to search, as spelled in the pattern: with links. */
  readonly base: string;
}

interface ScopeOptions {
  readonly all?: boolean | undefined;
  /** True if the pattern also selects everything below matching folders. */
  readonly isBelow?: boolean;
}

/** Creates the scope of a whole folder, given by its path with links resolved, without the skipped folders. */
export async function scopeFolder(folder: string, root: RootFolder, options: ScopeOptions): Promise<SearchScope> {
  return { folder, skipped: listSkipped(folder), ...(await loadRules(folder, root, options)) };
}

/** Creates the scope of a file pattern; returns undefined when its base folder does not exist. */
export async function scopePattern(
  given: string,
  root: RootFolder,
  options: ScopeOptions,
): Promise<PatternScope | undefined> {
  const pattern = containPath(given, root.names);
  if (/(?:^|[{,])\.\.(?:[/,}]|$)/.test(pattern)) throw createOutsideError(given, "'..' is not followed.");
  const { base, ...own } = await parseGlob(pattern);
  const below = options.isBelow === true ? (await parseGlob(`${pattern.replace(/\/+$/, '')}/**`)).matches : undefined;
  const glob = below === undefined ? own : { matches: (path: string) => own.matches(path) || below(path) };
  using folder = resolveBelowRoot(base, root);
  if (folder.stats?.isDirectory() !== true) return undefined;
  const rules = await loadRules(folder.path, root, options);
  return { base, folder: folder.path, skipped: listSkipped(pattern), ...glob, ...rules };
}

/** Returns true when a text contains any of the special characters of file patterns. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

function listSkipped(pattern: string): readonly string[] {
  const named = new Set(pattern.split(/[/{},]/));
  // Installed packages consist of built files.
  if (named.has('node_modules')) named.add('dist');
  return SKIPPED.filter((name) => !named.has(name));
}

/** Loads the ignore rules; none apply when the requested folder is itself ignored. */
async function loadRules(folder: string, root: RootFolder, { all }: ScopeOptions): Promise<{ rules?: IgnoreRules }> {
  if (all === true) return {};
  const rules = new IgnoreRules(root);
  return folder !== '' && (await rules.ignores(`${folder}/`)) ? {} : { rules };
}
