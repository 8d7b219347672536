import { BaeError } from '@bae/core';
import { renderError } from '@bae/core/pipeline';
import { formatPriority, TaskClient, type TaskResult, type TaskPage, type Task, type CallWriter } from '@bae/tasks';
import { UsageError } from '../command-line/errors.ts';
import { locateTasks } from '../config/settings.ts';
import {
  createPainter,
  makeVisible,
  type Painter,
  measureWidth,
  padToWidth,
  truncate,
  makeLineVisible,
  type Paint,
} from '../terminal/terminal-text.ts';
import { readAll } from '../terminal/piped-input.ts';
import { printResult, type CommandContext } from '../command-line/command.ts';
import type { Output } from '../terminal/terminal.ts';

/** Runs `bae tasks`, which gives a person access to the tasks shared with agents. */
export async function runTasks(context: CommandContext): Promise<number> {
  const { positionals, options, terminal } = context;
  const request = await readBody(parseTaskRequest(positionals), context);
  const { served, ...place } = await findTasks(context);
  const client = new TaskClient({ ...place, caller: 'user' }, options.json ? undefined : TASK_COMMANDS);
  try {
    const answer = await client.call(request.tool, request.args, request.most);
    printResult(context, serializeTasks(answer), () => {
      if (answer.kind === 'list' || answer.kind === 'matches') return renderRows(answer, request, context);
      return renderText(client.render(answer), createPainter(terminal.out));
    });
    return 0;
  } catch (error) {
    if (!BaeError.is(error)) throw error;
    const { errorType, text } = renderError(error);
    if (options.json) terminal.out.write(`${JSON.stringify({ error: { type: errorType, message: text } })}\n`);
    else terminal.err.write(`bae: ${makeVisible(explain(error))}\n`);
    return 1;
  } finally {
    await client.close();
    await served?.close();
  }
}

/** Finds the tasks of the folder, or those of served sessions. */
async function findTasks({ options: { database: url, of }, root }: CommandContext) {
  if (url === undefined && of === undefined) return { file: locateTasks(root) };
  if (url === undefined || of === undefined)
    throw new UsageError('bae tasks takes --database and --of together: whose tasks of which database.');
  const served = await (await import('../serve/backend.ts')).openServedTasks(url, of);
  return { database: served.database, served };
}

/** Reads the body from standard input if it is given as `body=-`. */
async function readBody(request: TaskRequest, { terminal, signal }: CommandContext): Promise<TaskRequest> {
  if (request.args['body'] !== '-') return request;
  const body = (await readAll(terminal.input, signal)).replace(/\n$/, '');
  return { ...request, args: { ...request.args, body } };
}

function serializeTasks(answer: TaskResult): object {
  if (answer.kind === 'task') return { task: answer.task };
  if (answer.kind === 'created' || answer.kind === 'edited') return answer.outcome;
  if (answer.kind !== 'history')
    return { tasks: answer.page.tasks, total: answer.page.total, next: findNextRow(answer.page) };
  const { task, entries } = answer.page;
  return { id: task.id, changes: entries, total: task.changes };
}

/** Renders the error without its usage, which describes the tool and not the command. */
function explain({ name, message, hints }: BaeError): string {
  const usage = message.lastIndexOf('\nUsage: ');
  const problem = usage === -1 ? message : message.slice(0, usage);
  return [`${name}: ${problem}`, ...hints.map((hint) => `Try: ${hint}`)].join('\n');
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

/** Highlights the first line, which is the result. */
function renderText(text: string, paint: Painter): readonly string[] {
  const [news = '', ...rest] = makeVisible(text).split('\n');
  return [paint('strong', news), ...rest];
}

const LABELS = { in_progress: 'PROG', blocked: 'BLKD', open: 'OPEN', done: 'DONE', cancelled: 'CNCL' } as const;
const PAINTS: Readonly<Partial<Record<Task['status'], Paint>>> = {
  in_progress: 'ai',
  blocked: 'error',
  done: 'quiet',
  cancelled: 'quiet',
};
const HEAD = ['ID', 'STATUS', 'PRIORITY', 'TITLE', 'TAGS'] as const;
const GAP = '  ';
const LEAST_TITLE = 20;

/** Renders tasks as a table; at a terminal each row is cut to one line. */
export function renderTaskTable(tasks: readonly Task[], out: Output, paint: Painter): readonly string[] {
  const rows = tasks.map(renderCells);
  const widths = HEAD.map((head, column) => Math.max(head.length, ...rows.map((row) => measureWidth(row[column]!))));
  const others = widths.reduce((sum, width, column) => (column === 3 ? sum : sum + width + GAP.length), 0);
  const room = out.isTerminal ? Math.max(LEAST_TITLE, out.columns() - others) : Infinity;
  widths[3] = Math.min(widths[3]!, room);
  const line = (cells: readonly string[]): string => {
    const columns = cells.map((cell, column) =>
      column === 0 ? cell.padStart(widths[0]!) : padToWidth(cell, widths[column]!),
    );
    const text = columns.join(GAP).trimEnd();
    return out.isTerminal ? truncate(text, out.columns()) : text;
  };
  const lines = rows.map((cells, index) => {
    const look = PAINTS[tasks[index]!.status];
    return look === undefined ? line(cells) : paint(look, line(cells));
  });
  return [paint('quiet', line(HEAD)), ...lines];
}

function renderCells({ id, status, priority, title, tags }: Task): readonly string[] {
  return [
    String(id),
    LABELS[status],
    formatPriority(priority),
    makeLineVisible(title),
    tags.map(makeLineVisible).join(', '),
  ];
}

export interface TaskRequest {
  readonly tool: 'read' | 'write' | 'edit' | 'grep';
  readonly args: Readonly<Record<string, string>>;
  /** Maximum number of rows in a list. Default: those of a page. */
  readonly most?: number;
}

const MOST_ROWS = 200;

/** Arguments of a subcommand; fields are written `name=value`. */
interface Words {
  readonly words: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
}

const FIELD = /^([a-z_]+)=(.*)$/s;
const ID = /^#?([1-9]\d*)$/;

const READERS: Readonly<Record<string, (given: Words) => TaskRequest>> = {
  list: ({ words, fields }) => ({ tool: 'read', args: { target: words.join(' '), ...fields }, most: MOST_ROWS }),
  show: (given) => {
    const target = readId('show', given);
    const [field] = Object.keys(given.fields);
    if (field === undefined) return { tool: 'read', args: { target } };
    const remedy = `To change a task: bae tasks edit ID ${field}=…`;
    throw new UsageError(`bae tasks show takes no fields; got ${field}=. ${remedy}`);
  },
  add: ({ words, fields }) => {
    if (words.length === 0 && fields['title'] === undefined)
      throw new UsageError('bae tasks add needs a title: bae tasks add "Fix login" priority=1.1.0');
    const title = words.length === 0 ? {} : { title: words.join(' ') };
    return { tool: 'write', args: { ...title, ...fields } };
  },
  edit: (given) => {
    const id = readId('edit', given);
    if (Object.keys(given.fields).length > 0) return { tool: 'edit', args: { id, ...given.fields } };
    const example = `bae tasks edit ${given.words[0]} status=in_progress tags=+auth`;
    throw new UsageError(`bae tasks edit needs what is to change: ${example}`);
  },
  done: (given) => {
    const id = readId('done', given);
    return { tool: 'edit', args: { id, ...given.fields, status: 'done' } };
  },
  grep: ({ words, fields }) => {
    const text = words.join(' ').trim();
    if (text === '') throw new UsageError('bae tasks grep needs words: bae tasks grep login');
    return { tool: 'grep', args: { text, ...fields }, most: MOST_ROWS };
  },
  history: (given) => {
    const target = `history:${readId('history', given)}`;
    return { tool: 'read', args: { target, ...given.fields } };
  },
};

/** Parses the arguments of `bae tasks`. @throws UsageError for an unknown subcommand, or missing arguments */
export function parseTaskRequest([name = 'list', ...rest]: readonly string[]): TaskRequest {
  const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (read === undefined) throw createSubcommandError(name);
  const fields = rest.flatMap((word) => (FIELD.test(word) ? [FIELD.exec(word)!.slice(1) as [string, string]] : []));
  return read({ words: rest.filter((word) => !FIELD.test(word)), fields: Object.fromEntries(fields) });
}

function createSubcommandError(name: string): UsageError {
  const id = ID.exec(name)?.[1];
  if (id !== undefined) return new UsageError(`no subcommand '${name}'. To see the task: bae tasks show ${id}`);
  const candidates = Object.keys(READERS);
  return new UsageError(`bae tasks has no subcommand '${name}'.`, { unknown: { name, candidates } });
}

function readId(name: string, { words }: Words): string {
  const [word = '', ...more] = words;
  const id = ID.exec(word)?.[1];
  if (id !== undefined && more.length === 0) return id;
  const got = words.length === 0 ? 'nothing' : JSON.stringify(words.join(' '));
  const isField = id !== undefined && name !== 'show';
  const hint = isField
    ? `Fields are written name=value: bae tasks edit ${id} status=done`
    : `For example: bae tasks ${name} 7`;
  throw new UsageError(`bae tasks ${name} takes the id of one task; got ${got}. ${hint}`);
}

/** Renders calls of the tasks space as commands. */
export const TASK_COMMANDS: CallWriter = {
  list: (filters, from = 1) =>
    filters === '' && from === 1 ? 'bae tasks' : writeCommand('list', filters, writeFrom(from)),
  show: (id) => writeCommand('show', String(id)),
  history: (id, from) => writeCommand('history', String(id), writeFrom(from)),
  titles: () => writeCommand('list', 'all:'),
  search: (text, from) => writeCommand('grep', quote(text), writeFrom(from)),
  create: (title, fields = {}, body = '') => {
    // A word with = would be parsed as a field.
    const word = quote(/[<>=\p{Cc}]/u.test(title) ? 'Title' : title);
    return writeCommand('add', word, ...Object.entries(fields).map(writeField)) + writeBody(body);
  },
  edit: (id, fields, body = '') =>
    writeCommand('edit', String(id), ...Object.entries(fields).map(writeField)) + writeBody(body),
};

function writeCommand(...words: readonly string[]): string {
  return ['bae tasks', ...words.filter((word) => word !== '')].join(' ');
}

function writeFrom(from = 1): string {
  return from === 1 ? '' : `from=${from}`;
}

function writeBody(body: string): string {
  return body === '' ? '' : ` body=- <<'END'\n${body}\nEND`;
}

function writeField([name, value]: readonly [string, string]): string {
  const isPlainText = /^[\p{L}\p{N}\s.,:/+-]*$/u.test(value);
  return `${name}=${isPlainText && /\s/.test(value) ? `"${value}"` : quote(value)}`;
}

/** Quotes a word for any shell. */
function quote(text: string): string {
  return /^[\w.,:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
