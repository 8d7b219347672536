import { ConflictError, ParameterError, ResourceError } from '@bae/core';
import { StoreError } from '@bae/store';
import type { TaskTool } from './arguments/task-params.ts';
import { TaskRuleError, type TaskProblem } from './task-problem.ts';
import { usageOf } from './task-tools.ts';
import type { CallWriter } from './words/call-writer.ts';
import { problemWords } from './words/render-problem.ts';
import { clip } from './words/task-words.ts';

/** Longest value that is quoted, in characters. */
const LONGEST_SENT = 80;

/** The call that a problem is explained to, and how to write others. */
export interface ExplainedCall {
  readonly name: TaskTool;
  readonly write: CallWriter;
}

/**
 * Does the work of a tool: the one place where the rules of tasks become errors of bae.
 *
 * @throws ResourceError, ParameterError or ConflictError for what the rules forbid; else what the work throws
 */
export function explainProblems<T>(call: ExplainedCall, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TaskRuleError) throw explainRule(error, call);
    throw error instanceof StoreError ? ofTasks(error) : error;
  }
}

const CLASSES: Partial<Record<TaskProblem['kind'], typeof ResourceError>> = {
  sections: ParameterError,
  conflict: ConflictError,
};

function explainRule(error: TaskRuleError, { name, write }: ExplainedCall): Error {
  const { kind } = error.problem;
  const { fact, details = [], field, expected, sent, next } = problemWords(error.problem, write);
  const problem = `- ${field}: expected ${expected}; got ${clip(JSON.stringify(sent) ?? 'nothing', LONGEST_SENT)}`;
  const message = [fact, ...details, problem, `Usage: ${usageOf(name)}`].join('\n');
  return new (CLASSES[kind] ?? ResourceError)(message, next, error);
}

/** The database of sessions can be another file; that of tasks cannot. */
function ofTasks({ message, hints, cause }: StoreError): StoreError {
  const own = hints.filter((hint) => !hint.includes('--db'));
  return new StoreError(message, own, cause);
}
