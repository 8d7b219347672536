import { sectionTemplate } from './section-template.ts';
import type { ProblemWords } from './problem-words.ts';
import { parentWords } from './render-no-parent.ts';
import { taskLines } from './render-task.ts';
import { formatPriority } from '../task-priority.ts';
import type { TaskProblem } from '../task-problem.ts';
import { PLANNING } from '../rules/task-sections.ts';
import { taskTag } from './task-tag.ts';
import type { TagWriter } from './tag-writer.ts';
import { LABELS, mentionList } from './task-words.ts';

type Problem<K extends TaskProblem['kind']> = Extract<TaskProblem, { readonly kind: K }>;

/** Longest body that an example repeats, in characters. */
const LONGEST_BODY = 400;

function noTask({ field, id, last }: Problem<'no-task'>): ProblemWords {
  const fact = `no task ${id}. ${last === 0 ? 'There are none yet.' : `Their ids go from 1 to ${last}.`}`;
  const next = last === 0 ? [taskTag({ title: 'First task' })] : [`<R:${last}>`, '<R:>'];
  return { fact, field, expected: 'the id of a task', sent: id, next };
}

function final({ field, sent, task }: Problem<'final'>): ProblemWords {
  const fact = `task ${task.id} is ${task.status} (final). Create a new task.`;
  const expected = field === 'parent' ? 'a task that is not finished' : 'no change of a finished task';
  return { fact, field, expected, sent, next: [taskTag({ title: task.title })] };
}

function blocked({ task, by, wanted }: Problem<'blocked'>): ProblemWords {
  const ids = by.map(({ id }) => id);
  const expected = `cancelled, or nothing until ${ids.join(', ')} ${ids.length === 1 ? 'is' : 'are'} finished`;
  const removal = ids.length === 1 ? `-${ids[0]}` : `"${ids.map((id) => `-${id}`).join(', ')}"`;
  return {
    fact: `task ${task.id} is blocked by ${mentionList(by)}.`,
    field: 'status',
    expected,
    sent: wanted,
    next: [`<R:${ids[0]}>`, `<E:${task.id} after=${removal}>`],
  };
}

function unfinished({ task, sections: missing, children }: Problem<'unfinished'>): ProblemWords {
  const { id } = task;
  const status = children.length === 0 ? ' status=done' : '';
  const fill = missing.length === 0 ? [] : [`<E:${id}${status}>\n${sectionTemplate(missing)}\n</E>`];
  return {
    fact: `task ${id} cannot be done yet.`,
    details: [
      ...(missing.length === 0 ? [] : [`missing sections: ${missing.join(', ')}`]),
      ...(children.length === 0 ? [] : [`unfinished children: ${mentionList(children)}`]),
    ],
    field: 'status',
    expected: 'done only when nothing of this is left',
    sent: 'done',
    next: [...(children.length === 0 ? [] : [`<R:parent:${id}>`]), ...fill],
  };
}

function sections({ id, title, body, priority, missing }: Problem<'sections'>): ProblemWords {
  const isShort = Array.from(body).length <= LONGEST_BODY && !body.includes('</');
  const filled = `${isShort && body !== '' ? `${body}\n` : ''}${sectionTemplate(isShort ? missing : PLANNING)}`;
  const major = formatPriority(priority);
  const next =
    id === undefined ? taskTag({ title, priority, body: filled }) : `<E:${id} priority=${major}>\n${filled}\n</E>`;
  return {
    fact: `a major needs sections, and ${missing.length} ${missing.length === 1 ? 'is' : 'are'} missing.`,
    details: [`missing sections: ${missing.join(', ')}`],
    field: 'body',
    expected: `elements with content: ${PLANNING.join(', ')}`,
    sent: body,
    next: [next],
  };
}

function cycle({ field, path }: Problem<'cycle'>): ProblemWords {
  const [task, other = task] = path;
  const expected =
    field === 'after' ? `tasks that do not wait for ${task} themselves` : `a task that is no part of ${other}`;
  return {
    fact: `cycle: ${path.join(' -> ')}`,
    field,
    expected,
    sent: field === 'after' ? other : task,
    next: [`<R:${other}>`],
  };
}

function conflict({ task, version }: Problem<'conflict'>, tag: TagWriter): ProblemWords {
  return {
    fact: `task ${task.id} is at version ${task.version}, not ${version}: it was changed since. Nothing of the edit was done.`,
    details: taskLines(task, tag),
    field: 'version',
    expected: String(task.version),
    sent: version,
    next: [`<R:history:${task.id}>`],
  };
}

function gate({ task }: Problem<'gate'>): ProblemWords {
  const { id, status } = task;
  return {
    fact: `task ${id} (${LABELS[status]}) is user-gated; only the user can take that back (bae tasks edit ${id} gated=false).`,
    field: 'gated',
    expected: 'true, or nothing',
    sent: false,
    next: [`<R:${id}>`],
  };
}

const WORDS: { readonly [K in TaskProblem['kind']]: (problem: Problem<K>, tag: TagWriter) => ProblemWords } = {
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
export function problemWords(problem: TaskProblem, tag: TagWriter): ProblemWords {
  const words = WORDS[problem.kind] as (problem: TaskProblem, tag: TagWriter) => ProblemWords;
  return words(problem, tag);
}
