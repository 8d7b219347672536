import { isatty } from 'node:tty';
import type { Output, Terminal } from './terminal.ts';

/** The terminal of this process: its streams, its environment, its folder. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return {
    env,
    cwd: process.cwd(),
    input: stdin,
    inputIsTerminal: isatty(stdin.fd),
    interactive: isatty(stdin.fd) && isatty(stdout.fd),
    out: outputOf(stdout, isatty(stdout.fd)),
    err: outputOf(stderr, isatty(stderr.fd)),
    screen: stdout,
    flush: async () => {
      await Promise.all([flushed(stdout), flushed(stderr)]);
    },
  };
}

function outputOf(stream: NodeJS.WriteStream, isTerminal: boolean): Output {
  const { NO_COLOR, TERM } = process.env;
  return {
    isTerminal,
    color: isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb',
    columns: () => stream.columns || 80,
    rows: () => stream.rows || 24,
    write: (text) => {
      stream.write(text);
    },
  };
}

/** A pipe may hold more than it has passed on; ending the process then would lose it. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else stream.write('', () => resolve());
  });
}
