import type { ChangeVerdict, CheckChange, ProposedChange } from '../change/check-change.ts';
import type { ModuleIndex } from '../modules/module-index.ts';
import type { IntroducedReport } from '../type-service/find-introduced.ts';
import { TypeServiceError } from '../type-service/type-service-error.ts';
import type { ModuleTypes } from './module-types.ts';
import { plainMessage } from './plain-message.ts';

/** Milliseconds after which no further module is begun, and after which nothing is waited for any more. */
const BUDGET_MS = 8000;
const LONGEST_MS = 20_000;

/** A check of changes by the types of the project: what is changed, and then the rest of its projects. */
export function checkTypes(types: ModuleTypes, index: ModuleIndex, folder: string): CheckChange {
  return async (changes, signal) => {
    const deadline = AbortSignal.timeout(LONGEST_MS);
    try {
      const report = await askWhatComes(types, changes, AbortSignal.any([signal, deadline]));
      return await verdictOf(report, { types, index, folder });
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) return { type: 'unknown', reason: `that takes longer than ${LONGEST_MS / 1000} seconds` };
      if (error instanceof TypeServiceError) return { type: 'unknown', reason: error.message };
      throw error;
    }
  };
}

function askWhatComes(types: ModuleTypes, changes: readonly ProposedChange[], signal: AbortSignal) {
  const asked = changes.map(({ path, before, after }) => {
    return { file: types.files.fileOf(path), before: before ?? null, after };
  });
  const query = { changes: asked, budgetMs: BUDGET_MS, projectsOnly: true };
  return types.ask((service) => service.introduced(query, signal), signal);
}

interface Project {
  readonly types: ModuleTypes;
  readonly index: ModuleIndex;
  readonly folder: string;
}

async function verdictOf(
  { introduced, unchecked, checked }: IntroducedReport,
  { types: { files }, index, folder }: Project,
): Promise<ChangeVerdict> {
  if (checked === 0) return { type: 'untyped' };
  const catalog = await index.catalog();
  const problems = introduced.map((diagnostic) => ({
    path: files.pathOf(diagnostic.file),
    line: diagnostic.line,
    message: plainMessage(diagnostic, { folder, catalog }),
  }));
  const left = unchecked.filter((file) => catalog.moduleAt(files.pathOf(file)) !== undefined);
  return { type: 'checked', problems, unchecked: left.length };
}
