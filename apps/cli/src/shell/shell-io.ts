import type { CommandContext } from '../command-line/command.ts';
import type { AskPerson } from '../consent/approver.ts';
import { askAtTerminal } from '../consent/ask-approval.ts';
import { LineReader } from '../terminal/line-reader.ts';
import type { LineSource } from '../terminal/line-source.ts';
import { PipedLines } from '../terminal/piped-input.ts';
import type { Shell } from './shell.ts';

export interface ShellIo {
  readonly source: LineSource;
  /** Absent when there is nobody to ask. */
  readonly ask?: AskPerson;
  print(line: string): void;
  /** Makes Ctrl-C cancel what the shell runs. */
  connect(shell: Shell): void;
}

/** Opens the keyboard, or the pipe. */
export function openShellIo({ terminal }: CommandContext): ShellIo {
  if (!terminal.interactive) {
    const print = (line: string): void => terminal.out.write(`${line}\n`);
    return { source: new PipedLines(terminal.input), print, connect: () => undefined };
  }
  const reader = new LineReader(terminal);
  return {
    source: reader,
    ask: askAtTerminal({ terminal, reader, onInterrupt: () => reader.onInterrupt() }),
    print: (line) => reader.printAbove(line),
    connect(shell) {
      reader.onInterrupt = () => {
        // A second Ctrl-C stops the whole process.
        if (!shell.cancel()) process.kill(process.pid, 'SIGINT');
      };
    },
  };
}
