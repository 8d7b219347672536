import { ConflictError, findNearestName, ParameterError, ResourceError, type ToolDefinition } from '@bae/core';
import { renderSignature } from '@bae/core/pipeline';
import { StoreError, type Awaitable } from '@bae/store';
import { renderSectionTemplates } from '../rules/task-sections.ts';
import { formatPriority, getLevel } from '../task-fields.ts';
import { TaskRuleError, type TaskProblem } from '../task-problem.ts';
import type { TaskMention } from '../task.ts';
import { formatExampleFields, type CallWriter } from './call-writer.ts';
import { LABELS, renderMentions, renderTaskLines, shortenText } from './render-task.ts';

/** The call that caused a problem, and the writer for other calls. */
interface ExplainedCall {
  readonly definition: ToolDefinition;
  readonly write: CallWriter;
}

/** The explanation of a problem. */
interface Explanation {
  readonly fact: string;
  /** Further facts, one per line. */
  readonly details?: readonly string[];
  /** The parameter at fault, its expected value, and the value that was sent, if the fact does not contain them. */
  readonly fault?: { readonly field: string; readonly expected: string; readonly sent: unknown };
  /** Calls that would work, most useful first. */
  readonly next: readonly string[];
}

type Problem<K extends TaskProblem['kind']> = Extract<TaskProblem, { readonly kind: K }>;

/** Maximum length of a body that an example repeats, in characters. */
const LONGEST_BODY = 400;
/** Maximum number of tasks with similar titles that are mentioned. */
const MOST_NEAR = 3;
/** Maximum length of a quoted value, in characters. */
const LONGEST_SENT = 80;

const CLASSES: Partial<Record<TaskProblem['kind'], typeof ResourceError>> = {
  sections: ParameterError,
  conflict: ConflictError,
};

/**
 * Runs the work of a tool, and turns violations of the rules for tasks into errors of bae.
 *
 * @throws ResourceError, ParameterError or ConflictError when the rules forbid the call; otherwise the error of the
 *   work
 */
export async function explainProblems<T>(call: ExplainedCall, work: () => Awaitable<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TaskRuleError) throw explainRule(error, call);
    throw error instanceof StoreError ? withoutSessionHints(error) : error;
  }
}

function explainRule(error: TaskRuleError, { definition, write }: ExplainedCall): Error {
  const { problem } = error;
  const explain = EXPLAIN[problem.kind] as (problem: TaskProblem, write: CallWriter) => Explanation;
  const { fact, details = [], fault, next } = explain(problem, write);
  const lines = [fact, ...details];
  if (fault !== undefined) {
    const { field, expected, sent } = fault;
    lines.push(
      `- ${field}: expected ${expected}; got ${shortenText(JSON.stringify(sent) ?? 'nothing', LONGEST_SENT)}`,
      `Usage: ${renderSignature(definition.spec, { style: 'call' })}`,
    );
  }
  return new (CLASSES[problem.kind] ?? ResourceError)(lines.join('\n'), next, error);
}

/** Removes hints that do not apply: the database of sessions can be another file, but that of tasks cannot. */
function withoutSessionHints({ message, hints, cause }: StoreError): StoreError {
  const own = hints.filter((hint) => !hint.includes('--db'));
  return new StoreError(message, own, cause);
}

/** Functions that explain each kind of problem. */
const EXPLAIN: { readonly [K in TaskProblem['kind']]: (problem: Problem<K>, write: CallWriter) => Explanation } = {
  'no-task'({ field, id, last }, write) {
    const fact = `no task ${id}. ${last === 0 ? 'There are none yet.' : `Their ids go from 1 to ${last}.`}`;
    const next = last === 0 ? [write.create('First task')] : [write.show(last), write.list('')];
    return { fact, fault: { field, expected: 'the id of a task', sent: id }, next };
  },
  'no-title'({ field, title, candidates, others }, write) {
    const near = candidates.length > 0 ? candidates : findNearTitles(title, others);
    const called = `called ${JSON.stringify(shortenText(title, LONGEST_SENT))}`;
    const facts =
      candidates.length > 0
        ? [
            `more than one task is ${called}, or begins so`,
            `${renderTitles(candidates, write.titles(`${title}*`))}. Say which by its id.`,
          ]
        : [
            `no task is ${called}`,
            near.length === 0 ? 'No title resembles it.' : `Near: ${renderTitles(near, write.list('all:'))}.`,
          ];
    return {
      fact: facts.join(candidates.length > 0 ? ': ' : '. '),
      fault: { field, expected: 'the id or title of a task', sent: title },
      next: [...near.slice(0, 1).map(({ id }) => write.show(id)), write.list(near.length === 0 ? 'all:' : '')],
    };
  },
  final({ field, sent, task }, write) {
    const fact = `task ${task.id} is ${task.status} (final). Create a new task.`;
    const expected = field === 'parent' ? 'a task that is not finished' : 'no change of a finished task';
    return { fact, fault: { field, expected, sent }, next: [write.create(task.title)] };
  },
  blocked({ id, title, by, wanted }, write) {
    const ids = by.map((task) => task.id);
    const expected = `cancelled, or nothing until ${ids.join(', ')} ${ids.length === 1 ? 'is' : 'are'} finished`;
    return {
      fact: `${id === undefined ? 'the new task' : `task ${id}`} is blocked by ${renderMentions(by)}.`,
      fault: { field: 'status', expected, sent: wanted },
      next: [
        write.show(ids[0]!),
        id === undefined
          ? write.create(title, formatExampleFields({ after: ids }))
          : write.edit(id, { after: ids.map((other) => `-${other}`).join(', ') }),
      ],
    };
  },
  unfinished({ task, sections: missing, children }, write) {
    const { id } = task;
    const status = children.length === 0 ? { status: 'done' } : {};
    const fill = missing.length === 0 ? [] : [write.edit(id, status, renderSectionTemplates(missing))];
    return {
      fact: `task ${id} cannot be done yet.`,
      details: [
        ...(missing.length === 0 ? [] : [`missing sections: ${missing.join(', ')}`]),
        ...(children.length === 0 ? [] : [`unfinished children: ${renderMentions(children)}`]),
      ],
      fault: { field: 'status', expected: 'done only when nothing of this is left', sent: 'done' },
      next: [...(children.length === 0 ? [] : [write.list(`parent:${id}`)]), ...fill],
    };
  },
  sections({ id, title, body, priority, status, needed, missing }, write) {
    const isShort = Array.from(body).length <= LONGEST_BODY && !body.includes('</');
    const filled = `${isShort && body !== '' ? `${body}\n` : ''}${renderSectionTemplates(isShort ? missing : needed)}`;
    const plain = { priority: { ...priority, minor: -1 } };
    const next =
      id === undefined
        ? [
            write.create(title, formatExampleFields({ ...plain, status })),
            write.create(title, formatExampleFields({ priority, status }), filled),
          ]
        : [write.edit(id, formatExampleFields(plain)), write.edit(id, { priority: formatPriority(priority) }, filled)];
    const major = `a major${status === 'done' ? ' that is done' : ''}`;
    const what = `priority ${formatPriority(priority)} makes ${major}, whose body needs`;
    return {
      fact: `${what} ${needed.join(', ')} (missing: ${missing.length === needed.length ? 'all' : missing.join(', ')}); ${priority.major} alone is only urgency.`,
      next,
    };
  },
  cycle({ field, path }, write) {
    const [task = 0, other = task] = path;
    const expected =
      field === 'after' ? `tasks that do not wait for ${task} themselves` : `a task that is no part of ${other}`;
    return {
      fact: `cycle: ${path.join(' -> ')}`,
      fault: { field, expected, sent: field === 'after' ? other : task },
      next: [write.show(other)],
    };
  },
  conflict({ task, version }, write) {
    return {
      fact: `task ${task.id} is at version ${task.version}, not ${version}: it was changed since. Nothing of the edit was done.`,
      details: renderTaskLines(task, write),
      fault: { field: 'version', expected: String(task.version), sent: version },
      next: [write.history(task.id)],
    };
  },
  gate({ task }, write) {
    const { id, status } = task;
    return {
      fact: `task ${id} (${LABELS[status]}) is user-gated; only the user can take that back (bae tasks edit ${id} gated=false).`,
      fault: { field: 'gated', expected: 'true, or nothing', sent: false },
      next: [write.show(id)],
    };
  },
  'no-parent'(problem, write) {
    const { priority, wanted, candidates, majors } = problem;
    const [child, parent] = [formatPriority(priority), formatPriority(wanted)];
    const what = `priority ${child} is a ${getLevel(priority)} of ${parent}, `;
    const list = majors.map(
      (major) => `${formatPriority(major.priority)} (task ${major.id}: ${shortenText(major.title, 50)})`,
    );
    const known = `majors: ${list.length === 0 ? 'none yet' : list.join(', ')}`;
    return {
      fact:
        candidates.length === 0
          ? `${what}and no unfinished task is that (${known}); ${priority.major} alone is only urgency.`
          : `${what}and more than one unfinished task is that: ${renderMentions(candidates)}. Say which with parent=ID.`,
      next: writeParentCalls(problem, write),
    };
  },
};

/** @param all the call that shows all of them */
function renderTitles(tasks: readonly TaskMention[], all: string): string {
  const more = tasks.length - MOST_NEAR;
  const named = tasks.slice(0, MOST_NEAR).map((task) => `${renderMentions([task])} ${shortenText(task.title, 50)}`);
  return `${named.join(', ')}${more > 0 ? `, and ${more} more: ${all}` : ''}`;
}

/** Finds titles that are spelt like a text, then those that share most of its words. */
function findNearTitles(text: string, tasks: readonly TaskMention[]): readonly TaskMention[] {
  const nearest = findNearestName(
    text,
    tasks.map(({ title }) => title),
  );
  const words = new Set(splitTitle(text));
  const countShared = (task: TaskMention): number =>
    task.title === nearest ? Infinity : splitTitle(task.title).filter((word) => words.has(word)).length;
  return tasks
    .filter((task) => countShared(task) > 0)
    .toSorted((a, b) => countShared(b) - countShared(a))
    .slice(0, MOST_NEAR);
}

/** Returns the words of a text that are long enough to say something. */
function splitTitle(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}

function writeParentCalls(problem: Problem<'no-parent'>, write: CallWriter): readonly string[] {
  const { id, title, priority, candidates, majors } = problem;
  const [parent] = [...candidates, ...majors];
  const [major] = majors;
  const plain = { priority: { ...priority, minor: -1, patch: 0 } };
  const here = parent === undefined ? plain : { priority, parent: parent.id };
  const minor = candidates.length === 0 && major && { priority: { ...major.priority, minor: 1 } };
  const examples = minor ? [here, minor] : [here];
  if (id === undefined) return examples.map((example) => write.create(title, formatExampleFields(example)));
  return examples.map((example) => write.edit(id, formatExampleFields(example)));
}
