import { IgnoreRules } from './ignore-rules.ts';
import { OWN_FOLDER } from '../path/path-protection.ts';
import { resolveBelowRoot } from '../path/resolve-path.ts';
import { type RootFolder, containPath, createOutsideError } from '../path/root-folder.ts';

/** Folders that a search leaves out, unless the path or pattern names them as one of its parts. */
const SKIPPED = ['.git', 'node_modules', '.venv', '__pycache__', 'dist', OWN_FOLDER] as const;

/** The part of a workspace that is searched. */
export interface SearchScope {
  /** Folder that everything is below; its path from the root, without links. */
  readonly folder: string;
  /** Most levels to go down. Default: all. */
  readonly depth?: number;
  readonly skipped: readonly string[];
  /** What is ignored. Default: nothing. */
  readonly rules?: IgnoreRules;
  /** Whether a file is meant, by its path below the folder. Default: every file. */
  readonly matches?: (path: string) => boolean;
}

/** The scope of a file pattern. */
export interface PatternScope extends SearchScope {
  /** Folder that everything is below, as the pattern has it: with links. */
  readonly base: string;
}

interface ScopeOptions {
  readonly all?: boolean | undefined;
  /** True for a pattern that also means what is below the folders that match. */
  readonly isBelow?: boolean;
}

/** All of a folder, given by its path without links, but for the folders that are skipped. */
export async function scopeFolder(folder: string, root: RootFolder, options: ScopeOptions): Promise<SearchScope> {
  return { folder, skipped: listSkipped(folder), ...(await loadRules(folder, root, options)) };
}

/** What a file pattern names; undefined when the folder that it begins with is not there. */
export async function scopePattern(
  given: string,
  root: RootFolder,
  options: ScopeOptions,
): Promise<PatternScope | undefined> {
  const pattern = containPath(given, root.names);
  if (/(?:^|[{,])\.\.(?:[/,}]|$)/.test(pattern)) throw createOutsideError(given, "'..' is not followed.");
  // Loaded when first needed: the engine for patterns takes longer to load than most commands take.
  const { parseGlob } = await import('./glob-pattern.ts');
  const { base, ...own } = parseGlob(pattern);
  const below = options.isBelow === true ? parseGlob(`${pattern.replace(/\/+$/, '')}/**`).matches : undefined;
  const glob = below === undefined ? own : { matches: (path: string) => own.matches(path) || below(path) };
  using folder = resolveBelowRoot(base, root);
  if (folder.stats?.isDirectory() !== true) return undefined;
  const rules = await loadRules(folder.path, root, options);
  return { base, folder: folder.path, skipped: listSkipped(pattern), ...glob, ...rules };
}

/** True when a text has any of the characters that make a file pattern. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

function listSkipped(pattern: string): readonly string[] {
  const named = new Set(pattern.split(/[/{},]/));
  return SKIPPED.filter((name) => !named.has(name));
}

/** No rules when the folder itself is ignored and yet was asked for. */
async function loadRules(folder: string, root: RootFolder, { all }: ScopeOptions): Promise<{ rules?: IgnoreRules }> {
  if (all === true) return {};
  const rules = new IgnoreRules(root);
  return folder !== '' && (await rules.ignores(`${folder}/`)) ? {} : { rules };
}
