import { checkFiles } from './check-files.ts';
import type { ProjectProblem } from './project-facts.ts';
import type { Question } from './question.ts';
import type { SourceDiagnostic } from './source-diagnostic.ts';

/** What to look for errors in. */
export interface DiagnosticQuery {
  /** Default: all sources. */
  readonly files?: readonly string[];
  /** Most errors in the result. Default: 1000. */
  readonly limit?: number;
  /** Milliseconds after which no further file is begun. Default: all are checked. */
  readonly budgetMs?: number;
  /** True to leave out files that no settings are in charge of, unless that is all of them. Default: false. */
  readonly projectsOnly?: boolean;
}

/** The errors of files. */
export interface DiagnosticReport {
  /** Sorted by file and line, no more than the limit. */
  readonly diagnostics: readonly SourceDiagnostic[];
  /** Number of errors in all. */
  readonly total: number;
  /**
   * What is wrong with the settings of the projects. As long as there is anything, the errors of their files may be
   * wrong: the files are then not checked as the settings want it.
   */
  readonly problems: readonly ProjectProblem[];
  /** Files that were not checked: left out, missing, too late, or the compiler failed. */
  readonly unchecked: readonly string[];
  /** Files that no settings are in charge of. */
  readonly loose: readonly string[];
  /** True when there was no time for some. */
  readonly isOutOfTime: boolean;
}

const LIMIT = 1000;

/** Finds the type and syntax errors of files as they are on disk. */
export async function findDiagnostics(question: Question, query: DiagnosticQuery): Promise<DiagnosticReport> {
  const { session, signal } = question;
  const until = performance.now() + (query.budgetMs ?? Infinity);
  session.show(new Map());
  const files = query.files ?? (await question.files.sources());
  const { configs, loose } = await findConfigs(question, files);
  const isLoose = new Set(query.projectsOnly === true && loose.length < files.length ? loose : []);
  const wanted = files.filter((file) => !isLoose.has(file));
  const found = await checkFiles(session, { files: wanted, until }, signal);
  const all = [...found.values()].flat().toSorted(byPlace);
  return {
    diagnostics: all.slice(0, query.limit ?? LIMIT),
    total: all.length,
    problems: await findProblems(question, configs),
    unchecked: files.filter((file) => !found.has(file)),
    loose,
    isOutOfTime: performance.now() > until && wanted.some((file) => !found.has(file)),
  };
}

/** The settings that are in charge of files, and the files that none are in charge of. */
async function findConfigs({ session, signal }: Question, files: readonly string[]) {
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
  { session, signal }: Question,
  configs: ReadonlySet<string>,
): Promise<readonly ProjectProblem[]> {
  const problems = new Map<string, ProjectProblem>();
  for (const config of [...configs].toSorted()) {
    // Projects share settings, and with them what is wrong there.
    for (const problem of (await session.factsOf(config, signal)).problems) {
      problems.set(`${problem.file}:${problem.line}:${problem.message}`, problem);
    }
  }
  return [...problems.values()];
}

function byPlace(a: SourceDiagnostic, b: SourceDiagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
