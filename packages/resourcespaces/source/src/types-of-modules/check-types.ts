import type { ChangeVerdict, CheckChange, ProposedChange } from '../change/check-change.ts';
import type { ModuleIndex } from '../modules/module-index.ts';
import type { IntroducedReport, TextChange } from '../type-service/find-introduced.ts';
import { TypeServiceError } from '../type-service/type-service-error.ts';
import type { ModuleTypes } from './module-types.ts';
import { plainMessage } from './plain-message.ts';

/** How long a check may take, in milliseconds. */
export interface CheckLimits {
  /** After this no further module is begun. */
  readonly budget: number;
  /** After this nothing is waited for any more. */
  readonly longest: number;
}

/** What a check is made with. */
export interface CheckedProject {
  readonly types: ModuleTypes;
  readonly index: ModuleIndex;
  /** Absolute path. */
  readonly folder: string;
}

const LIMITS: CheckLimits = { budget: 8000, longest: 20_000 };

/** A check of changes by the types of the project: what is changed, and then the rest of its projects. */
export function checkTypes(project: CheckedProject, { budget, longest }: CheckLimits = LIMITS): CheckChange {
  const { types } = project;
  return async (changes, signal) => {
    const deadline = AbortSignal.timeout(longest);
    const stop = AbortSignal.any([signal, deadline]);
    const query = { changes: changes.map((one) => proposed(one, types)), budgetMs: budget, projectsOnly: true };
    try {
      return await verdictOf(await types.ask((service) => service.introduced(query, stop), stop), project);
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) return { type: 'unknown', reason: `it takes longer than ${longest / 1000} seconds` };
      if (error instanceof TypeServiceError) return { type: 'unknown', reason: error.message };
      throw error;
    }
  };
}

function proposed({ path, before, after }: ProposedChange, { files }: ModuleTypes): TextChange {
  return { file: files.fileOf(path), before: before ?? null, after };
}

async function verdictOf(
  { introduced, unchecked, checked }: IntroducedReport,
  { types: { files }, index, folder }: CheckedProject,
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
