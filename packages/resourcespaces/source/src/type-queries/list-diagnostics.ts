import { basename, relative } from 'node:path';
import type { ToolContext, ToolOutput } from '@bae/core';
import { formatQuantity } from '@bae/workspace';
import { listFirst, resolveAddress } from '../address/resolve-address.ts';
import { listTargetModules, getModuleAddress } from '../address/target.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { CodeCatalog, CodeModule } from '../modules/code-catalog.ts';
import type { ArgsOf } from '../params.ts';
import { addWhole, listModuleRows, renderModuleRows, type ModuleLines } from '../read/paging.ts';
import type { DiagnosticReport } from '../type-service/find-diagnostics.ts';
import { queryTypes, renderTypeError } from './query-types.ts';
import type { TypeService } from '../type-service/type-service.ts';

/** Milliseconds after which no further module is checked. */
const BUDGET_MS = 60_000;
const MOST_MODULES = 5;
/** Lines that one error is listed with. */
const MOST_LINES = 8;
const MOST_SETTINGS = 3;
/** Longest sentence of a problem with settings, in characters. */
const LONGEST_SENTENCE = 160;

/**
 * The type errors of a module, a package or folder, or the project: how many, then which. Code gets a row for each
 * problem, and `''` when there is none.
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
  const target = await resolveAddress(base, { address: request.target, definition });
  const catalog = await base.catalog();
  const modules = listTargetModules(target, catalog);
  const wanted = modules.map(({ path }) => files.fileOf(path));
  const query = { files: wanted, budgetMs: BUDGET_MS, projectsOnly: modules.length > 1 };
  const report = await queryTypes(types.diagnostics(query, signal), `<R:${request.target}>`);
  const groups = [...Map.groupBy(report.diagnostics, ({ file }) => file)].map(([file, rows]) => ({
    module: nameModule(file, catalog),
    lines: rows.map((one) => `${one.line}: ${renderTypeError(one, catalog)}`),
    shown: countEqual(rows, (one) => renderTypeError(one, catalog)),
  }));
  const summary = summarizeReport(report, getModuleAddress(target), modules.length - report.unchecked.length);
  const head = [summary, ...renderRemarks(report, modules, catalog)];
  const shown = groups.map(({ module, shown: lines }) => ({ module, lines }));
  const text = renderModuleRows({ head, groups: shown, page, call: `diagnostics:${request.target}`, context });
  const output = { text, format: 'plain', rows: report.total, paged: true } as const;
  return addWhole(output, page, () => renderProblems(report, groups, catalog));
}

function summarizeReport({ total, diagnostics }: DiagnosticReport, name: string, checked: number): string {
  const where = name === '' ? 'the project' : name;
  if (total === 0) return `no type errors in ${where} (${formatQuantity(checked, 'module')} checked)`;
  const count = new Set(diagnostics.map(({ file }) => file)).size;
  const scope = checked === 1 ? '1 module' : `in ${count} of the ${checked} modules`;
  return `${formatQuantity(total, 'type error')} in ${where} (${scope} checked)`;
}

/** Rows of errors; those that say the same are one, with all of their lines: `12, 40, 51: TS2339: …`. */
function countEqual<T extends { readonly line: number }>(
  rows: readonly T[],
  render: (row: T) => string,
): readonly string[] {
  return [...Map.groupBy(rows, render)].map(([text, equal]) => {
    const lines = equal.map(({ line }) => line);
    const more = lines.length - MOST_LINES;
    return `${lines.slice(0, MOST_LINES).join(', ')}${more > 0 ? ` and ${more} more` : ''}: ${text}`;
  });
}

function nameModule(file: string, catalog: CodeCatalog): string {
  return catalog.moduleOf(file)?.name ?? relative(catalog.root, file);
}

/**
 * The rows of a check for code, one for each problem: type errors (`module:12: TS2322: …`), problems with settings,
 * which make type errors doubtful, and modules that could not be checked. A module that no tsconfig includes is none.
 */
export function renderProblems(report: DiagnosticReport, groups: readonly ModuleLines[], catalog: CodeCatalog): string {
  const reason = describeMissed(report);
  const missed = listMissed(report).map((file) => `${nameModule(file, catalog)}: not checked (${reason})`);
  return [...listModuleRows(groups), ...listSettingsProblems(report, catalog), ...missed].join('\n');
}

/** What limits a check: problems with settings, and what was not checked, and why. */
export function renderRemarks(
  report: DiagnosticReport,
  modules: readonly CodeModule[],
  catalog: CodeCatalog,
): readonly string[] {
  const { unchecked, loose } = report;
  const settings = listSettingsProblems(report, catalog);
  const more = settings.length - MOST_SETTINGS;
  const names = (some: readonly string[]) => {
    const all = some.map((file) => nameModule(file, catalog));
    return listFirst(all, MOST_MODULES);
  };
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

/** Without settings, the compiler checks only the syntax of JavaScript, and TypeScript by its defaults. */
function describeDefaults(modules: readonly CodeModule[]): string {
  return modules.every(({ path }) => /\.[cm]?jsx?$/.test(path))
    ? 'only syntax was checked: no tsconfig or jsconfig includes this JavaScript'
    : "no tsconfig includes this: checked with the compiler's defaults";
}

/** Problems with settings, a line each. Settings files are no modules: they are named by their package. */
function listSettingsProblems({ problems }: DiagnosticReport, catalog: CodeCatalog): string[] {
  const rows = problems.map(({ file, code, message }) => {
    const path = relative(catalog.root, file);
    const owner = catalog.packages.find(({ folder }) => folder !== '' && path.startsWith(`${folder}/`));
    const where = owner === undefined ? basename(file) : `${basename(file)} of ${owner.label}`;
    return `settings: ${where}: TS${code}: ${firstSentence(message)}`;
  });
  return [...new Set(rows)];
}

/** The rest of such a message explains how the compiler got there. */
function firstSentence(message: string): string {
  return message.replace(/(?<=[.'"]) (?=[A-Z]).*$/s, '').slice(0, LONGEST_SENTENCE);
}

/** Files that should have been checked and could not be. */
function listMissed({ unchecked, loose }: DiagnosticReport): readonly string[] {
  return unchecked.filter((file) => !loose.includes(file));
}

function describeMissed({ isOutOfTime }: DiagnosticReport): string {
  return isOutOfTime ? 'no time' : 'unreadable';
}
