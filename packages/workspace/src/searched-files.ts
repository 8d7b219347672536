import { isWithheld, scopeOf, type GrepJob } from './grep-job.ts';
import { listFiles } from './list-files.ts';

/** The files that a search looks into, unless they turn out to be binary or too large. */
export interface SearchedFiles {
  /** Below the root, without links. */
  readonly paths: readonly string[];
  /** How many secrets are not among them. */
  readonly withheld: number;
}

/** Looks up what a search of a folder or a file pattern looks into. */
export async function searchedFiles(job: GrepJob, signal: AbortSignal | undefined): Promise<SearchedFiles> {
  const scope = await scopeOf(job);
  if (scope === undefined) return { paths: [], withheld: 0 };
  const wanted = job.query.only ?? (() => true);
  const prefix = scope.folder === '' ? '' : `${scope.folder}/`;
  const listed = (await listFiles(scope, job.root, { signal })).map((path) => prefix + path).filter(wanted);
  const paths = listed.filter((path) => !isWithheld(path, job.query));
  return { paths, withheld: listed.length - paths.length };
}
