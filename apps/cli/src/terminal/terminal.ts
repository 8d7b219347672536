import type { Readable, Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { StatusLine } from './status-line.ts';

export interface Output {
  /** True when it is a terminal rather than a file or pipe. */
  readonly isTerminal: boolean;
  readonly color: boolean;
  /** Width in columns as it is now; 80 when unknown. */
  columns(): number;
  /** Height in lines as it is now; 24 when unknown. */
  rows(): number;
  write(text: string): void;
}

/** Everything bae reads from and prints to. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder bae was started in. */
  readonly cwd: string;
  readonly input: Readable;
  /** True when input comes from a keyboard. */
  readonly inputIsTerminal: boolean;
  /** True when a person can be asked: input and output are a terminal. */
  readonly interactive: boolean;
  readonly out: Output;
  readonly err: Output;
  /** What a line editor draws on. */
  readonly screen: Writable;
  /** Shows a person what bae is waiting for. */
  readonly status: StatusLine;
  /** Changes the working folder of the process, for the code of packages. `cwd` stays. @param folder absolute */
  enter(folder: string): void;
  /** Resolves when all output has left the process. */
  flush(): Promise<void>;
}

export function createProcessTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const flushes = [stdout, stderr].map(createFlush);
  const status = new StatusLine(createOutput(stderr, isatty(stderr.fd) && env['TERM'] !== 'dumb'));
  return {
    env,
    cwd: process.cwd(),
    input: stdin,
    inputIsTerminal: isatty(stdin.fd),
    interactive: isatty(stdin.fd) && isatty(stdout.fd),
    out: putAbove(status, createOutput(stdout, isatty(stdout.fd))),
    err: putAbove(status, createOutput(stderr, isatty(stderr.fd))),
    screen: stdout,
    status,
    enter: (folder) => process.chdir(folder),
    flush: async () => {
      await Promise.all(flushes.map((flush) => flush()));
    },
  };
}

function createOutput(stream: NodeJS.WriteStream, isTerminal: boolean): Output {
  const { NO_COLOR, TERM } = process.env;
  // Bound now, because `write` is replaced for foreign code later.
  const write = stream.write.bind(stream);
  return {
    isTerminal,
    color: isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb',
    columns: () => stream.columns || 80,
    rows: () => stream.rows || 24,
    write: (text) => {
      write(text);
    },
  };
}

/** The same output, but the status line is erased before each write. */
function putAbove(status: StatusLine, output: Output): Output {
  return {
    ...output,
    write: (text) => {
      status.giveWay(text);
      output.write(text);
    },
  };
}

/** Ending the process would lose what a pipe has buffered. */
function createFlush(stream: NodeJS.WriteStream): () => Promise<void> {
  const write = stream.write.bind(stream);
  return () =>
    new Promise((resolve) => {
      if (stream.destroyed || stream.writableLength === 0) resolve();
      else write('', () => resolve());
    });
}
