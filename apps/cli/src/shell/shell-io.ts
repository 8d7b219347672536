import type { CommandContext } from '../command-line/command.ts';
import type { AskPerson } from '../consent/approver.ts';
import { askAtTerminal } from '../consent/ask-approval.ts';
import {
  askAboutPlanAtTerminal,
  askQuestionAtTerminal,
  type AskAboutPlan,
  type AskQuestion,
} from '../consent/ask-question.ts';
import { UserRules } from '../consent/user-rules.ts';
import type { LineReader, TypingHelp } from '../terminal/keyboard.ts';
import { openLineReader } from '../terminal/line-reader.ts';
import { readPipedLines, type LineSource } from '../terminal/piped-input.ts';
import { makeOutputVisible } from '../terminal/terminal-text.ts';
import { wrapOutput } from '../terminal/wrap-output.ts';
import { readTextFile, writeUserFile, makeTemporaryFolder } from '../config/disk.ts';
import { locateHistory } from '../user-key.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findProgram, prepareProgram } from '@bae/project';

/** The keyboard or a pipe. A pipe, which is read line by line, has no queue and no menu. */
export interface ShellIo
  extends Pick<LineReader, 'redraw' | 'refresh'>, Partial<Pick<LineReader, 'queue' | 'openMenu'>> {
  /** Adds typing help. Completion needs the agent, which does not exist yet when the keyboard is opened. */
  helpWith(help: TypingHelp): void;
  readonly source: LineSource;
  readonly ask?: AskPerson;
  /** Asks the person questions on behalf of tools. */
  readonly askPerson?: AskQuestion;
  readonly askAboutPlan?: AskAboutPlan;
  print(line: string): void;
}

/** Opens the keyboard or the pipe. */
export function openShellIo({ terminal, root }: CommandContext): ShellIo {
  if (!terminal.interactive)
    return {
      helpWith: () => undefined,
      source: readPipedLines(terminal.input),
      print: (line) => terminal.out.write(`${line}\n`),
      redraw: (text) => terminal.out.write(text),
      refresh: () => undefined,
    };
  const edit = (text: string) => editInProgram(text, terminal.env);
  let help: TypingHelp = { history: openHistory(terminal.env), edit };
  const reader = openLineReader(terminal, () => help);
  terminal.status.printAboveWith(reader.printAbove);
  const { queue, openMenu, redraw, refresh } = reader;
  return {
    helpWith: (more) => void (help = { ...help, ...more }),
    source: reader,
    ask: askAtTerminal({ terminal, reader, rules: new UserRules(terminal.env, root) }),
    askPerson: askQuestionAtTerminal({ terminal, reader }),
    askAboutPlan: askAboutPlanAtTerminal({ terminal, reader }),
    print: (line) => reader.printAbove(wrapOutput(makeOutputVisible(line), terminal.out.columns())),
    queue,
    openMenu,
    redraw,
    refresh,
  };
}

/** History of lines typed at the prompt, newest first, which is kept across restarts. */
interface TypedHistory {
  read(): readonly string[];
  write(lines: readonly string[]): void;
}

const MOST_LINES = 500;
/** Maximum length of a kept line, in characters; longer lines are assumed to be pasted. */
const LONGEST_LINE = 2000;

/** Opens the user's history, in a file that no other user can read. */
function openHistory(env: Readonly<Record<string, string | undefined>>): TypedHistory {
  const file = locateHistory(env);
  return {
    read: () => {
      try {
        return readTextFile(file)
          .split('\n')
          .filter((line) => line !== '')
          .slice(0, MOST_LINES);
      } catch {
        return [];
      }
    },
    write: (lines) => {
      const kept = lines.filter((line) => line.length <= LONGEST_LINE && !line.includes('\n')).slice(0, MOST_LINES);
      writeUserFile(file, `${kept.join('\n')}\n`);
    },
  };
}

/**
 * Opens a text in the user's editor, `VISUAL` or `EDITOR`, which has the terminal until it exits.
 *
 * @returns the text as it was saved
 * @throws Error if no editor is set, or if it is missing or failed
 */
export async function editInProgram(text: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const [program, ...args] = (env['VISUAL'] ?? env['EDITOR'] ?? '').split(' ').filter((word) => word !== '');
  if (program === undefined) throw new Error('Ctrl-G opens the editor in EDITOR or VISUAL, and neither is set.');
  const { path, remove } = makeTemporaryFolder();
  try {
    const file = join(path, 'text.md');
    writeUserFile(file, text);
    const found = await findProgram(program, { folder: process.cwd() });
    if (found === undefined) throw new Error(`Ctrl-G: there is no program ${program}; EDITOR or VISUAL names it.`);
    const { isQuoted, ...launch } = prepareProgram(found, [...args, file]);
    const child = spawn(launch.file, launch.args, { stdio: 'inherit', windowsVerbatimArguments: isQuoted });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (code !== 0) throw new Error(`${program} ended with ${code ?? signal}; the text is unchanged.`);
    return readTextFile(file);
  } finally {
    remove();
  }
}
