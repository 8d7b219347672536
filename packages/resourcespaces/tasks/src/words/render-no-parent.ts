import type { ProblemWords } from './problem-words.ts';
import { formatPriority, levelOf } from '../task-priority.ts';
import type { TaskProblem } from '../task-problem.ts';
import { exampleFields, type CallWriter } from './call-writer.ts';
import { clip, mentionList } from './task-words.ts';

type NoParent = Extract<TaskProblem, { readonly kind: 'no-parent' }>;

/** What is said of a priority that belongs to no task, or to more than one. */
export function parentWords(problem: NoParent, write: CallWriter): ProblemWords {
  const { priority, wanted, candidates } = problem;
  const [child, parent] = [formatPriority(priority), formatPriority(wanted)];
  const level = levelOf(priority);
  const none = `no unfinished task ${parent} for the ${level} ${child} to be a part of.`;
  const several = `more than one unfinished task is ${parent}: ${mentionList(candidates)}.`;
  return {
    fact: candidates.length === 0 ? none : several,
    details: [majorList(problem)],
    field: 'priority',
    expected: candidates.length === 0 ? 'one whose parent is there, or parent=ID' : 'parent=ID with it',
    sent: child,
    next: nextOf(problem, write),
  };
}

function majorList({ majors }: NoParent): string {
  const list = majors.map(({ id, title, priority }) => `${formatPriority(priority)} (task ${id}: ${clip(title, 50)})`);
  return list.length === 0 ? 'majors: none yet' : `majors: ${list.join(', ')}`;
}

function nextOf({ id, title, priority, candidates, majors }: NoParent, write: CallWriter): readonly string[] {
  const [parent] = [...candidates, ...majors];
  const [major] = majors;
  const here = { priority, parent: parent?.id };
  const minor = major && { priority: { ...major.priority, minor: 1 } };
  const wishes = [...(parent === undefined ? [{}] : [here]), ...(candidates.length === 0 && minor ? [minor] : [])];
  if (id === undefined) return wishes.map((wish) => write.create({ title, ...wish }));
  return wishes
    .map(exampleFields)
    .map((fields) => (Object.keys(fields).length === 0 ? write.show(id) : write.edit(id, fields)));
}
