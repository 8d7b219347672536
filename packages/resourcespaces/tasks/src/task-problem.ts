import type { SectionName } from './rules/task-sections.ts';
import type { Priority } from './task-fields.ts';
import type { SettableStatus, TaskDetail, TaskMention } from './task.ts';

/** The reason why a task cannot be created or changed: facts only. `explain-problem.ts` renders them. */
export type TaskProblem =
  | { readonly kind: 'no-task'; readonly field: string; readonly id: number; readonly last: number }
  | {
      readonly kind: 'no-title';
      readonly field: string;
      readonly title: string;
      /** The tasks whose titles begin like this, if there is more than one. */
      readonly candidates: readonly TaskMention[];
      /** Other tasks, one of which may be meant. */
      readonly others: readonly TaskMention[];
    }
  | { readonly kind: 'final'; readonly field: string; readonly sent: unknown; readonly task: TaskMention }
  | {
      readonly kind: 'blocked';
      /** Undefined for a new task. */
      readonly id: number | undefined;
      readonly title: string;
      readonly by: readonly TaskMention[];
      readonly wanted: SettableStatus;
    }
  | {
      readonly kind: 'unfinished';
      readonly task: TaskMention;
      readonly sections: readonly SectionName[];
      readonly children: readonly TaskMention[];
    }
  | {
      readonly kind: 'sections';
      /** The task that would become a major; undefined for a new one. */
      readonly id: number | undefined;
      readonly title: string;
      readonly body: string;
      readonly priority: Priority;
      /** The status of a new task, if it is not open. */
      readonly status: SettableStatus | undefined;
      readonly needed: readonly SectionName[];
      readonly missing: readonly SectionName[];
    }
  | {
      readonly kind: 'no-parent';
      readonly id: number | undefined;
      readonly title: string;
      readonly priority: Priority;
      readonly wanted: Priority;
      /** Tasks that could be meant, if there is more than one. */
      readonly candidates: readonly TaskMention[];
      readonly majors: readonly (TaskMention & { readonly priority: Priority })[];
    }
  | {
      readonly kind: 'cycle';
      readonly field: 'after' | 'parent';
      /** Path from a task back to itself: 4, 7, 4. */
      readonly path: readonly number[];
    }
  | { readonly kind: 'conflict'; readonly task: TaskDetail; readonly version: number }
  | { readonly kind: 'gate'; readonly task: TaskMention };

/** A violation of the rules for tasks. Nothing was changed. */
export class TaskRuleError extends Error {
  readonly problem: TaskProblem;

  constructor(problem: TaskProblem) {
    super(`tasks: ${problem.kind}`);
    this.name = 'TaskRuleError';
    this.problem = problem;
  }
}
