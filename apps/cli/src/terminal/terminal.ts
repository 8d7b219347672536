import type { Readable, Writable } from 'node:stream';
import { isatty } from 'node:tty';
import { createFileLinks } from './file-links.ts';
import { LiveArea, type Screen } from './live-area.ts';
import { makeOutputVisible, truncate } from './terminal-text.ts';

/** Where text is written: width and height are 80 columns and 24 lines when they are unknown. */
export interface Output extends Screen {
  readonly isTerminal: boolean;
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
  /** Where files are opened that are mentioned on the screen. */
  readonly links: { cwd: string; scheme: string };
  /** Changes the working folder of the process, for the code of packages. `cwd` stays. @param folder absolute */
  enter(folder: string): void;
  /** Resolves when all output has left the process. */
  flush(): Promise<void>;
}

export function createProcessTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const flushes = [stdout, stderr].map(createFlush);
  const links = { cwd: process.cwd(), scheme: 'vscode' };
  const addLinks = createFileLinks(() => links);
  const status = createStatusLine(createOutput(stderr, isatty(stderr.fd) && env['TERM'] !== 'dumb'));
  return {
    env,
    cwd: process.cwd(),
    input: stdin,
    inputIsTerminal: isatty(stdin.fd),
    interactive: isatty(stdin.fd) && isatty(stdout.fd),
    out: createOutput(stdout, isatty(stdout.fd), { status, addLinks }),
    err: createOutput(stderr, isatty(stderr.fd), { status, addLinks }),
    links,
    screen: stdout,
    status,
    enter: (folder) => process.chdir(folder),
    flush: async () => {
      await Promise.all(flushes.map((flush) => flush()));
    },
  };
}

/** @param more the line of status, which is erased before each write, and what makes links of files */
function createOutput(
  stream: NodeJS.WriteStream,
  isTerminal: boolean,
  more?: { readonly status: StatusLine; readonly addLinks: (text: string) => string },
): Output {
  const { NO_COLOR, TERM } = process.env;
  const color = isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb';
  // Bound now, because `write` is replaced for foreign code later.
  const write = stream.write.bind(stream);
  return {
    isTerminal,
    color,
    columns: () => stream.columns || 80,
    rows: () => stream.rows || 24,
    write: (text) => {
      more?.status.giveWay(text);
      // The line of status is moved by codes of its own; everything else may hold text from outside.
      const shown = isTerminal && more !== undefined ? makeOutputVisible(text) : text;
      write(color && more !== undefined ? more.addLinks(shown) : shown);
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

type StatusPart = 'step' | 'index' | 'typed' | 'toolbar';

const ORDER: readonly StatusPart[] = ['step', 'index', 'typed', 'toolbar'];

/**
 * The last line of a terminal, which shows what bae is waiting for. It disappears when anything else is written, and
 * returns with the next change.
 */
export interface StatusLine {
  set(part: StatusPart, text: string): void;
  clear(part: StatusPart): void;
  /** Shows the end of a text that grows, in the place of the line; an empty text ends that. */
  stream(text: string): void;
  /** Erases the line before a text is written; it stays hidden until the written line has ended. */
  giveWay(text: string): void;
  /** Hides the line, because a person types there, until the returned function is called. */
  hold(): () => void;
}

/** @param screen an output whose `write` does not erase this line first */
export function createStatusLine(screen: Output): StatusLine {
  const parts = new Map<StatusPart, string>();
  const area = new LiveArea(screen);
  let streamed = '';
  let isShown = false;
  let isLineOpen = false;
  let holds = 0;
  const erase = (): void => {
    if (isShown) screen.write(ERASE);
    area.erase();
    isShown = false;
  };
  const draw = (): void => {
    if (!screen.isTerminal || holds > 0 || isLineOpen) return;
    if (streamed !== '') {
      if (isShown) erase();
      const typed = parts.get('typed');
      return area.show(typed === undefined ? streamed : `${streamed.trimEnd()}\n${typed}`);
    }
    area.erase();
    if (parts.size === 0) return erase();
    screen.write(
      `${ERASE}${truncate(ORDER.flatMap((part) => parts.get(part) ?? []).join(' · '), screen.columns() - 1)}`,
    );
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
    stream(text) {
      if (text === streamed) return;
      streamed = text;
      draw();
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
