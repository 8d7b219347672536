import { containPath, outside, type RootNames } from './contain-path.ts';
import { IgnoreRules } from './ignore-rules.ts';
import { listFiles } from './list-files.ts';
import { findPlace } from './place.ts';
import { skippedFolders } from './skipped-folders.ts';

/** Which files are wanted. */
export interface GlobQuery {
  /** `**`, `*`, `?`, `{a,b}` and `[..]`, from the root of the workspace. */
  readonly pattern: string;
  /** True to include what `.gitignore` excludes. */
  readonly all?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The regular files a pattern names, sorted, as paths below the root. Links inside are not followed.
 *
 * `.git`, `node_modules`, `.venv`, `__pycache__` and `dist` are skipped unless the pattern names them, and
 * what `.gitignore` excludes is left out unless `all`, or unless the pattern begins inside of it.
 *
 * @throws PathError when the pattern leaves the workspace; PatternError when it cannot be used
 */
export async function findFiles(query: GlobQuery, names: RootNames): Promise<readonly string[]> {
  const pattern = containPath(query.pattern, names);
  if (/(?:^|[{,])\.\.(?:[/,}]|$)/.test(pattern)) throw outside(query.pattern, "'..' is not followed.");
  // Loaded when first needed: the engine for patterns takes longer to load than most commands take.
  const { parseGlob } = await import('./glob-pattern.ts');
  const { base, depth, matches } = parseGlob(pattern);
  const folder = await findPlace(base, names);
  if (!folder.stats?.isDirectory()) return [];
  const root = names.roots[0] as string;
  const found: string[] = [];
  const files = listFiles({
    root,
    folder: folder.path,
    depth,
    skipped: skippedFolders(pattern),
    rules: query.all === true ? undefined : await rulesFor(folder.path, root),
    signal: query.signal,
  });
  for await (const path of files) {
    if (matches(path)) found.push(base === '' ? path : `${base}/${path}`);
  }
  return found.toSorted();
}

/** The ignore rules for a search in a folder; none when the folder itself is ignored and yet was asked for. */
export async function rulesFor(folder: string, root: string): Promise<IgnoreRules | undefined> {
  const rules = new IgnoreRules(root);
  return folder !== '' && (await rules.ignores(`${folder}/`)) ? undefined : rules;
}
