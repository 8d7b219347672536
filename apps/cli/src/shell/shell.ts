import { asModelText, type Agent } from '@bae/core';
import { formatBreadcrumb } from '@bae/core/pipeline';
import type { ModelChoice } from '@bae/models';
import type { CommandContext } from '../command-line/command.ts';
import { explainError } from '../command-line/errors.ts';
import type { AskPerson } from '../consent/approver.ts';
import { askAtTerminal } from '../consent/ask-approval.ts';
import { collectNames } from '../space-outline.ts';
import { openLineReader, type TypingHelp } from '../terminal/line-reader.ts';
import { readPipedLines, type LineSource } from '../terminal/piped-input.ts';
import { createPainter, makeLineVisible, type Painter } from '../terminal/terminal-text.ts';
import { createView, isDebug } from '../views/create-view.ts';
import { createUserView, type View } from '../views/user-view.ts';
import { completeLine, type ListFolder } from './complete-line.ts';
import { editInProgram } from './edit-in-program.ts';
import { gatherBody, gatherCode } from './gather-lines.ts';
import { openHistory } from './typed-history.ts';
import { interpret, isCode, listTools, type ShellInput } from './interpret.ts';

export interface ShellIo {
  /** Completion begins with the agent. */
  helpWith(help: TypingHelp): void;
  readonly source: LineSource;
  readonly ask?: AskPerson;
  print(line: string): void;
}

/** Opens the keyboard, or the pipe. */
export function openShellIo({ terminal }: CommandContext): ShellIo {
  if (!terminal.interactive)
    return {
      helpWith: () => undefined,
      source: readPipedLines(terminal.input),
      print: (line) => terminal.out.write(`${line}\n`),
    };
  const edit = (text: string) => editInProgram(text, terminal.env);
  let help: TypingHelp = { history: openHistory(terminal.env), edit };
  const reader = openLineReader(terminal, () => help);
  return {
    helpWith: (more) => void (help = { ...help, ...more }),
    source: reader,
    ask: askAtTerminal({ terminal, reader }),
    print: (line) => reader.printAbove(line),
  };
}

/** Commands of bae by name, each with what it does in a few words. */
export type ShellCommands = Readonly<
  Record<string, { readonly does: string; run(words: readonly string[]): Promise<unknown> }>
>;

export interface ShellParts {
  readonly context: CommandContext;
  readonly agent: Agent;
  readonly choice: ModelChoice;
  readonly source: LineSource;
  /** Commands of bae that can be typed with a slash before them. Default: none. */
  readonly commands?: ShellCommands | undefined;
  /** Tags that are executed before the first line. */
  readonly first?: string | undefined;
}

const CODE_MODE =
  'lines are code now: TypeScript with the tools of the place. /code ends it, /help run lists what there is.';
const WITHOUT_MODEL =
  'There is no model to ask. Type a tag (<R:package.json>), a place (nav() shows them), help, or exit.';

/** Completes lines by the places and tools of an agent, and the files of a folder. */
export function completeWith(agent: Agent, listFolder: ListFolder): Pick<TypingHelp, 'complete'> {
  return { complete: (line) => completeLine(line, { tree: agent.tree, location: agent.location }, listFolder) };
}

/** Reads lines and executes them, until the input ends or the process is asked to stop. Closes the source and the agent. */
export async function runShellLoop({
  context,
  agent,
  choice,
  source,
  first,
  commands = {},
}: ShellParts): Promise<void> {
  const { options, terminal, signal } = context;
  const { out, err } = terminal;
  const paint = createPainter(out);
  const turns = createView({ options, terminal, tree: agent.tree });
  const typedTags = isDebug(options) ? turns : createUserView(out);
  const typedCode = isDebug(options) ? turns : createUserView(out, 'lines');
  let view = typedTags;
  let running: AbortController | undefined;
  let inCode = false;
  /** True when the last run block failed. */
  let hasFailed = false;

  const hint = (message: string): void => err.write(`${createPainter(err)('hint', makeLineVisible(message))}\n`);

  const onGivenUp = (line: string) => hint(`nothing was run of the code before ${line}: it had not ended.`);

  /** Reads the lines that belong to a line, and interprets them. */
  const read = async (line: string): Promise<ShellInput> => {
    const place = { tree: agent.tree, location: agent.location, inCode, commands: Object.keys(commands) };
    const isCommand = (other: string) => other.trim() !== '' && !isCode(other, place);
    const text = await (isCode(line, place)
      ? gatherCode(line, source, { needsMore, isCommand, onGivenUp })
      : gatherBody(line, source, collectNames(agent.tree)));
    const input = text === undefined ? NOTHING : interpret(text, place);
    return input.kind === 'question' ? addPasted(input.text, source) : input;
  };

  const runCancellable = async (shownBy: View, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
    const current = new AbortController();
    running = current;
    view = shownBy;
    try {
      await work(AbortSignal.any([signal, current.signal]));
    } catch (error) {
      if (signal.aborted) return;
      if (current.signal.aborted) hint(`cancelled ai:${agent.label}`);
      else err.write(createPainter(err)('error', explainError(error, options)));
    } finally {
      running = undefined;
    }
  };

  const execute = async (input: ShellInput): Promise<void> => {
    switch (input.kind) {
      case 'switch':
        inCode = !inCode;
        return hint(inCode ? CODE_MODE : 'lines are for the model and for tags again.');
      case 'mistake':
        return hint(input.text);
      case 'tags':
        return runCancellable(typedTags, (stop) => agent.run(asModelText(input.text), { signal: stop }));
      case 'code':
        await runCancellable(typedCode, (stop) => agent.run(asModelText(input.text), { signal: stop }));
        return input.hint !== undefined && hasFailed ? hint(input.hint) : undefined;
      case 'command':
        if (input.name === '?') return terminal.out.write(`${listTypable(agent, commands, paint)}\n`);
        return runCancellable(typedTags, () => commands[input.name]!.run(input.words));
      case 'question':
        if (choice.model === undefined) return hint(WITHOUT_MODEL);
        return runCancellable(turns, (stop) => agent.ask(input.text, { signal: stop }));
      default:
    }
  };

  source.onInterrupt = () => {
    // A second Ctrl-C, before what was cancelled has ended, stops the whole process.
    if (running?.signal.aborted === true) process.kill(process.pid, 'SIGINT');
    else running?.abort();
  };
  // Ends a pending read.
  signal.addEventListener('abort', () => source.close(), { once: true });
  agent.subscribe((event) => {
    if (event.type === 'run-end') hasFailed = !event.ok;
    return view(event);
  });
  try {
    if (first !== undefined) await agent.run(asModelText(first), { signal });
    let wasInterrupted = false;
    while (!signal.aborted) {
      const place = formatBreadcrumb(agent.location);
      const line = await source.next(`${inCode ? paint('code', `${place} code>`) : paint('ai', `${place}>`)} `);
      if (line.kind === 'end' || (line.kind === 'interrupt' && wasInterrupted)) return;
      wasInterrupted = line.kind === 'interrupt';
      if (line.kind === 'interrupt') {
        hint('Ctrl-C again, or Ctrl-D, leaves.');
        continue;
      }
      const input = await read(line.text);
      if (input.kind === 'exit') return;
      await execute(input);
    }
  } finally {
    source.close();
    await agent.close();
  }
}

/** Everything that can be typed, by group. */
function listTypable(agent: Agent, commands: ShellCommands, paint: Painter): string {
  const tools = listTools({ tree: agent.tree, location: agent.location }).map((name) => `/${name}`);
  const places = agent.tree.below([]).map(({ name }) => `${name}()`);
  const groups = [
    ['tools of this place', `${tools.join(' ')}; as tags, <R:a.ts>; as calls, read("a.ts")`],
    ['places', `${places.join(' ')}; home back up; nav shows all of them`],
    ['help', 'help, help TOOL, help run'],
    ['code', '/code EXPRESSION, or /code alone for lines of code'],
    ...Object.entries(commands).map(([name, { does }]) => [`/${name}`, does]),
    ['a question', 'anything else: it goes to the model; Escape or Ctrl-C cancels'],
    ['keys', 'Alt-Enter or Ctrl-J a new line, Tab completes, Ctrl-R searches, Ctrl-G your editor, Ctrl-_ undo'],
    ['exit', 'or Ctrl-D'],
  ];
  const width = Math.max(...groups.map(([title = '']) => title.length));
  return groups
    .map(([title = '', text = '']) => `${paint('strong', title.padEnd(width))}  ${makeLineVisible(text)}`)
    .join('\n');
}

const NOTHING: ShellInput = { kind: 'nothing' };

/** Several pasted lines are one question. */
async function addPasted(first: string, source: LineSource): Promise<ShellInput> {
  const lines = [first];
  while (source.isPasted) {
    const line = await source.next('… ');
    if (line.kind === 'interrupt') return NOTHING;
    if (line.kind === 'end') break;
    lines.push(line.text);
  }
  return { kind: 'question', text: lines.join('\n').trim() };
}

async function needsMore(code: string): Promise<boolean> {
  const sandbox = await import('@bae/sandbox');
  return sandbox.isIncompleteCode(code);
}
