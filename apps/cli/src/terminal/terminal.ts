import type { Readable, Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { StatusLine } from './status-line.ts';

/** One stream of text for people or programs. */
export interface Output {
  /** True when a person is looking at it right now. */
  readonly isTerminal: boolean;
  /** True when colours are wanted here. */
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
  /** Makes a folder the one in which the code of packages finds relative paths. `cwd` stays. @param folder absolute */
  enter(folder: string): void;
  /** Settles when everything written has left the process. */
  flush(): Promise<void>;
}

/** The terminal of this process: its streams, its environment, its folder. */
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
  // As it is now: foreign code is given another one later.
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

/** The same output; the status line makes room for what it writes. */
function putAbove(status: StatusLine, output: Output): Output {
  return {
    ...output,
    write: (text) => {
      status.giveWay(text);
      output.write(text);
    },
  };
}

/** A pipe may hold more than it has passed on; ending the process then would lose it. */
function createFlush(stream: NodeJS.WriteStream): () => Promise<void> {
  const write = stream.write.bind(stream);
  return () =>
    new Promise((resolve) => {
      if (stream.destroyed || stream.writableLength === 0) resolve();
      else write('', () => resolve());
    });
}
