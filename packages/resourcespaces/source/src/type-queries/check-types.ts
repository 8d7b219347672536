import type { ChangeVerdict, CheckChange } from '../change/check-change.ts';
import type { IntroducedReport } from '../type-service/find-introduced.ts';
import type { ModuleFiles } from '../type-service/module-files.ts';
import { TypeServiceError } from '../type-service/type-service-error.ts';
import type { TypeService } from '../type-service/type-service.ts';
import { renderTypeError } from './query-types.ts';

/** The limits of a check, in milliseconds: no module is begun after `budget`, and `longest` ends the check. */
export interface CheckLimits {
  readonly budget: number;
  readonly longest: number;
}

const LIMITS: CheckLimits = { budget: 8000, longest: 20_000 };

/** Creates a type check of changes: of the changed modules, and then of the rest of their projects. */
export function checkTypes(types: TypeService, { budget, longest }: CheckLimits = LIMITS): CheckChange {
  return async (changes, signal) => {
    const deadline = AbortSignal.timeout(longest);
    const stop = AbortSignal.any([signal, deadline]);
    const edits = changes.map(({ path, before, after }) => ({
      file: types.files.fileOf(path),
      before: before ?? null,
      after,
    }));
    const query = { changes: edits, budgetMs: budget, projectsOnly: true };
    try {
      return await toVerdict(await types.introduced(query, stop), types.files);
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) return { type: 'unknown', reason: `it takes longer than ${longest / 1000} seconds` };
      if (error instanceof TypeServiceError) return { type: 'unknown', reason: error.message };
      throw error;
    }
  };
}

async function toVerdict(
  { introduced, unchecked, checked }: IntroducedReport,
  files: ModuleFiles,
): Promise<ChangeVerdict> {
  if (checked === 0) return { type: 'untyped' };
  const { folder } = files;
  const catalog = await files.catalog();
  const problems = introduced.map((diagnostic) => ({
    path: files.pathOf(diagnostic.file),
    line: diagnostic.line,
    message: renderTypeError(diagnostic, { folder, catalog }),
  }));
  const left = unchecked.filter((file) => catalog.moduleAt(files.pathOf(file)) !== undefined);
  return { type: 'checked', problems, unchecked: left.length };
}
