import type { ToolContext, ToolOutput } from '@bae/core';
import { counted } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { modulesOfTarget } from '../address/modules-of-target.ts';
import type { Target } from '../address/target.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { DiagnosticReport } from '../type-service/find-diagnostics.ts';
import { answerAboutTypes, type ModuleTypes } from '../module-types/module-types.ts';
import { plainMessage } from '../module-types/plain-message.ts';
import { diagnosticRemarks } from './diagnostic-remarks.ts';
import { diagnosticRows } from './diagnostic-rows.ts';
import { renderModuleRows } from './module-rows.ts';
import { pageTag } from '../read/page-tag.ts';

/** What to check. */
export interface DiagnosticsRequest {
  readonly target: string;
  /** 1-based. */
  readonly page: number;
}

/** Milliseconds after which no further module is begun. */
const BUDGET_MS = 60_000;

/**
 * The type errors of a module, a package or folder, or the project: how many, then which. Code gets a row for each
 * problem, and `''` when there is none.
 *
 * @throws ResourceError when nothing has the address, or there can be no answer
 */
export async function listDiagnostics(
  base: CodeBase,
  types: ModuleTypes,
  { request, context }: { readonly request: DiagnosticsRequest; readonly context: ToolContext },
): Promise<ToolOutput> {
  const target = await resolveAddress(base, { address: request.target, verb: 'diagnostics' });
  const catalog = await base.catalog();
  const modules = modulesOfTarget(target, catalog);
  const files = modules.map(({ path }) => types.files.fileOf(path));
  const query = { files, limit: Infinity, budgetMs: BUDGET_MS, projectsOnly: modules.length > 1 };
  const { signal } = context;
  const answer = types.ask((service) => service.diagnostics(query, signal), signal);
  const report = await answerAboutTypes(answer, `<R:${request.target}>`);
  const name = nameOf(target);
  const groups = groupsOf(report, { catalog, types, folder: base.root.folder });
  const remarks = diagnosticRemarks(report, { modules, catalog, files: types.files });
  const head = [sentence(report, { name, checked: modules.length - report.unchecked.length }), ...remarks];
  const tagOf = pageTag(`diagnostics:${request.target}`, context);
  const text = renderModuleRows({ head, groups, page: request.page, tagOf });
  const output = { text, format: 'plain', rows: report.total, paged: true } as const;
  if (request.page > 1) return output;
  return { ...output, whole: () => diagnosticRows(report, groups, { catalog, files: types.files }) };
}

function nameOf(target: Target): string {
  return target.kind === 'folder' ? target.folder.name : target.source.module.name;
}

function sentence({ total, diagnostics }: DiagnosticReport, { name, checked }: { name: string; checked: number }) {
  const where = name === '' ? 'the project' : name;
  if (total === 0) return `no type errors in ${where} (${counted(checked, 'module')} checked)`;
  const count = new Set(diagnostics.map(({ file }) => file)).size;
  return `${counted(total, 'type error')} in ${where} (${counted(count, 'module')} of ${checked} checked)`;
}

function groupsOf(
  { diagnostics }: DiagnosticReport,
  { catalog, types, folder }: { readonly catalog: CodeCatalog; types: ModuleTypes; folder: string },
) {
  const byFile = Map.groupBy(diagnostics, ({ file }) => types.files.pathOf(file));
  return [...byFile].map(([path, found]) => ({
    module: catalog.moduleAt(path)?.name ?? path,
    lines: found.map((one) => `${one.line}: ${plainMessage(one, { folder, catalog })}`),
  }));
}
