import { checkFiles } from './check-files.ts';
import { compareDiagnostics } from './compare-diagnostics.ts';
import type { Texts } from './open-documents.ts';
import type { Question } from './question.ts';
import type { SourceDiagnostic } from './source-diagnostic.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** The new text of a file that is not written yet. */
export interface TextChange {
  readonly file: string;
  /** The text it is compared with, null when there was no file. Default: the text on disk. */
  readonly before?: string | null;
  /** The new text; null when the file is to be removed, which is tried by leaving it empty. */
  readonly after: string | null;
}

/** What to check for new errors. */
export interface IntroducedQuery {
  readonly changes: readonly TextChange[];
  /** The files that may get errors. Default: all of the projects of the changed files. */
  readonly files?: readonly string[];
  /** Milliseconds after which no further file is checked; the changed ones always are. Default: 20,000. */
  readonly budgetMs?: number;
  /** True to check nothing when no settings are in charge of any changed file. Default: false. */
  readonly projectsOnly?: boolean;
}

/** What a change would do. */
export interface IntroducedReport {
  readonly introduced: readonly SourceDiagnostic[];
  readonly fixed: readonly SourceDiagnostic[];
  /** Number of files that were compared. */
  readonly checked: number;
  /** Files for which there was no time. */
  readonly unchecked: readonly string[];
  /** Changed files that no settings are in charge of. */
  readonly loose: readonly string[];
}

const BUDGET_MS = 20_000;

/** Finds which errors changes would bring, and which they would mend. Nothing is written. */
export async function findIntroduced(
  { session, files, signal }: Question,
  { changes, files: asked, budgetMs = BUDGET_MS, projectsOnly = false }: IntroducedQuery,
): Promise<IntroducedReport> {
  const start = performance.now();
  const question = { session, files, signal };
  const changed = changes.map(({ file }) => file);
  const fresh = new Map(changes.map(({ file, after }) => [file, after ?? '']));
  const loose = await looseFiles(question, fresh);
  if (projectsOnly && loose.length === changed.length) {
    return { introduced: [], fixed: [], checked: 0, unchecked: [], loose };
  }
  const old = await oldTexts(changes, files);
  const all = [...new Set([...changed, ...(asked ?? (await projectFiles(question, changed)))])];
  // Half of the time for each side: one side alone says nothing.
  const before = await errorsBefore(question, old, { changed, all, until: start + budgetMs / 2 });
  session.show(fresh);
  const known = all.filter((file) => before.has(file) || fresh.has(file));
  const after = await check(question, { changed, all: known, until: start + budgetMs });
  const compared = await compareAll({ before, after, old: old.texts, fresh }, files);
  return { ...compared, checked: after.size, unchecked: all.filter((file) => !after.has(file)), loose };
}

/** Whose settings a new file falls under is known only once the compiler sees it. */
async function looseFiles({ session, signal }: Question, fresh: Texts): Promise<readonly string[]> {
  session.show(fresh);
  const loose: string[] = [];
  for (const file of fresh.keys()) if ((await session.configOf(file, signal)) === undefined) loose.push(file);
  return loose;
}

type Errors = ReadonlyMap<string, readonly SourceDiagnostic[]>;

/** The texts to compare with, of those files that existed. */
interface OldTexts {
  readonly texts: Texts;
  /** True when the files on disk have these texts, too. */
  readonly onDisk: boolean;
}

interface Check {
  readonly changed: readonly string[];
  readonly all: readonly string[];
  readonly until: number;
}

async function oldTexts(changes: readonly TextChange[], files: WorkspaceFiles): Promise<OldTexts> {
  const texts = new Map<string, string>();
  let onDisk = true;
  for (const { file, before } of changes) {
    const there = await files.read(file);
    const text = before === undefined ? there : (before ?? undefined);
    if (text !== undefined) texts.set(file, text);
    if (text !== there) onDisk = false;
  }
  return { texts, onDisk };
}

/** The errors before the change. Those of the disk are kept: of several changes that are tried, each needs them. */
async function errorsBefore(question: Question, { texts, onDisk }: OldTexts, work: Check): Promise<Errors> {
  const { session } = question;
  const kept = session.errorsOnDisk;
  if (onDisk && work.all.every((file) => kept.has(file))) return kept;
  session.show(texts);
  const errors = await check(question, work);
  if (onDisk) for (const [file, diagnostics] of errors) kept.set(file, diagnostics);
  return errors;
}

async function check({ session, signal }: Question, { changed, all, until }: Check): Promise<Errors> {
  const first = await checkFiles(session, { files: changed }, signal);
  const rest = all.filter((file) => !changed.includes(file));
  return new Map([...first, ...(await checkFiles(session, { files: rest, until }, signal))]);
}

async function projectFiles({ session, signal }: Question, changed: readonly string[]): Promise<readonly string[]> {
  const configs = new Set<string>();
  for (const file of changed) {
    const config = await session.configOf(file, signal);
    if (config !== undefined) configs.add(config);
  }
  const facts = await Promise.all([...configs].map((config) => session.factsOf(config, signal)));
  return facts.flatMap(({ files }) => files);
}

async function compareAll(
  { before, after, old, fresh }: { readonly before: Errors; readonly after: Errors; old: Texts; fresh: Texts },
  files: WorkspaceFiles,
): Promise<Pick<IntroducedReport, 'introduced' | 'fixed'>> {
  const introduced: SourceDiagnostic[] = [];
  const fixed: SourceDiagnostic[] = [];
  for (const [file, diagnostics] of after) {
    const earlier = before.get(file) ?? [];
    if (diagnostics.length + earlier.length === 0) continue;
    const onDisk = old.has(file) && fresh.has(file) ? '' : ((await files.read(file)) ?? '');
    const change = compareDiagnostics(
      { text: old.get(file) ?? onDisk, diagnostics: earlier },
      { text: fresh.get(file) ?? onDisk, diagnostics },
    );
    introduced.push(...change.introduced);
    fixed.push(...change.fixed);
  }
  return { introduced, fixed };
}
