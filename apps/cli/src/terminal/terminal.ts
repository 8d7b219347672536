import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { createFileLinks } from './file-links.ts';
import { LiveArea, type Screen } from './live-area.ts';
import { drawn, makeLineVisible, makeOutputVisible, truncate, type TerminalText } from './terminal-text.ts';

/** Where text is written: width and height are 80 columns and 24 lines when they are unknown. */
export interface Output extends Omit<Screen, 'write'> {
  readonly isTerminal: boolean;
  /** Writes a text, whoever wrote it: what would act on a terminal becomes visible there. */
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
  readonly screen: { write(text: TerminalText): unknown };
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
  const statusScreen = createScreen(stderr, isatty(stderr.fd) && env['TERM'] !== 'dumb');
  const status = createStatusLine(statusScreen);
  return {
    env,
    cwd: process.cwd(),
    input: stdin,
    inputIsTerminal: isatty(stdin.fd),
    interactive: isatty(stdin.fd) && isatty(stdout.fd),
    out: createOutput(createScreen(stdout, isatty(stdout.fd)), { status, addLinks }),
    err: createOutput(createScreen(stderr, isatty(stderr.fd)), { status, addLinks }),
    links,
    screen: stdout,
    status,
    enter: (folder) => process.chdir(folder),
    flush: async () => {
      await Promise.all(flushes.map((flush) => flush()));
    },
  };
}

/** What a stream leads to: of a terminal only harmless text can be written. */
interface Device extends Screen {
  readonly isTerminal: boolean;
  /** Writes to what is no terminal. */
  pass(text: string): void;
}

function createScreen(stream: NodeJS.WriteStream, isTerminal: boolean): Device {
  const { NO_COLOR, TERM } = process.env;
  const color = isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb';
  // Bound now, because `write` is replaced for foreign code later.
  const write = stream.write.bind(stream);
  return {
    isTerminal,
    color,
    columns: () => stream.columns || 80,
    rows: () => stream.rows || 24,
    write: (text) => void write(text),
    pass: (text) => void write(text),
  };
}

/** What a device is written through. */
interface Passage {
  /** Is erased before each write. */
  readonly status: StatusLine;
  /** Makes links of the files that are named. */
  readonly addLinks: (text: TerminalText) => TerminalText;
}

function createOutput(device: Device, { status, addLinks }: Passage): Output {
  const { isTerminal, color } = device;
  return {
    isTerminal,
    color,
    columns: () => device.columns(),
    rows: () => device.rows(),
    write: (text) => {
      status.giveWay(text);
      if (!isTerminal) return device.pass(text);
      const shown = makeOutputVisible(text);
      device.write(color ? addLinks(shown) : shown);
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

const ERASE = drawn`\r\u001B[K`;

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
export function createStatusLine(screen: Screen & Pick<Output, 'isTerminal'>): StatusLine {
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
    const shown = ORDER.flatMap((part) => parts.get(part) ?? []).join(' · ');
    const line = truncate(makeLineVisible(shown), screen.columns() - 1);
    screen.write(drawn`${ERASE}${makeOutputVisible(line)}`);
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
