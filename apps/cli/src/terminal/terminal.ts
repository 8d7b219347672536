import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { createFileLinks } from './file-links.ts';
import { FRAME, LiveArea, type Screen } from './live-area.ts';
import { makeLineVisible, makeOutputVisible, truncate, type TerminalText } from './terminal-text.ts';

/** Where text is written: width and height are 80 columns and 24 lines when they are unknown. */
export interface Output extends Omit<Screen, 'write'> {
  readonly isTerminal: boolean;
  /** Writes a text, whoever wrote it: what would act on a terminal becomes visible there. */
  write(text: string): void;
  /** Calls a function when the width or height has changed, until the returned function is called. */
  onResize(listener: () => void): () => void;
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
interface Device extends Screen, Pick<Output, 'isTerminal' | 'onResize'> {
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
    onResize: (listener) => {
      stream.on('resize', listener);
      return () => void stream.off('resize', listener);
    },
  };
}

/** What a device is written through. */
interface Passage {
  /** Makes room for each write. */
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
    onResize: (listener) => device.onResize(listener),
    write: (text) => {
      status.giveWay(text, () => {
        if (!isTerminal) return device.pass(text);
        const shown = makeOutputVisible(text);
        device.write(color ? addLinks(shown) : shown);
      });
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

type StatusPart = 'step' | 'index' | 'typed' | 'toolbar';

const ORDER: readonly StatusPart[] = ['step', 'index', 'typed', 'toolbar'];

/** Least and most time between two frames, in milliseconds; in between, some times that of drawing one. */
const FRAME_MS = 50;
const LONGEST_FRAME_MS = 500;
const COST_SHARE = 5;

/**
 * The end of a terminal while bae works: what a model writes, as it grows, and below it a line about what bae is waiting
 * for. It stays below everything else that is written. However often it changes, it is drawn once in a while.
 */
export interface StatusLine {
  /** @param text a function is called for each frame */
  set(part: StatusPart, text: string | (() => string)): void;
  clear(part: StatusPart): void;
  /** Shows the end of a text that grows, which a function returns for each frame; undefined ends that. */
  stream(read: (() => string) | undefined): void;
  /** Writes a text above it, or, while the written line has not ended, instead of it. */
  giveWay(text: string, write: () => void): void;
  /** Takes it away until something changes. */
  erase(): void;
  /** Hides it, because a person types there, until the returned function is called. */
  hold(): () => void;
}

/** @param screen an output whose `write` makes no room by itself */
export function createStatusLine(screen: Screen & Pick<Output, 'isTerminal' | 'onResize'>): StatusLine {
  const parts = new Map<StatusPart, string | (() => string)>();
  const area = new LiveArea(screen);
  let readStreamed: (() => string) | undefined;
  let shown = { streamed: '', line: '' };
  let isLineOpen = false;
  let holds = 0;
  let timer: NodeJS.Timeout | undefined;
  /** When the next frame may be drawn, in milliseconds. */
  let next = 0;
  const erase = (): void => {
    if (area.isShown) screen.write(area.erase());
  };
  const draw = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!screen.isTerminal || holds > 0 || isLineOpen) return;
    const began = performance.now();
    const texts = ORDER.flatMap((part) => parts.get(part) ?? []).map((text) =>
      typeof text === 'string' ? text : text(),
    );
    const line = truncate(makeLineVisible(texts.filter((text) => text !== '').join(' · ')), screen.columns() - 1);
    const streamed = readStreamed?.() ?? '';
    shown = { streamed, line };
    if (streamed === '' && line === '') erase();
    else area.show(streamed, line);
    const end = performance.now();
    next = end + Math.min(LONGEST_FRAME_MS, Math.max(FRAME_MS, (end - began) * COST_SHARE));
  };
  const drawSoon = (): void => {
    if (timer !== undefined || !screen.isTerminal) return;
    const wait = next - performance.now();
    if (wait <= 0) draw();
    else timer = setTimeout(draw, wait).unref();
  };
  screen.onResize(() => {
    if (area.isShown) draw();
  });
  return {
    set(part, text) {
      if (parts.get(part) === text) return;
      parts.set(part, text);
      // What a person types appears at once.
      if (part === 'typed') draw();
      else drawSoon();
    },
    clear(part) {
      if (parts.delete(part)) drawSoon();
    },
    stream(read) {
      if (read === undefined && readStreamed === undefined) return;
      readStreamed = read;
      if (read === undefined) draw();
      else drawSoon();
    },
    giveWay(text, write) {
      const wasShown = area.isShown;
      const isOneFrame = wasShown && screen.color;
      if (isOneFrame) screen.write(FRAME.begin);
      erase();
      write();
      if (text !== '') isLineOpen = !text.endsWith('\n');
      // What was there stays there; whatever has changed comes with the next frame.
      if (wasShown && !isLineOpen) area.show(shown.streamed, shown.line);
      else if (parts.size > 0 || readStreamed !== undefined) drawSoon();
      if (isOneFrame) screen.write(FRAME.end);
    },
    erase,
    hold() {
      holds++;
      erase();
      let isHeld = true;
      return () => {
        if (isHeld) holds--;
        isHeld = false;
        drawSoon();
      };
    },
  };
}
