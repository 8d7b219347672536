import type { CompilerSession, SourceDiagnostic, TypeQuery } from './compiler-session.ts';
import type { ProjectProblem } from './project-facts.ts';

/** The files to check. */
export interface DiagnosticRequest {
  /** Default: all sources. */
  readonly files?: readonly string[];
  /** Time after which no further file is begun, in milliseconds. Default: no limit. */
  readonly budgetMs?: number;
  /** True to leave out files that no tsconfig includes, unless that is all of them. Default: false. */
  readonly projectsOnly?: boolean;
}

export interface DiagnosticReport {
  /** Sorted by file and line. */
  readonly diagnostics: readonly SourceDiagnostic[];
  readonly total: number;
  /** Errors in the settings of the projects; because of them, the errors of the files may be wrong. */
  readonly problems: readonly ProjectProblem[];
  /** Files that were not checked: left out, missing, out of time, or refused by the compiler. */
  readonly unchecked: readonly string[];
  /** Files that no tsconfig includes. */
  readonly loose: readonly string[];
  readonly isOutOfTime: boolean;
}

/** Requests at the same time: the compiler works on several, and can still be interrupted. */
const AT_ONCE = 8;

/** Finds the type and syntax errors of files as they are on disk. */
export async function findDiagnostics(query: TypeQuery, request: DiagnosticRequest): Promise<DiagnosticReport> {
  const { session, signal } = query;
  const until = performance.now() + (request.budgetMs ?? Infinity);
  session.show(new Map());
  const files = request.files ?? (await query.files.sources());
  const { configs, loose } = await findConfigs(query, files);
  const isLoose = new Set(request.projectsOnly === true && loose.length < files.length ? loose : []);
  const wanted = files.filter((file) => !isLoose.has(file));
  const found = await checkFiles(session, { files: wanted, until }, signal);
  const diagnostics = [...found.values()].flat().toSorted(comparePlaces);
  return {
    diagnostics,
    total: diagnostics.length,
    problems: await findProblems(query, configs),
    unchecked: files.filter((file) => !found.has(file)),
    loose,
    isOutOfTime: performance.now() > until && wanted.some((file) => !found.has(file)),
  };
}

export interface CheckedFiles {
  readonly files: readonly string[];
  /** Moment of `performance.now()` after which no further file is begun. */
  readonly until: number;
  /** Number of files at the beginning that are checked in any case. Default: 0. */
  readonly always?: number;
}

export type FileErrors = ReadonlyMap<string, readonly SourceDiagnostic[]>;

/** Checks files, except those for which there is no time and those that the compiler cannot check. */
export async function checkFiles(
  session: CompilerSession,
  { files, until, always = 0 }: CheckedFiles,
  signal: AbortSignal,
): Promise<FileErrors> {
  const found = new Map<string, readonly SourceDiagnostic[]>();
  const pending = files.entries();
  const work = async (): Promise<void> => {
    for (const [index, file] of pending) {
      if (index >= always && performance.now() > until) return;
      const errors = await session.errorsOf(file, signal);
      if (errors !== undefined) found.set(file, errors);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}

/** The tsconfigs that apply to files, and the files that none applies to. */
export async function findConfigs({ session, signal }: TypeQuery, files: Iterable<string>) {
  const configs = new Set<string>();
  const loose: string[] = [];
  for (const file of files) {
    const config = await session.configOf(file, signal);
    if (config === undefined) loose.push(file);
    else configs.add(config);
  }
  return { configs, loose };
}

async function findProblems(
  { session, signal }: TypeQuery,
  configs: ReadonlySet<string>,
): Promise<readonly ProjectProblem[]> {
  const problems = new Map<string, ProjectProblem>();
  for (const config of [...configs].toSorted()) {
    // Projects may share settings, and their problems.
    for (const problem of (await session.factsOf(config, signal)).problems) {
      problems.set(`${problem.file}:${problem.line}:${problem.message}`, problem);
    }
  }
  return [...problems.values()];
}

function comparePlaces(a: SourceDiagnostic, b: SourceDiagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
