import { missingSections } from './missing-sections.ts';
import { levelOf } from '../task-priority.ts';
import { TaskRuleError } from '../task-problem.ts';
import type { Prioritised } from './find-parent.ts';
import { PLANNING } from './task-sections.ts';

/**
 * Makes sure that a task that becomes a major says what a major has to say.
 *
 * @throws TaskRuleError with the sections that are missing
 */
export function checkSections({ body, ...task }: Prioritised & { readonly body: string }): void {
  if (levelOf(task.priority) !== 'major') return;
  const missing = missingSections(body, PLANNING);
  if (missing.length > 0) throw new TaskRuleError({ kind: 'sections', ...task, body, missing });
}
