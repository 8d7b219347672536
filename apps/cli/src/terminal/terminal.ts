import type { Readable, Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { makeOutputVisible, truncate } from './terminal-text.ts';

export interface Output {
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
  readonly inputIsTerminal: boolean;
  /** True when a person can be asked: input and output are a terminal. */
  readonly interactive: boolean;
  readonly out: Output;
  readonly err: Output;
  /** What a line editor draws on. */
  readonly screen: Writable;
  readonly status: StatusLine;
  /** Changes the working folder of the process, for the code of packages. `cwd` stays. @param folder absolute */
  enter(folder: string): void;
  /** Resolves when all output has left the process. */
  flush(): Promise<void>;
}

export function createProcessTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const flushes = [stdout, stderr].map(createFlush);
  const status = createStatusLine(createOutput(stderr, isatty(stderr.fd) && env['TERM'] !== 'dumb'));
  return {
    env,
    cwd: process.cwd(),
    input: stdin,
    inputIsTerminal: isatty(stdin.fd),
    interactive: isatty(stdin.fd) && isatty(stdout.fd),
    out: createOutput(stdout, isatty(stdout.fd), status),
    err: createOutput(stderr, isatty(stderr.fd), status),
    screen: stdout,
    status,
    enter: (folder) => process.chdir(folder),
    flush: async () => {
      await Promise.all(flushes.map((flush) => flush()));
    },
  };
}

/** @param status is erased before each write */
function createOutput(stream: NodeJS.WriteStream, isTerminal: boolean, status?: StatusLine): Output {
  const { NO_COLOR, TERM } = process.env;
  // Bound now, because `write` is replaced for foreign code later.
  const write = stream.write.bind(stream);
  return {
    isTerminal,
    color: isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb',
    columns: () => stream.columns || 80,
    rows: () => stream.rows || 24,
    write: (text) => {
      status?.giveWay(text);
      // The line of status is moved by codes of its own; everything else may hold text from outside.
      write(isTerminal && status !== undefined ? makeOutputVisible(text) : text);
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

const ERASE = '\r\u001B[K';

type StatusPart = 'step' | 'index';

/**
 * The last line of a terminal, which shows what bae is waiting for. It disappears when anything else is written, and
 * returns with the next change.
 */
export interface StatusLine {
  set(part: StatusPart, text: string): void;
  clear(part: StatusPart): void;
  /** Erases the line before a text is written; it stays hidden until the written line has ended. */
  giveWay(text: string): void;
  /** Hides the line, because a person types there, until the returned function is called. */
  hold(): () => void;
}

/** @param screen an output whose `write` does not erase this line first */
export function createStatusLine(screen: Pick<Output, 'isTerminal' | 'columns' | 'write'>): StatusLine {
  const parts = new Map<StatusPart, string>();
  let isShown = false;
  let isLineOpen = false;
  let holds = 0;
  const erase = (): void => {
    if (isShown) screen.write(ERASE);
    isShown = false;
  };
  const draw = (): void => {
    if (!screen.isTerminal || holds > 0 || isLineOpen) return;
    if (parts.size === 0) return erase();
    screen.write(`${ERASE}${truncate([...parts.values()].join(' · '), screen.columns() - 1)}`);
    isShown = true;
  };
  return {
    set(part, text) {
      if (parts.get(part) === text && isShown) return;
      parts.set(part, text);
      draw();
    },
    clear(part) {
      if (parts.delete(part)) draw();
    },
    giveWay(text) {
      erase();
      if (text !== '') isLineOpen = !text.endsWith('\n');
    },
    hold() {
      holds++;
      erase();
      let isHeld = true;
      return () => {
        if (isHeld) holds--;
        isHeld = false;
      };
    },
  };
}
