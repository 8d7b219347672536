import { sectionTemplate } from './section-template.ts';
import type { ProblemWords } from './problem-words.ts';
import { parentWords } from './render-no-parent.ts';
import { taskLines } from './render-task.ts';
import { formatPriority } from '../task-priority.ts';
import type { TaskProblem } from '../task-problem.ts';
import { PLANNING } from '../rules/task-sections.ts';
import type { CallWriter } from './call-writer.ts';
import { LABELS, mentionList } from './task-words.ts';

type Problem<K extends TaskProblem['kind']> = Extract<TaskProblem, { readonly kind: K }>;

/** Longest body that an example repeats, in characters. */
const LONGEST_BODY = 400;

function noTask({ field, id, last }: Problem<'no-task'>, write: CallWriter): ProblemWords {
  const fact = `no task ${id}. ${last === 0 ? 'There are none yet.' : `Their ids go from 1 to ${last}.`}`;
  const next = last === 0 ? [write.create({ title: 'First task' })] : [write.show(last), write.list('')];
  return { fact, field, expected: 'the id of a task', sent: id, next };
}

function final({ field, sent, task }: Problem<'final'>, write: CallWriter): ProblemWords {
  const fact = `task ${task.id} is ${task.status} (final). Create a new task.`;
  const expected = field === 'parent' ? 'a task that is not finished' : 'no change of a finished task';
  return { fact, field, expected, sent, next: [write.create({ title: task.title })] };
}

function blocked({ task, by, wanted }: Problem<'blocked'>, write: CallWriter): ProblemWords {
  const ids = by.map(({ id }) => id);
  const expected = `cancelled, or nothing until ${ids.join(', ')} ${ids.length === 1 ? 'is' : 'are'} finished`;
  return {
    fact: `task ${task.id} is blocked by ${mentionList(by)}.`,
    field: 'status',
    expected,
    sent: wanted,
    next: [write.show(ids[0]!), write.edit(task.id, { after: ids.map((id) => `-${id}`).join(', ') })],
  };
}

function unfinished({ task, sections: missing, children }: Problem<'unfinished'>, write: CallWriter): ProblemWords {
  const { id } = task;
  const status = children.length === 0 ? { status: 'done' } : {};
  const fill = missing.length === 0 ? [] : [write.edit(id, status, sectionTemplate(missing))];
  return {
    fact: `task ${id} cannot be done yet.`,
    details: [
      ...(missing.length === 0 ? [] : [`missing sections: ${missing.join(', ')}`]),
      ...(children.length === 0 ? [] : [`unfinished children: ${mentionList(children)}`]),
    ],
    field: 'status',
    expected: 'done only when nothing of this is left',
    sent: 'done',
    next: [...(children.length === 0 ? [] : [write.list(`parent:${id}`)]), ...fill],
  };
}

function sections({ id, title, body, priority, missing }: Problem<'sections'>, write: CallWriter): ProblemWords {
  const isShort = Array.from(body).length <= LONGEST_BODY && !body.includes('</');
  const filled = `${isShort && body !== '' ? `${body}\n` : ''}${sectionTemplate(isShort ? missing : PLANNING)}`;
  const next =
    id === undefined
      ? write.create({ title, priority, body: filled })
      : write.edit(id, { priority: formatPriority(priority) }, filled);
  return {
    fact: `a major needs sections, and ${missing.length} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    details: [`missing sections: ${missing.join(', ')}`],
    field: 'body',
    expected: `elements with content: ${PLANNING.join(', ')}`,
    sent: body,
    next: [next],
  };
}

function cycle({ field, path }: Problem<'cycle'>, write: CallWriter): ProblemWords {
  const [task = 0, other = task] = path;
  const expected =
    field === 'after' ? `tasks that do not wait for ${task} themselves` : `a task that is no part of ${other}`;
  return {
    fact: `cycle: ${path.join(' -> ')}`,
    field,
    expected,
    sent: field === 'after' ? other : task,
    next: [write.show(other)],
  };
}

function conflict({ task, version }: Problem<'conflict'>, write: CallWriter): ProblemWords {
  return {
    fact: `task ${task.id} is at version ${task.version}, not ${version}: it was changed since. Nothing of the edit was done.`,
    details: taskLines(task, write),
    field: 'version',
    expected: String(task.version),
    sent: version,
    next: [write.history(task.id)],
  };
}

function gate({ task }: Problem<'gate'>, write: CallWriter): ProblemWords {
  const { id, status } = task;
  return {
    fact: `task ${id} (${LABELS[status]}) is user-gated; only the user can take that back (bae tasks edit ${id} gated=false).`,
    field: 'gated',
    expected: 'true, or nothing',
    sent: false,
    next: [write.show(id)],
  };
}

const WORDS: { readonly [K in TaskProblem['kind']]: (problem: Problem<K>, write: CallWriter) => ProblemWords } = {
  'no-task': noTask,
  final,
  blocked,
  unfinished,
  sections,
  'no-parent': parentWords,
  cycle,
  conflict,
  gate,
};

/** Puts a problem into words. */
export function problemWords(problem: TaskProblem, write: CallWriter): ProblemWords {
  const words = WORDS[problem.kind] as (problem: TaskProblem, write: CallWriter) => ProblemWords;
  return words(problem, write);
}
