import { BaeError } from '@bae/core';
import { renderError } from '@bae/core/pipeline';
import { TaskClient, type TaskResult, type TaskPage } from '@bae/tasks';
import { locateTasks, resolveRoot } from '../config/settings.ts';
import { TASK_COMMANDS } from '../tasks/task-commands.ts';
import { parseTaskRequest, type TaskRequest } from '../tasks/task-request.ts';
import { renderTaskTable } from '../tasks/task-table.ts';
import { createPainter, makeVisible, type Painter } from '../terminal/terminal-text.ts';
import { readAll } from '../terminal/piped-input.ts';
import { printResult, type CommandContext } from '../command-line/command.ts';

/** `bae tasks`: the tasks that agents and a person share, for the person. */
export async function runTasks(context: CommandContext): Promise<number> {
  const { positionals, options, terminal } = context;
  const request = await readBody(parseTaskRequest(positionals), context);
  const file = locateTasks(resolveRoot(options, terminal.cwd));
  const client = new TaskClient({ file, caller: 'user' }, options.json ? undefined : TASK_COMMANDS);
  try {
    const answer = await client.call(request.tool, request.args, request.most);
    printResult(context, serializeTasks(answer), () =>
      answer.kind === 'list' || answer.kind === 'matches'
        ? renderRows(answer, request, context)
        : renderText(client.render(answer), createPainter(terminal.out)),
    );
    return 0;
  } catch (error) {
    if (!BaeError.is(error)) throw error;
    const { errorType, text } = renderError(error);
    if (options.json) terminal.out.write(`${JSON.stringify({ error: { type: errorType, message: text } })}\n`);
    else terminal.err.write(`bae: ${makeVisible(explain(error))}\n`);
    return 1;
  } finally {
    client.close();
  }
}

/** `body=-` stands for standard input. */
async function readBody(request: TaskRequest, { terminal, signal }: CommandContext): Promise<TaskRequest> {
  if (request.args['body'] !== '-') return request;
  const body = (await readAll(terminal.input, signal)).replace(/\n$/, '');
  return { ...request, args: { ...request.args, body } };
}

function serializeTasks(answer: TaskResult): object {
  switch (answer.kind) {
    case 'task':
      return { task: answer.task };
    case 'history':
      return { id: answer.page.task.id, changes: answer.page.entries, total: answer.page.task.changes };
    case 'created':
    case 'edited':
      return answer.outcome;
    default:
      return { tasks: answer.page.tasks, total: answer.page.total, next: findNextRow(answer.page) };
  }
}

/** The error without the usage, which is that of the tool and not of the command. */
function explain({ name, message, hints }: BaeError): string {
  const usage = message.lastIndexOf('\nUsage: ');
  const problem = usage === -1 ? message : message.slice(0, usage);
  return `${name}: ${problem}${hints.length === 0 ? '' : `\nTry: ${hints.join(', ')}`}`;
}

function renderRows(
  answer: Extract<TaskResult, { kind: 'list' | 'matches' }>,
  { args }: TaskRequest,
  { terminal }: CommandContext,
): readonly string[] {
  const paint = createPainter(terminal.out);
  const { page } = answer;
  if (page.total === 0) return [answer.kind === 'matches' ? '(no matches)' : '(no tasks) bae tasks add "…" makes one.'];
  if (page.tasks.length === 0) return [`(there is no row ${page.first}, only ${page.total})`];
  const waiting = page.tasks.filter(({ pending }) => pending === 'done').map(({ id }) => id);
  const next = findNextRow(page);
  const { target = '', text = '' } = args;
  const again = answer.kind === 'matches' ? `grep ${text}` : `list ${target}`.trimEnd();
  return [
    ...renderTaskTable(page.tasks, terminal.out, paint),
    ...waiting.map((id) => paint('hint', `Task ${id} waits for you to confirm it: bae tasks done ${id}`)),
    ...(next === undefined ? [] : [`More: bae tasks ${again} from=${next}`]),
  ];
}

function findNextRow({ isLast, first, tasks }: TaskPage): number | undefined {
  return isLast ? undefined : first + tasks.length;
}

/** The first line is the result. */
function renderText(text: string, paint: Painter): readonly string[] {
  const [news = '', ...rest] = makeVisible(text).split('\n');
  return [paint('strong', news), ...rest];
}
