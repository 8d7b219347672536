import { workingFolder } from '../config/settings.ts';
import { asCommands } from '../tasks/as-commands.ts';
import { taskData } from '../tasks/task-data.ts';
import { nextOf, pageOf, TaskDesk, type TaskReply } from '../tasks/task-desk.ts';
import { taskRequest, type TaskRequest } from '../tasks/task-request.ts';
import { taskTable } from '../tasks/task-table.ts';
import { tasksFile } from '../tasks/tasks-file.ts';
import { makeVisible } from '../terminal/make-visible.ts';
import { painterFor, type Painter } from '../terminal/paint.ts';
import { readAll } from '../terminal/read-all.ts';
import type { CommandContext } from './command.ts';

/** `bae tasks`: what an agent and a person share, for the person. */
export async function runTasks(context: CommandContext): Promise<number> {
  const { positionals, options, terminal, signal } = context;
  const request = await withBody(taskRequest(positionals), context);
  const desk = new TaskDesk(tasksFile(workingFolder(options, terminal.cwd)));
  try {
    const reply = await (request.shape === 'text' ? desk.call(request, signal) : desk.list(request, signal));
    const isFailed = !reply.result.ok;
    if (options.json) terminal.out.write(`${JSON.stringify(taskData(reply))}\n`);
    else if (isFailed) terminal.err.write(`bae: ${errorText(reply)}\n`);
    else terminal.out.write(`${lines(reply, request, context).join('\n')}\n`);
    return isFailed ? 1 : 0;
  } finally {
    await desk.close();
  }
}

/** `body=-` stands for standard input. */
async function withBody(request: TaskRequest, { terminal, signal }: CommandContext): Promise<TaskRequest> {
  if (request.args['body'] !== '-') return request;
  const body = (await readAll(terminal.input, signal)).replace(/\n$/, '');
  return { ...request, args: { ...request.args, body } };
}

/** What a model would be told, without what only a model can use. */
function errorText({ result }: TaskReply): string {
  const told = result.text.split('\n').filter((line) => !/^(?:Usage: | {2}\S)/.test(line));
  return asCommands(makeVisible(told.join('\n')));
}

function lines(reply: TaskReply, request: TaskRequest, { terminal }: CommandContext): readonly string[] {
  const page = pageOf(reply);
  const paint = painterFor(terminal.out);
  if (page === undefined) return textLines(reply.result.text, paint);
  if (page.total === 0)
    return [request.shape === 'matches' ? '(no matches)' : '(no tasks) bae tasks add "…" makes one.'];
  if (page.tasks.length === 0) return [`(there is no row ${page.first}, only ${page.total})`];
  const waiting = page.tasks.filter(({ pending }) => pending === 'done').map(({ id }) => id);
  const next = nextOf(page);
  const { target = '', text = '' } = request.args;
  const again = request.shape === 'matches' ? `grep ${text}` : `list ${target}`.trimEnd();
  return [
    ...taskTable(page.tasks, terminal.out, paint),
    ...waiting.map((id) => paint('hint', `Task ${id} waits for you to confirm it: bae tasks done ${id}`)),
    ...(next === undefined ? [] : [`More: bae tasks ${again} from=${next}`]),
  ];
}

/** The first line is the news; tags are in what comes before the body, which is the user's own. */
function textLines(text: string, paint: Painter): readonly string[] {
  const visible = makeVisible(text);
  const end = visible.indexOf('\n\n');
  const head = asCommands(end === -1 ? visible : visible.slice(0, end));
  const [news = '', ...rest] = head.split('\n');
  return [paint('strong', news), ...rest, ...(end === -1 ? [] : [visible.slice(end + 1)])];
}
