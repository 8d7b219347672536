import { ConflictError, ParameterError, ResourceError, type ToolContext } from '@bae/core';
import { StoreError } from '@bae/store';
import { problemWords } from './words/render-problem.ts';
import { TaskRuleError, type TaskProblem } from './task-problem.ts';
import { tagWriter } from './words/tag-writer.ts';
import { clip } from './words/task-words.ts';
import { usageOf, type TaskTool } from './words/usage-of.ts';

/** Longest value that is quoted, in characters. */
const LONGEST_SENT = 80;

/** For which call something is told. */
export interface Telling {
  readonly name: TaskTool;
  /** Words a tag for whoever made the call. Default: as it is. */
  readonly tag?: ToolContext['tag'];
}

/**
 * Does the work of a tool, and tells in bae's errors what stands against it: the one place where the rules of tasks
 * become errors of bae.
 *
 * @throws ResourceError, ParameterError or ConflictError for what the rules forbid; else what the work throws
 */
export function telling<T>(call: Telling, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TaskRuleError) throw asBaeError(error, call);
    throw error instanceof StoreError ? ofTasks(error) : error;
  }
}

const CLASSES: Partial<Record<TaskProblem['kind'], typeof ResourceError>> = {
  sections: ParameterError,
  conflict: ConflictError,
};

function asBaeError(error: TaskRuleError, { name, tag }: Telling): Error {
  const { kind } = error.problem;
  const { fact, details = [], field, expected, sent, next } = problemWords(error.problem, tagWriter(tag));
  const problem = `- ${field}: expected ${expected}; got ${clip(JSON.stringify(sent) ?? 'nothing', LONGEST_SENT)}`;
  const message = [fact, ...details, problem, `Usage: ${usageOf(name)}`].join('\n');
  return new (CLASSES[kind] ?? ResourceError)(message, next, error);
}

/** The database of sessions can be another file; that of tasks cannot. */
function ofTasks({ message, hints, cause }: StoreError): StoreError {
  const own = hints.filter((hint) => !hint.includes('--db'));
  return new StoreError(message, own, cause);
}
