import { countFiles } from './count-files.ts';
import { isWithheld } from './grep-job.ts';
import { BINARY_PROBE } from './is-binary.ts';
import type { MatchingFiles } from './matching-files.ts';
import { SECRET_FILES } from './path-protection.ts';
import { findInside } from './place.ts';
import { RipgrepCounts } from './ripgrep-counts.ts';
import { runEngine, type RipgrepEngine } from './ripgrep-engine.ts';
import { ripgrepRemark } from './ripgrep-remark.ts';
import type { RootFolder } from './root-folder.ts';
import type { SearchScope } from './search-scope.ts';

/** What to count, and where to. */
export interface FolderCount {
  readonly engine: RipgrepEngine;
  readonly scope: SearchScope;
  readonly found: MatchingFiles;
  /** The files that count, when not all of the folder do; those that are too large are taken out. */
  readonly wanted?: Set<string>;
}

/** What ripgrep passes over. */
interface PassedOver {
  /** Files with a NUL so far behind their beginning that they are text. */
  readonly late: string[];
  /** Files whose names look like those of secrets. */
  readonly excluded: string[];
}

const COUNTING = ['--count', '--null', '--with-filename', '--stats', '--debug', '--max-filesize', '1M'];

/**
 * Counts the matching lines below a folder in one run of ripgrep.
 *
 * Secrets are not searched, and counted by their names alone: were it told which of them match, a pattern could
 * ask for one letter of a password after the other.
 */
export async function countFolder(count: FolderCount): Promise<{ searched: number; withheld: number }> {
  const { engine, scope, found, wanted } = count;
  const { query } = engine.job;
  const excludesSecrets = wanted === undefined && query.secrets !== true;
  const passed: PassedOver = { late: [], excluded: [] };
  const counts = new RipgrepCounts((path, matches) => {
    if (wanted?.has(path) ?? !isWithheld(path, query)) found.add({ path, matches });
  });
  await runEngine(engine, {
    options: [
      ...COUNTING,
      ...(await walkOptions(scope)),
      ...(excludesSecrets ? SECRET_FILES.flatMap((name) => ['--iglob', `!${name}`]) : []),
    ],
    paths: [`./${scope.folder}`],
    onOutput: (bytes) => counts.take(bytes),
    onRemark: (line) => takeRemark(line, passed, wanted),
  });
  const { secret, others } = await sort(passed.excluded, count);
  const late = passed.late.filter((path) => wanted?.has(path) ?? true);
  const more = others.length === 0 ? 0 : await countFiles(engine, others, found);
  if (late.length > 0) await countFiles(engine, late, found);
  return { searched: wanted?.size ?? counts.searched + more, withheld: secret };
}

async function walkOptions({ folder, depth, skipped, rules }: SearchScope): Promise<readonly string[]> {
  const options = skipped.flatMap((name) => ['-g', `!${name}/`]);
  if (depth !== undefined) options.push('--max-depth', String(depth));
  if (rules === undefined) options.push('--no-ignore');
  else if (folder !== '' && (await rules.has(''))) options.push('--ignore-file', './.gitignore');
  return options;
}

function takeRemark(line: string, { late, excluded }: PassedOver, wanted: Set<string> | undefined): void {
  const remark = ripgrepRemark(line);
  if (remark === undefined) return;
  const { path } = remark;
  if (remark.kind === 'large') wanted?.delete(path);
  else if (remark.kind === 'excluded') excluded.push(path);
  else if (remark.offset >= BINARY_PROBE) late.push(path);
}

/** How many of the excluded are secrets; and the files that only have a name like one. */
async function sort(
  excluded: readonly string[],
  { engine: { job }, scope }: FolderCount,
): Promise<{ secret: number; others: readonly string[] }> {
  const others: string[] = [];
  let secret = 0;
  for (const path of excluded) {
    if (scope.skipped.some((name) => path === name || path.endsWith(`/${name}`))) continue;
    if ((await scope.rules?.ignores(path)) === true || !isFile(path, job.root)) continue;
    if (isWithheld(path, job.query)) secret++;
    else others.push(path);
  }
  return { secret, others };
}

function isFile(path: string, root: RootFolder): boolean {
  try {
    using place = findInside(path, root);
    return place.path === path && place.stats?.isFile() === true;
  } catch {
    return false;
  }
}
