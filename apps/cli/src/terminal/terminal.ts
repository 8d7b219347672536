import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { createFileLinks, type LinkTargets } from './file-links.ts';
import { FRAME, LiveArea, NO_ROWS, type Screen, type StreamedRows } from './live-area.ts';
import type { Drawing } from './screen-rows.ts';
import { makeLineVisible, makeOutputVisible, truncate, type TerminalText } from './terminal-text.ts';
import { wrapOutput } from './wrap-output.ts';

/** Output for text. If its size is unknown, it has 80 columns and 24 rows. */
export interface Output extends Omit<Screen, 'write'> {
  readonly isTerminal: boolean;
  /**
   * Writes a text from any source. On a terminal, characters that would affect it become visible, and lines are wrapped
   * at words.
   */
  write(text: string): void;
  /** Calls a function once, before the next text is written. */
  beforeWrite(call: () => void): void;
  /** Calls a listener whenever the size changes. Returns a function that removes the listener. */
  onResize(listener: () => void): () => void;
}

/** Inputs and outputs of bae. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder in which bae was started. */
  readonly cwd: string;
  readonly input: Readable;
  readonly inputIsTerminal: boolean;
  /** True if a person can be asked, because input and output are a terminal. */
  readonly interactive: boolean;
  readonly out: Output;
  readonly err: Output;
  /** Screen on which a line editor draws. */
  readonly screen: { write(text: TerminalText): unknown };
  readonly status: StatusLine;
  /** Targets of the links from files and places that are mentioned on the screen. */
  readonly links: { -readonly [Key in keyof LinkTargets]: LinkTargets[Key] };
  /** Changes the working folder of the process for the code of packages; `cwd` is unchanged. @param folder absolute */
  enter(folder: string): void;
  /** Resolves when all output has left the process. */
  flush(): Promise<void>;
}

/** @param options `mayColor`: false for no colours, whatever the terminal has. Default: true */
export function createProcessTerminal({ mayColor = true } = {}): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const flushes = [stdout, stderr].map(createFlush);
  const links: Terminal['links'] = { cwd: process.cwd(), scheme: 'vscode' };
  const addLinks = createFileLinks(() => links);
  const statusScreen = createScreen(stderr, isatty(stderr.fd) && env['TERM'] !== 'dumb', mayColor);
  const status = createStatusLine(statusScreen);
  return {
    env,
    cwd: process.cwd(),
    input: stdin,
    inputIsTerminal: isatty(stdin.fd),
    interactive: isatty(stdin.fd) && isatty(stdout.fd),
    out: createOutput(createScreen(stdout, isatty(stdout.fd), mayColor), { status, addLinks }),
    err: createOutput(createScreen(stderr, isatty(stderr.fd), mayColor), { status, addLinks }),
    links,
    screen: stdout,
    status,
    enter: (folder) => process.chdir(folder),
    flush: async () => {
      await Promise.all(flushes.map((flush) => flush()));
    },
  };
}

/** Target of a stream; a terminal accepts only harmless text. */
export interface Device extends Screen, Pick<Output, 'isTerminal' | 'onResize'> {
  /** Writes to a target that is not a terminal. */
  pass(text: string): void;
}

function createScreen(stream: NodeJS.WriteStream, isTerminal: boolean, mayColor: boolean): Device {
  const { NO_COLOR, TERM } = process.env;
  const color = mayColor && isTerminal && (NO_COLOR ?? '') === '' && TERM !== 'dumb';
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

/** Functions applied to each write to a device. */
interface Passage {
  /** Status line, which makes room for each write. */
  readonly status: StatusLine;
  /** Turns the files named in a text into links. */
  readonly addLinks: (text: TerminalText) => TerminalText;
}

export function createOutput(device: Device, { status, addLinks }: Passage): Output {
  const { isTerminal, color } = device;
  const before = createBeforeWrite();
  return {
    beforeWrite: before.add,
    isTerminal,
    color,
    columns: () => device.columns(),
    rows: () => device.rows(),
    onResize: (listener) => device.onResize(listener),
    write: (text) => {
      before.run();
      if (!isTerminal) return status.giveWay(text, () => device.pass(text));
      const shown = wrapOutput(makeOutputVisible(text), device.columns());
      if (status.writeAbove(shown)) return;
      status.giveWay(text, () => {
        device.write(color ? addLinks(shown) : shown);
      });
    },
  };
}

/** Creates a list of functions that are called once, before the next text is written. */
export function createBeforeWrite() {
  const calls = new Set<() => void>();
  const run = (): void => {
    const due = [...calls];
    calls.clear();
    for (const call of due) call();
  };
  return { add: (call: () => void): void => void calls.add(call), run };
}

/** Creates a function that waits for buffered output, which a pipe would lose if the process ended. */
function createFlush(stream: NodeJS.WriteStream): () => Promise<void> {
  const write = stream.write.bind(stream);
  return () =>
    new Promise((resolve) => {
      if (stream.destroyed || stream.writableLength === 0) resolve();
      else write('', () => resolve());
    });
}

type StatusPart = 'step' | 'index' | 'menu' | 'toolbar';

const ORDER: readonly StatusPart[] = ['step', 'index', 'toolbar'];

/** Minimum and maximum time between two frames, in milliseconds; in between, a multiple of the time to draw one. */
const FRAME_MS = 50;
const LONGEST_FRAME_MS = 500;
const COST_SHARE = 5;

/**
 * End of a terminal while bae works: the growing text of a model, below it what a person types ahead, and a line that
 * tells what bae is waiting for. It stays below all other output. Frequent changes are drawn together.
 */
export interface StatusLine {
  /** @param text a function is called for each frame */
  set(part: StatusPart, text: string | (() => string)): void;
  clear(part: StatusPart): void;
  /** Shows the end of a growing text, which a function renders for each frame; undefined stops this. */
  stream(read: ((columns: number) => StreamedRows) | undefined): void;
  /** Shows at once what a person types, in rows that a function returns for each frame; undefined stops this. */
  showInput(read: (() => Drawing | undefined) | undefined): void;
  /** Writes a text above the status line or, while the written line has not ended, in its place. */
  giveWay(text: string, write: () => void): void;
  /** Writes a text above the line that a person types. Returns false if nobody types. */
  writeAbove(text: string): boolean;
  /** Sets the function that prints a line above the one that is typed while the status line is held. */
  printAboveWith(print: (line: string) => void): void;
  /** Erases the status line until something changes. */
  erase(): void;
  /** Hides the status line while a person types there, until the returned function is called. */
  hold(): () => void;
}

/** @param screen an output whose `write` makes no room by itself */
export function createStatusLine(screen: Screen & Pick<Output, 'isTerminal' | 'onResize'>): StatusLine {
  const parts = new Map<StatusPart, string | (() => string)>();
  const area = new LiveArea(screen);
  let readStreamed: ((columns: number) => StreamedRows) | undefined;
  let readInput: (() => Drawing | undefined) | undefined;
  let shown: { streamed: StreamedRows; lines: readonly string[]; input?: Drawing | undefined } = {
    streamed: NO_ROWS,
    lines: [],
  };
  let isLineOpen = false;
  let holds = 0;
  let printAbove: ((line: string) => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Earliest time of the next frame, in milliseconds. */
  let next = 0;
  const erase = (): void => {
    if (area.isShown) screen.write(area.erase());
  };
  const readText = (part: StatusPart): string => {
    const text = parts.get(part) ?? '';
    return typeof text === 'string' ? text : text();
  };
  const read = (part: StatusPart): string => makeLineVisible(readText(part));
  /** @param isTyped true if only what a person types has changed: the growing text need not be read again */
  const draw = (isTyped = false): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!screen.isTerminal || holds > 0 || isLineOpen) return;
    const began = performance.now();
    const columns = screen.columns() - 1;
    const texts = ORDER.map(read).filter((text) => text !== '');
    const menu = readText('menu')
      .split('\n')
      .filter((line) => line !== '');
    const lines = [
      ...menu.map((line) => truncate(makeLineVisible(line), columns)),
      ...(texts.length === 0 ? [] : [truncate(texts.join(' · '), columns)]),
    ];
    const streamed =
      isTyped && readStreamed !== undefined ? shown.streamed : (readStreamed?.(screen.columns()) ?? NO_ROWS);
    const input = readInput?.();
    shown = { streamed, lines, input };
    if (streamed.rows.length === 0 && lines.length === 0 && input === undefined) erase();
    else area.show(streamed, lines, input);
    const end = performance.now();
    next = end + Math.min(LONGEST_FRAME_MS, Math.max(FRAME_MS, (end - began) * COST_SHARE));
  };
  const drawSoon = (): void => {
    if (timer !== undefined || !screen.isTerminal) return;
    const wait = next - performance.now();
    if (wait <= 0) draw();
    else timer = setTimeout(() => draw(), wait).unref();
  };
  screen.onResize(() => {
    if (area.isShown) draw();
  });
  return {
    set(part, text) {
      if (parts.get(part) === text) return;
      parts.set(part, text);
      // What a person does appears at once.
      if (part === 'menu') draw(true);
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
    showInput(read) {
      if (read === undefined && readInput === undefined) return;
      readInput = read;
      draw(true);
    },
    giveWay(text, write) {
      const wasShown = area.isShown;
      if (wasShown) screen.write(FRAME.begin);
      erase();
      write();
      if (text !== '') isLineOpen = !text.endsWith('\n');
      // Unchanged text stays; changes are drawn with the next frame.
      if (wasShown && !isLineOpen) area.show(shown.streamed, shown.lines, shown.input);
      else if (parts.size > 0 || readStreamed !== undefined || readInput !== undefined) drawSoon();
      if (wasShown) screen.write(FRAME.end);
    },
    writeAbove(text) {
      if (holds === 0 || printAbove === undefined) return false;
      printAbove(text.replace(/\n$/, ''));
      return true;
    },
    printAboveWith: (print) => void (printAbove = print),
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
