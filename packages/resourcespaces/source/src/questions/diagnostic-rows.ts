import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { DiagnosticReport } from '../type-service/find-diagnostics.ts';
import type { ModuleFiles } from '../module-types/module-types.ts';
import { missedFiles, settingsProblems } from './diagnostic-remarks.ts';
import { rowsForCode, type ModuleLines } from './module-rows.ts';

/**
 * What code gets of a check: a row for each problem, and `''` when there is none. A problem is a type error
 * (`module:12: TS2322: …`), one with settings, which makes type errors doubtful, and a module that should have been
 * checked and could not be. Modules that no tsconfig includes are none.
 */
export function diagnosticRows(
  report: DiagnosticReport,
  groups: readonly ModuleLines[],
  { catalog, files }: { readonly catalog: CodeCatalog; readonly files: ModuleFiles },
): string {
  const missed = missedFiles(report);
  const unchecked = missed.files.map((file) => {
    const path = files.pathOf(file);
    return `${catalog.moduleAt(path)?.name ?? path}: not checked (${missed.why})`;
  });
  return [...rowsForCode(groups), ...settingsProblems(report, { catalog, files }), ...unchecked].join('\n');
}
