import { isatty } from 'node:tty';
import type { Output, Terminal } from './terminal.ts';

/** The terminal of this process: its streams, its environment, its folder. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const flushes = [stdout, stderr].map(flushOf);
  return {
    env,
    cwd: process.cwd(),
    input: stdin,
    inputIsTerminal: isatty(stdin.fd),
    interactive: isatty(stdin.fd) && isatty(stdout.fd),
    out: outputOf(stdout, isatty(stdout.fd)),
    err: outputOf(stderr, isatty(stderr.fd)),
    screen: stdout,
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

/** A pipe may hold more than it has passed on; ending the process then would lose it. */
function flushOf(stream: NodeJS.WriteStream): () => Promise<void> {
  const write = stream.write.bind(stream);
  return () =>
    new Promise((resolve) => {
      if (stream.destroyed || stream.writableLength === 0) resolve();
      else write('', () => resolve());
    });
}
