import type { Agent } from '@bae/core';
import { wrapWords } from '../terminal/live-area.ts';
import { createPainter, makeLineVisible, truncate } from '../terminal/terminal-text.ts';
import type { Output } from '../terminal/terminal.ts';
import type { ShellCommands } from './shell-commands.ts';
import { listTools } from './shell-input.ts';

/** Maximum width of the column of names, in columns. */
const WIDEST_NAME = 24;

/** Command groups with their titles. */
const GROUPS = [
  ['session', 'Commands about the session'],
  ['this folder', 'Commands about this folder'],
  ['prompts', 'Prompts and skills'],
] as const;

/** Lists everything that can be typed, by group. */
export function listTypable(agent: Agent, commands: ShellCommands, out: Output): string {
  const tools = listTools({ tree: agent.tree, location: agent.location }).map((name) => `/${name}`);
  const places = agent.tree.below([]).map(({ name }) => `${name}()`);
  const groups: readonly (string | readonly [string, string])[] = [
    ['tools of this place', `${tools.join(' ')}; as tags, <R:a.ts>; as calls, read("a.ts")`],
    ['places', `${places.join(' ')}; home back up; nav shows all of them`],
    ['help', 'help, help TOOL, help run; /help and ? show this'],
    ['code', '/code EXPRESSION, or /code alone for lines of code'],
    ['a question', 'anything else: it goes to the model; Escape or Ctrl-C cancels'],
    ['@path', 'in a question attaches a file; @2 alone, or before a question, goes to another session'],
    ['!command', 'runs a line of the shell of this machine, where --allow-commands was given'],
    ['keys', 'Alt-Enter or Ctrl-J a new line, Tab completes, Ctrl-R searches, Ctrl-G your editor, Ctrl-_ undo'],
    ['', 'Ctrl-V the next view, Shift-Tab the next mode, Ctrl-O the last results whole'],
    ['exit', '/quit, or Ctrl-D'],
    ...GROUPS.flatMap(([group, title]) => {
      const members = Object.entries(commands).filter(([, one]) => (one.group ?? 'session') === group);
      if (members.length === 0) return [];
      return ['', title, ...members.map(([name, { does }]) => [`  /${name}`, does] as const)];
    }),
  ];
  const width = Math.min(WIDEST_NAME, Math.max(...groups.map((row) => (typeof row === 'string' ? 0 : row[0].length))));
  const paint = createPainter(out);
  const render = (row: string | readonly [string, string]): string => {
    if (typeof row === 'string') return paint('heading', row);
    const [title, text] = row;
    const lines = wrapWords(makeLineVisible(text), out.columns() - width - 3);
    const shown = paint('strong', makeLineVisible(title).padEnd(width));
    return `${shown}  ${lines.map((line) => paint('debug', line)).join(`\n${' '.repeat(width + 2)}`)}`;
  };
  return groups.map(render).join('\n');
}

/** Maximum number of commands that a menu shows. */
const MOST_SHOWN = 6;

/**
 * Lists the commands and tools that a line with a leading slash may become, each with its purpose; empty for other
 * lines.
 *
 * @param commands called only for a line with a slash, because commands may have to be looked for in files
 */
export function renderMenu(
  line: string,
  { agent, commands }: { readonly agent: Agent; readonly commands: () => ShellCommands },
  out: Pick<Output, 'columns' | 'color'>,
): string {
  const typed = /^\/([\w:-]*)$/.exec(line)?.[1];
  if (typed === undefined) return '';
  const { tree, location } = agent;
  const tools = tree.at(location)?.tools ?? {};
  const all: readonly (readonly [string, string])[] = [
    ...Object.entries(commands()).map(([name, { does }]) => [name, does] as const),
    ['code', 'lines of code from now on, or one: /code EXPRESSION'],
    ['help', 'everything that can be typed'],
    ['quit', 'leave'],
    ...Object.values(tools).map(({ name, description }) => [name, description] as const),
  ];
  // A tool takes precedence over a command of its name.
  const matches = [...new Map(all)].filter(([name]) => name.startsWith(typed));
  const shown = matches.length <= MOST_SHOWN ? matches : matches.slice(0, MOST_SHOWN - 1);
  const width = Math.max(0, ...shown.map(([name]) => name.length)) + 1;
  const paint = createPainter(out);
  const rows = shown.map(([name, does]) => {
    const about = truncate(makeLineVisible(does.split('\n', 1)[0]!), Math.max(1, out.columns() - width - 4));
    return `${paint('strong', `/${name}`.padEnd(width))}  ${paint('debug', about)}`;
  });
  const more = matches.length - shown.length;
  return [...rows, ...(more > 0 ? [paint('debug', `… ${more} more: go on typing, or Tab`)] : [])].join('\n');
}
