import { basename, extname, relative } from 'node:path';
import { ResourceError, type ToolContext, type ToolOutput } from '@bae/core';
import { EditError, formatQuantity } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import {
  formatAddress,
  formatSymbolPath,
  getModuleAddress,
  listTargetModules,
  type SymbolTarget,
} from '../address/target.ts';
import { type Declaration, isCompiled, isJavaScript, type Span, type SymbolOutline } from '../language/outline.ts';
import type { CodeCatalog, CodeModule } from '../modules/code-catalog.ts';
import type { CheckChange, CodeBase, IntroducedProblem } from '../modules/module-index.ts';
import type { ArgsOf } from '../params.ts';
import { type CodeRow, outputModuleRows, type ShownLine } from '../read/paging.ts';
import type { SourceDiagnostic } from '../type-service/compiler-session.ts';
import {
  type DiagnosticReport,
  findDiagnostics,
  findIntroduced,
  mayChangeErrors,
} from '../type-service/find-diagnostics.ts';
import { findOccurrences, isIdentifier } from '../type-service/identifier-name.ts';
import { TypeServiceError } from '../type-service/language-protocol.ts';
import { mayHaveSettings } from '../type-service/project-facts.ts';
import type { TypeService } from '../type-service/type-service.ts';
import { separateMissing } from './missing-packages.ts';

/**
 * Waits for a query about types; turns a failure of the type service into a ResourceError that suggests the tag `next`.
 */
export function queryTypes<T>(result: Promise<T>, next: string): Promise<T> {
  return result.catch((error: unknown) => {
    if (!(error instanceof TypeServiceError)) throw error;
    throw new ResourceError(`types are not available: ${error.message}.`, [next], error);
  });
}

/**
 * Returns the offset of the name of a symbol in its module, which the compiler needs; throws an EditError if there is
 * none.
 */
export function findSymbolOffset(target: SymbolTarget, isReadable = isCompiled): number {
  const { source, path } = target;
  if (!isReadable(source.module.path)) {
    const fact = `${formatSymbolPath(path)} is code of a ${extname(source.module.path)} file, whose types are unknown here`;
    throw new EditError(`${fact}. Its name can be searched for and changed as text.`, [
      `<references:${formatAddress(target)}>`,
    ]);
  }
  const { name, kind, localName, declarations, key } = path.at(-1) as SymbolOutline;
  const { head, doc, start, end } = declarations[0] as Declaration;
  const inHead = findName(localName ?? name, source.text, key ?? head);
  const offset = inHead ?? findName(name, source.text, { start: doc?.end ?? start, end });
  if (offset !== undefined && kind !== 'imports') return offset;
  throw new EditError(
    `${formatSymbolPath(path)} in ${source.module.name} has no name that the compiler knows. Search for its text instead.`,
    [`<R:${formatAddress(target)}>`],
  );
}

function findName(name: string, text: string, { start, end }: Span): number | undefined {
  if (!isIdentifier(name)) return undefined;
  const [first] = findOccurrences(name, text.slice(start, end));
  return first === undefined ? undefined : start + first;
}

/** First line of a message that gives no reason: the last line does. */
const NO_REASON = /^No overload matches this call\./;

/**
 * Renders the first line of a compiler message, and its last one where that has the reason, with its number, and with
 * modules instead of paths.
 */
export function renderTypeError(
  { code, message }: { readonly code: number; readonly message: string },
  catalog: CodeCatalog,
): string {
  const [first = '', ...others] = message.split('\n');
  const reason = NO_REASON.test(first) ? others.at(-1)?.trim() : undefined;
  const named = [first, ...(reason === undefined ? [] : [reason])]
    .join(' ')
    .split(`${catalog.root}/`)
    .map((part, index) => (index === 0 ? part : part.replace(/^[^'"\s()]+/, (path) => moduleName(path, catalog))));
  return `TS${code}: ${named.join('')}`;
}

/** Returns the module for a path below the root, which may have no extension. */
function moduleName(path: string, catalog: CodeCatalog): string {
  const stem = catalog.languages.splitFileName(path)?.stem ?? path;
  return (catalog.moduleAt(path) ?? catalog.moduleByOtherName(stem.replaceAll('/', '.')))?.name ?? path;
}

/** The limits of a check, in milliseconds: no module is started after `budget`, and `longest` ends the check. */
export interface CheckLimits {
  readonly budget: number;
  readonly longest: number;
}

const LIMITS: CheckLimits = { budget: 8000, longest: 20_000 };

/** Creates a type check of changes: of the changed modules, and then of the rest of their projects. */
export function checkTypes(types: TypeService, { budget, longest }: CheckLimits = LIMITS): CheckChange {
  return async (changes, { signal, session }, renamed) => {
    const deadline = AbortSignal.timeout(longest);
    const stop = AbortSignal.any([signal, deadline]);
    const edits = changes
      .filter(({ path }) => isCompiled(path))
      .map(({ path, before, after }) => ({ file: types.files.fileOf(path), before, after }));
    // Without settings a compiler would be started, and load all of its libraries, only to find that out.
    const settled = await Promise.all(edits.map(({ file }) => mayHaveSettings(file)));
    if (!settled.includes(true)) return { type: 'untyped' };
    const query = { changes: edits, budgetMs: budget, projectsOnly: true, renamed };
    try {
      const { unchecked, checked, version, mayDiffer, ...errors } = await types.check(async (all) => {
        const mayDiffer = await mayChangeErrors(all, await types.files.changedBy(session.id));
        return { ...(await findIntroduced(all, query)), version: all.session.version, mayDiffer };
      }, stop);
      const { introduced, kept } = errors;
      types.remember(errors, !mayDiffer);
      if (checked === 0) return { type: 'untyped' };
      const catalog = await types.files.catalog();
      const describe = (diagnostic: SourceDiagnostic): IntroducedProblem => ({
        path: types.files.pathOf(diagnostic.file),
        line: diagnostic.line,
        message: renderTypeError(diagnostic, catalog),
      });
      const problems = introduced.map(describe);
      const left = unchecked.filter((file) => catalog.moduleOf(file) !== undefined);
      return { type: 'checked', problems, kept: kept.map(({ is }) => describe(is)), unchecked: left.length, version };
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) return { type: 'unknown', reason: `it takes longer than ${longest / 1000} seconds` };
      if (error instanceof TypeServiceError) return { type: 'unknown', reason: error.message };
      throw error;
    }
  };
}

const BUDGET_MS = 60_000;
/** Maximum number of files of the root folder that are named, and of lines that an error is named with. */
const MOST_FILES = 5;
const MOST_LINES = 8;
const MOST_SETTINGS = 10;
const LONGEST_SENTENCE = 160;

/**
 * Lists the type errors of a module, a package or folder, or the project, preceded by their number. Code gets a row for
 * each problem.
 *
 * @throws ResourceError when nothing has the address, or types cannot be checked
 */
export async function listDiagnostics(
  base: CodeBase,
  types: TypeService,
  { request, context }: { readonly request: ArgsOf<'diagnostics'>; readonly context: ToolContext },
): Promise<ToolOutput> {
  const { files } = types;
  const { signal, definition } = context;
  const { page } = request;
  const target = await resolveAddress(base, { address: request.target, definition, files: context.files });
  const catalog = await base.catalog();
  const all = listTargetModules(target, catalog);
  const modules = await putChangedFirst(
    base,
    all.filter(({ path }) => isCompiled(path)),
    context,
  );
  if (modules.length === 0)
    return { text: describeUntyped(all, getModuleAddress(target)), format: 'plain', whole: () => [] };
  const wanted = modules.map(({ path }) => files.fileOf(path));
  const query = { files: wanted, budgetMs: BUDGET_MS, projectsOnly: modules.length > 1 };
  const changed = await files.changedBy(context.session.id);
  const { checked, mayDiffer } = await queryTypes(
    types.check(async (all) => {
      const mayDiffer = await mayChangeErrors(all, changed);
      return { checked: await findDiagnostics(all, query), mayDiffer };
    }, signal),
    `<R:${request.target}>`,
  );
  const { report, missing, line } = await separateMissing(checked, { root: base.root, catalog });
  const groups = [...Map.groupBy(report.diagnostics, ({ file }) => file)].map(([file, rows]) => {
    const module = nameModule(file, catalog);
    const render = (one: (typeof rows)[number]) =>
      renderTypeError(one, catalog) + (types.isNew(one) === true ? ' (new)' : '');
    const rest = modules.length === 1 ? undefined : context.tag(`<diagnostics:${module}>`);
    return { module, lines: joinEqual(rows, render, rest) };
  });
  const summary = summarizeReport(report, getModuleAddress(target), modules.length);
  const untyped = all.length === modules.length ? [] : [`not checked: ${describeLanguages(all)}`];
  const errors = checked.diagnostics.map((one) => ({ was: one, is: one }));
  // Files of no project are checked with each other.
  if (!mayDiffer && (changed.length === 0 || report.loose.length === 0))
    types.remember({ introduced: [], kept: [], moved: errors }, true);
  const old = mayDiffer ? report.diagnostics.filter((one) => types.isNew(one) === false).length : 0;
  // Of the others it may not be known.
  const least = report.diagnostics.some((one) => types.isNew(one) === undefined) ? 'at least ' : '';
  const count = old === report.total ? 'all' : `${least}${old}`;
  const before = old === 0 ? [] : [`there before this session: ${count} of them`];
  const again = report.isOutOfTime ? [`the rest: ${context.tag(`<diagnostics:${request.target}>`)} again`] : [];
  const first = line === undefined ? [summary] : [line, summary.replace(/^\w+ /, '$&other ')];
  const head = [...first, ...before, ...renderRemarks(report, modules, catalog), ...again, ...untyped];
  const others = [
    ...missing.map((one) => ({
      path: nameModule(one.file, catalog),
      line: one.line,
      text: renderTypeError(one, catalog),
    })),
    ...listOtherProblems(checked, catalog),
  ];
  const call = `diagnostics:${request.target}`;
  return { ...outputModuleRows({ head, groups, others, page, call, context }), rows: checked.total };
}

/** Sorts modules that the session has changed to the beginning: there may be no time for all. */
async function putChangedFirst(
  base: CodeBase,
  modules: readonly CodeModule[],
  { session }: ToolContext,
): Promise<readonly CodeModule[]> {
  const own = (await base.root.operations()).filter((one) => one.session === session.id);
  const changed = new Set(own.map(({ path }) => path));
  return modules.toSorted((a, b) => Number(changed.has(b.path)) - Number(changed.has(a.path)));
}

/** Describes modules that the TypeScript compiler cannot read. */
function describeUntyped(modules: readonly CodeModule[], name: string): string {
  const where = name === '' ? 'the project' : name;
  return modules.length === 0
    ? `nothing was checked: there is no TypeScript or JavaScript in ${where}`
    : `nothing was checked: types are checked in TypeScript and JavaScript only, and ${where} has ${describeLanguages(modules)}`;
}

/** Returns `12 .vue modules` for the modules that the TypeScript compiler cannot read. */
function describeLanguages(modules: readonly CodeModule[]): string {
  const others = modules.map(({ path }) => path).filter((path) => !isCompiled(path));
  const endings = [...new Set(others.map((path) => extname(path)))];
  return formatQuantity(others.length, `${endings.join(', ')} module`);
}

/** Summarizes a check in one line: the number of errors, of how many modules. */
export function summarizeReport(report: DiagnosticReport, name: string, all: number): string {
  const { total, diagnostics, unchecked } = report;
  const where = name === '' ? 'the project' : name;
  const how = `checked${describeCompiler(report)}`;
  const checked = all - unchecked.length;
  if (total === 0) {
    const missed = listMissed(report).length;
    if (missed > 0) return `no type errors in ${checked} of the ${all} modules of ${where} (${how})`;
    return `no type errors in ${where} (${formatQuantity(checked, 'module')} ${how})`;
  }
  const count = new Set(diagnostics.map(({ file }) => file)).size;
  const scope = checked === 1 ? '1 module' : `in ${count} of the ${checked} modules`;
  return `${formatQuantity(total, 'type error')} in ${where} (${scope} ${how})`;
}

/** Names the version of TypeScript that checked a project with its own TypeScript. */
function describeCompiler({ version, installed }: DiagnosticReport): string {
  if (installed === undefined) return '';
  return ` with TypeScript ${version}${version === installed ? '' : `, not with the project's ${installed}`}`;
}

/**
 * Renders errors; equal ones are joined, with all of their lines: `12, 40, 51: TS2339: …`.
 *
 * @param rest the tag that shows the lines that are left out of a long list. Default: none is left out
 */
function joinEqual<T extends { readonly line: number }>(
  errors: readonly T[],
  render: (error: T) => string,
  rest: string | undefined,
): readonly ShownLine[] {
  return [...Map.groupBy(errors, render)].map(([text, equal]) => {
    const lines = [...new Set(equal.map(({ line }) => String(line)))];
    const more = lines.length - MOST_LINES;
    const isWhole = rest === undefined || more <= 0;
    const places = isWhole ? lines.join(', ') : `${lines.slice(0, MOST_LINES).join(', ')} and ${more} more (${rest})`;
    return { shown: `${places}: ${text}`, rows: equal.map(({ line }) => ({ line, text })) };
  });
}

function nameModule(file: string, catalog: CodeCatalog): string {
  return catalog.moduleOf(file)?.name ?? relative(catalog.root, file);
}

/**
 * Lists the problems of a check besides type errors, as rows for code: problems with settings, which make type errors
 * unreliable, and modules that could not be checked. A module that no tsconfig includes does not count as a problem.
 */
export function listOtherProblems(report: DiagnosticReport, catalog: CodeCatalog): readonly CodeRow[] {
  const settings = report.problems.map(({ file, line = 1, code, message }) => {
    return { path: relative(catalog.root, file), line, text: `TS${code}: ${firstSentence(message)}` };
  });
  const text = `not checked (${describeMissed(report)})`;
  const missed = listMissed(report).map((file) => ({ path: nameModule(file, catalog), line: 1, text }));
  return [...new Map(settings.map((row) => [JSON.stringify(row), row])).values(), ...missed];
}

/** Describes the limits of a check: problems with settings, and the unchecked files with the reason. */
export function renderRemarks(
  report: DiagnosticReport,
  modules: readonly CodeModule[],
  catalog: CodeCatalog,
): readonly string[] {
  const { unchecked, loose } = report;
  const settings = listSettingsProblems(report, catalog);
  const more = settings.length - MOST_SETTINGS;
  const names = (files: readonly string[]) => nameFilesByFolder(files.map((file) => relative(catalog.root, file)));
  const remarks = settings.slice(0, MOST_SETTINGS);
  if (more > 0) remarks.push(`settings: ${more} more problems`);
  const missed = listMissed(report);
  if (missed.length > 0) remarks.push(`not checked (${describeMissed(report)}): ${names(missed)}`);
  if (loose.length >= modules.length) {
    if (modules.length > 0) remarks.push(describeDefaults(modules));
  } else if (loose.some((file) => unchecked.includes(file))) {
    remarks.push(`left out, since they are in no tsconfig: ${names(loose)}`);
  }
  return remarks;
}

/** Names files by their folders: `test/ (35 files), src/a.ts, vite.config.ts`. */
function nameFilesByFolder(paths: readonly string[]): string {
  const folders = Map.groupBy(paths, (path) => path.split('/').slice(0, -1).at(0) ?? '');
  const own = folders.get('') ?? [];
  const others = own.length - MOST_FILES;
  const below = [...folders].filter(([folder]) => folder !== '');
  return [
    ...below.map(([folder, files]) => (files.length === 1 ? files[0]! : `${folder}/ (${files.length} files)`)),
    ...own.slice(0, MOST_FILES),
    ...(others > 0 ? [`${formatQuantity(others, 'other file')} of the root folder`] : []),
  ].join(', ');
}

/**
 * Describes a check without settings: of JavaScript, the compiler checks only the syntax; it checks TypeScript with its
 * defaults.
 */
function describeDefaults(modules: readonly CodeModule[]): string {
  return modules.every(({ path }) => isJavaScript(path))
    ? 'only syntax was checked: no tsconfig or jsconfig includes this JavaScript'
    : "no tsconfig includes this: checked with the compiler's defaults";
}

/** Lists problems with settings, one line each. Settings files are not modules: they are named with their package. */
function listSettingsProblems({ problems }: DiagnosticReport, catalog: CodeCatalog): string[] {
  const rows = problems.map(({ file, code, message }) => {
    const path = relative(catalog.root, file);
    const owner = catalog.packages.find(({ folder }) => folder !== '' && path.startsWith(`${folder}/`));
    const where = owner === undefined ? basename(file) : `${basename(file)} of ${owner.label}`;
    return `settings: ${where}: TS${code}: ${firstSentence(message)}`;
  });
  return [...new Set(rows)];
}

/** Returns the first sentence; the rest of such a message explains how the compiler found the problem. */
function firstSentence(message: string): string {
  return message.replace(/(?<=[.'"]) (?=[A-Z]).*$/s, '').slice(0, LONGEST_SENTENCE);
}

function listMissed({ unchecked, loose }: DiagnosticReport): readonly string[] {
  return unchecked.filter((file) => !loose.includes(file));
}

function describeMissed({ isOutOfTime }: DiagnosticReport): string {
  return isOutOfTime ? 'no time' : 'unreadable';
}
