import { findChangedLines } from '@bae/workspace';
import type { SourceDiagnostic, TypeChecker, TypeQuery } from './compiler-session.ts';
import { makeNamePattern } from './identifier-name.ts';
import { JSON_FILE, LineIndex, type TextCache } from './module-files.ts';
import type { ProjectProblem } from './project-facts.ts';

/** The files to check. */
export interface DiagnosticRequest {
  readonly files: readonly string[];
  /** Time after which no further file is started, in milliseconds. */
  readonly budgetMs: number;
  /** True to leave out files that no tsconfig includes, unless that is all of them. */
  readonly projectsOnly: boolean;
}

export interface DiagnosticReport {
  readonly diagnostics: readonly SourceDiagnostic[];
  readonly total: number;
  /** Errors in the settings of the projects; because of them, the errors of the files may be wrong. */
  readonly problems: readonly ProjectProblem[];
  /** Files that were not checked: left out, missing, out of time, or refused by the compiler. */
  readonly unchecked: readonly string[];
  readonly loose: readonly string[];
  readonly isOutOfTime: boolean;
  /** Version of TypeScript that checked the files, and the version that the project has installed. */
  readonly version: string;
  readonly installed?: string | undefined;
}

/** Number of concurrent requests: the compiler works on several, and can still be interrupted. */
const AT_ONCE = 8;

/** Finds the type and syntax errors of files on disk. */
export async function findDiagnostics(
  query: TypeQuery<TypeChecker>,
  { files: asked, budgetMs, projectsOnly }: DiagnosticRequest,
): Promise<DiagnosticReport> {
  const { session, signal } = query;
  // The compiler has other texts for these.
  const files = asked.filter((file) => !query.files.isSecret(file));
  const until = performance.now() + budgetMs;
  session.show(new Map());
  const { configs, loose } = await findConfigs(query, files);
  const isLoose = new Set(projectsOnly && loose.length < files.length ? loose : []);
  const wanted = files.filter((file) => !isLoose.has(file));
  const found = await checkFiles(session, { files: wanted, until }, signal);
  const diagnostics = await addLineTexts([...found.values()].flat().toSorted(comparePlaces), query.texts);
  const problems = new Map<string, ProjectProblem>();
  for (const config of [...configs].toSorted()) {
    // Projects may share settings and therefore problems.
    for (const problem of (await session.factsOf(config, signal)).problems) {
      // Settings can name any file as what they extend.
      if (query.files.isSecret(problem.file)) continue;
      problems.set(`${problem.file}:${problem.line}:${problem.message}`, problem);
    }
  }
  return {
    diagnostics,
    total: diagnostics.length,
    problems: [...problems.values()],
    unchecked: files.filter((file) => !found.has(file)),
    loose,
    isOutOfTime: performance.now() > until && wanted.some((file) => !found.has(file)),
    version: session.version,
    installed: query.installed,
  };
}

interface CheckedFiles {
  readonly files: readonly string[];
  /** Time of `performance.now()` after which no further file is started. */
  readonly until: number;
  /** Number of files at the beginning that are checked in any case. Default: 0. */
  readonly always?: number;
}

type FileErrors = ReadonlyMap<string, readonly SourceDiagnostic[]>;

/** Checks files, except those for which there is no time left and those that the compiler cannot check. */
async function checkFiles(
  session: TypeChecker,
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

/** Finds the tsconfigs that apply to files, and the files without one. */
async function findConfigs({ session, signal }: TypeQuery<TypeChecker>, files: Iterable<string>) {
  const configs = new Set<string>();
  const loose: string[] = [];
  for (const file of files) {
    const config = await session.configOf(file, signal);
    if (config === undefined) loose.push(file);
    else configs.add(config);
  }
  return { configs, loose };
}

/** Tests whether changes of some files may have changed the errors of projects: they belong to one, or set one up. */
export async function mayChangeErrors(query: TypeQuery<TypeChecker>, files: readonly string[]): Promise<boolean> {
  return files.some((file) => JSON_FILE.test(file)) || (await findConfigs(query, files)).configs.size > 0;
}

function comparePlaces(a: SourceDiagnostic, b: SourceDiagnostic): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

/** Adds the texts of their lines to errors of files on disk. */
function addLineTexts(
  diagnostics: readonly SourceDiagnostic[],
  texts: TextCache,
): Promise<readonly SourceDiagnostic[]> {
  return Promise.all(
    diagnostics.map(async (one) => {
      const { lines } = await texts.get(one.file);
      return { ...one, lineText: lines.lineText(one.line - 1).trim() };
    }),
  );
}

interface TextChange {
  readonly file: string;
  /** The text to compare with; undefined when there was no file. */
  readonly before: string | undefined;
  readonly after: string;
}

export interface IntroducedRequest {
  readonly changes: readonly TextChange[];
  /** Time after which no further file is checked, in milliseconds; changed files are always checked. */
  readonly budgetMs: number;
  /** True to check nothing when no tsconfig applies to any changed file. */
  readonly projectsOnly: boolean;
  /** The renaming that the changes make: messages that differ only by these names are equal. */
  readonly renamed?: Renamed | undefined;
}

/** The old and the new name of a symbol. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds the errors that changes would introduce, fix, or keep in changed lines, in the projects of the changed files.
 * Nothing is written.
 */
export async function findIntroduced(
  query: TypeQuery<TypeChecker>,
  { changes, budgetMs, projectsOnly, renamed }: IntroducedRequest,
): Promise<ErrorChanges & { readonly checked: number; readonly unchecked: readonly string[] }> {
  const { session, files, texts, signal } = query;
  const start = performance.now();
  const fresh = new Map(changes.map(({ file, after }) => [file, after]));
  // A file has a tsconfig only if the compiler can see the file.
  session.show(fresh);
  const { configs, loose } = await findConfigs(query, fresh.keys());
  if (projectsOnly && loose.length === fresh.size)
    return { introduced: [], fixed: [], kept: [], moved: [], checked: 0, unchecked: [] };
  const disk = new Map(await Promise.all(changes.map(async ({ file }) => [file, await files.read(file)] as const)));
  const old = new Map(changes.flatMap(({ file, before }) => (before === undefined ? [] : [[file, before]])));
  const facts = await Promise.all([...configs].map((config) => session.factsOf(config, signal)));
  const all = [...new Set([...fresh.keys(), ...facts.flatMap((project) => project.files)])];
  const always = fresh.size;
  // The errors of files on disk are cached for further changes.
  const isOnDisk = changes.every(({ file }) => old.get(file) === disk.get(file));
  let before: FileErrors = session.errorsOnDisk;
  if (!isOnDisk || !all.every((file) => before.has(file))) {
    session.show(old);
    // Half of the time is for each side, since one side alone is useless.
    before = await checkFiles(session, { files: all, until: start + budgetMs / 2, always }, signal);
    if (isOnDisk) for (const [file, errors] of before) session.errorsOnDisk.set(file, errors);
  }
  session.show(fresh);
  const known = all.filter((file) => before.has(file) || fresh.has(file));
  const after = await checkFiles(session, { files: known, until: start + budgetMs, always }, signal);
  const compared: ErrorChanges[] = [];
  // Files are checked concurrently, so they finish in any order.
  for (const [file, diagnostics] of [...after].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const earlier = before.get(file) ?? [];
    if (diagnostics.length + earlier.length === 0) continue;
    const { text } = await texts.get(file);
    const was = { text: old.get(file) ?? text, diagnostics: earlier };
    const is = { text: fresh.get(file) ?? text, diagnostics };
    compared.push(compareErrors(was, is, renamed));
  }
  return {
    introduced: compared.flatMap(({ introduced }) => introduced),
    fixed: compared.flatMap(({ fixed }) => fixed),
    kept: compared.flatMap(({ kept }) => kept),
    moved: compared.flatMap(({ moved }) => moved),
    checked: after.size,
    unchecked: all.filter((file) => !after.has(file)),
  };
}

export interface CheckedText {
  readonly text: string;
  readonly diagnostics: readonly SourceDiagnostic[];
}

/** The differences between the errors of two versions of a text. */
export interface ErrorChanges {
  readonly introduced: readonly SourceDiagnostic[];
  readonly fixed: readonly SourceDiagnostic[];
  /** The same errors in changed lines. */
  readonly kept: readonly SameError[];
  /** The same errors in the same lines, wherever these are now. */
  readonly moved: readonly SameError[];
}

/** An error before and after a change. */
export interface SameError {
  readonly was: SourceDiagnostic;
  readonly is: SourceDiagnostic;
}

/**
 * Compares the errors of two versions of a file. Two errors are equal when their codes, messages and line texts are
 * equal, so that an error that only moved is the same; or when the line of the one takes the place of that of the
 * other. Several equal errors are counted separately.
 */
export function compareErrors(before: CheckedText, after: CheckedText, renamed?: Renamed): ErrorChanges {
  const messageOf = makeMessageReader(renamed);
  const [old, now] = [before, after].map(({ text, diagnostics }) => {
    const lines = new LineIndex(text);
    return diagnostics.map((one) => ({ ...one, lineText: lines.lineText(one.line - 1).trim() }));
  }) as [SourceDiagnostic[], SourceDiagnostic[]];
  const moved = pair(old, now, (one) => [one.code, one.lineText, messageOf(one)].join('\n'));
  const same = { moved: moved.pairs };
  if (moved.old.length === 0 || moved.now.length === 0)
    return { introduced: moved.now, fixed: moved.old, kept: [], ...same };
  const hunks = findChangedLines(before.text, after.text);
  const oldHunk = (line: number) => hunks.findIndex((one) => line > one.oldStart && line <= one.oldStart + one.removed);
  const newHunk = (line: number) => hunks.findIndex((one) => line > one.newStart && line <= one.newStart + one.added);
  const places = new Map([
    ...moved.old.map((one) => [one, oldHunk(one.line)] as const),
    ...moved.now.map((one) => [one, newHunk(one.line)] as const),
  ]);
  const changed = pair(moved.old, moved.now, (one) => {
    return places.get(one) === -1 ? undefined : [places.get(one), one.code, messageOf(one)].join('\n');
  });
  return { introduced: changed.now, fixed: changed.old, kept: changed.pairs, ...same };
}

/** Returns a function that reads a message with the old name of a renamed symbol. */
function makeMessageReader(renamed: Renamed | undefined) {
  if (renamed === undefined) return ({ message }: SourceDiagnostic) => message;
  const { from, to } = renamed;
  const pattern = makeNamePattern(to);
  return ({ message }: SourceDiagnostic) => message.replaceAll(pattern, () => from);
}

/** Pairs the elements of two lists that have the same key; the others are left over. */
function pair<T>(old: readonly T[], now: readonly T[], keyOf: (one: T) => string | undefined) {
  const open = Map.groupBy(old, keyOf);
  const pairs: { was: T; is: T }[] = [];
  const left: T[] = [];
  for (const is of now) {
    const key = keyOf(is);
    const was = key === undefined ? undefined : open.get(key)?.shift();
    if (was === undefined) left.push(is);
    else pairs.push({ was, is });
  }
  const paired = new Set(pairs.map(({ was }) => was));
  return { pairs, old: old.filter((one) => !paired.has(one)), now: left };
}
