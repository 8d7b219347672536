import { isatty } from 'node:tty';
import { StatusLine } from './status-line.ts';
import type { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

/** The terminal of this process: its streams, its environment, its folder. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const flushes = [stdout, stderr].map(flushOf);
  const status = new StatusLine(outputOf(stderr, isatty(stderr.fd) && env['TERM'] !== 'dumb'));
  return {
    env,
    cwd: process.cwd(),
    input: stdin,
    inputIsTerminal: isatty(stdin.fd),
    interactive: isatty(stdin.fd) && isatty(stdout.fd),
    out: above(status, outputOf(stdout, isatty(stdout.fd))),
    err: above(status, outputOf(stderr, isatty(stderr.fd))),
    screen: stdout,
    status,
    enter: (folder) => process.chdir(folder),
    flush: async () => {
      await Promise.all(flushes.map((flush) => flush()));
    },
  };
}

function outputOf(stream: NodeJS.WriteStream, isTerminal: boolean): Output {
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
function above(status: StatusLine, output: Output): Output {
  return {
    ...output,
    write: (text) => {
      status.giveWay(text);
      output.write(text);
    },
  };
}

/** A pipe may hold more than it has passed on; ending the process then would lose it. */
function flushOf(stream: NodeJS.WriteStream): () => Promise<void> {
  const write = stream.write.bind(stream);
  return () =>
    new Promise((resolve) => {
      if (stream.destroyed || stream.writableLength === 0) resolve();
      else write('', () => resolve());
    });
}
