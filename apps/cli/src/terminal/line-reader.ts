import { CLEAR_SCREEN, LineEditor, type Prompt } from './line-editor.ts';
import { REST, type LineSource, type ReadLine } from './piped-input.ts';
import { drawn, makeLineVisible, makeOutputVisible } from './terminal-text.ts';
import type { Terminal } from './terminal.ts';

/** A line, and when it arrived, in milliseconds. */
interface TypedLine {
  readonly text: string;
  readonly at: number;
  readonly isTyped: boolean;
}

/** Lines that arrive within this time were pasted, in milliseconds. */
const PASTE_MS = 20;

/** Lines from the keyboard. */
export interface LineReader extends LineSource {
  /** Reads a line that is typed from now on; what was typed ahead was meant for something else. Aborting ends it. */
  fresh(prompt: string, signal?: AbortSignal): Promise<ReadLine>;
  /** Prints a line above the one that is being typed. */
  readonly printAbove: (text: string) => void;
  /** Shows a text instead of everything that is on the screen. */
  readonly redraw: (text: string) => void;
}

/** What helps with typing at a prompt; answers to questions get neither. */
export interface TypingHelp {
  /** Lines of earlier times, newest first. */
  readonly history?: { read(): readonly string[]; write(lines: readonly string[]): void };
  /** What the line may go on with, and the part of it that this takes the place of. */
  readonly complete?: (line: string) => Promise<{ readonly candidates: readonly string[]; readonly typed: string }>;
  /** Lets another program edit the text; undefined when there is none. */
  readonly edit?: (text: string) => Promise<string | undefined>;
  /** What other keys do, by their names: `ctrl-v`, `shift-tab`. The prompt and the footer are drawn again after them. */
  readonly keys?: Readonly<Record<string, () => void>>;
  /** Lines below the prompt, which may depend on what is typed. */
  readonly footer?: (text: string) => string;
}

const MOST_EARLIER = 500;
/** Characters of what is typed ahead that are shown. */
const MOST_SHOWN = 60;

/** Reads texts from the keyboard, with editing, history and completion. */
export function openLineReader(
  terminal: Pick<Terminal, 'input' | 'screen' | 'status' | 'out'>,
  help: () => TypingHelp = () => ({}),
): LineReader {
  const { input, screen, status, out } = terminal;
  const typedAhead: TypedLine[] = [];
  let editor: LineEditor | undefined;
  let history: string[] | undefined;
  /** True while a question waits for its answer. */
  let isAsking = false;
  let waiting: ((result: ReadLine) => void) | undefined;
  /** When the last returned line had arrived. */
  let last = -Infinity;
  let untyped = 0;

  const settle = (result: ReadLine): void => {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(result);
  };

  /** Keeps what was typed at a prompt; no answers to questions, and no bodies. */
  const remember = (text: string): void => {
    if (text.trim() === '' || text === history?.[0]) return;
    history = [text, ...(history ?? [])].slice(0, MOST_EARLIER);
    help().history?.write(history);
  };

  /** What is typed while nothing is asked for stands on the line of status, until it is read. */
  const showTypedAhead = (text = editor?.text ?? ''): void => {
    const typed = [...typedAhead.map((line) => line.text), text].join(' ⏎ ');
    if (typed === '') status.clear('typed');
    else status.set('typed', `typed: ${makeLineVisible(typed.slice(-MOST_SHOWN))}`);
  };

  const giveUp = (): void => settle({ kind: 'end' });

  const onText = (text: string, isTyped: boolean): void => {
    const at = performance.now();
    if (waiting === undefined) {
      typedAhead.push({ text, at, isTyped });
      return showTypedAhead('');
    }
    last = at;
    if (!isTyped) untyped++;
    settle({ kind: 'line', text });
  };

  const onInterrupt = (wasEmpty: boolean): void => {
    typedAhead.length = 0;
    status.clear('typed');
    if (waiting === undefined) reader.onInterrupt();
    else if (wasEmpty) settle({ kind: 'interrupt' });
  };

  /** Ctrl-D closes the line editor but not the keyboard, so it can be opened again. */
  const onEnd = (): void => {
    const wasWaiting = waiting !== undefined;
    close();
    if (wasWaiting) screen.write(drawn`\n`);
    giveUp();
  };

  const close = (): void => {
    editor?.close();
    editor = undefined;
  };

  const open = (): LineEditor | undefined => {
    if (editor !== undefined || input.destroyed || input.readableEnded) return editor;
    history ??= [...(help().history?.read() ?? [])];
    return (editor = new LineEditor(
      { input, screen, columns: () => out.columns(), rows: () => out.rows(), onResize: (call) => out.onResize(call) },
      {
        onText,
        onInterrupt,
        onEnd,
        complete: async (line) =>
          (isAsking ? undefined : await help().complete?.(line)) ?? { candidates: [], typed: '' },
        history: () => (isAsking ? [] : (history ?? [])),
        edit: help().edit,
        get keys() {
          return isAsking ? undefined : help().keys;
        },
        footer: (text) => (isAsking ? '' : (help().footer?.(text) ?? '')),
        onTypedAhead: showTypedAhead,
      },
    ));
  };

  const wait = (prompt: Prompt): Promise<ReadLine> => {
    const opened = open();
    if (opened === undefined) return Promise.resolve({ kind: 'end' });
    status.clear('typed');
    const release = status.hold();
    return new Promise((resolve) => {
      waiting = (line) => {
        release();
        resolve(line);
      };
      opened.ask(prompt);
    });
  };

  const reader: LineReader = {
    onInterrupt: () => undefined,
    async next(prompt) {
      const typed = typedAhead.shift();
      const line: ReadLine = typed === undefined ? await wait(prompt) : { kind: 'line', text: typed.text };
      if (line.kind === 'line' && prompt !== REST) remember(line.text);
      if (typed === undefined) return line;
      last = typed.at;
      if (!typed.isTyped) untyped++;
      showTypedAhead();
      return line;
    },
    hasMore: async () => typedAhead.length > 0,
    get isPasted() {
      const [next] = typedAhead;
      if (next !== undefined) return next.at - last < PASTE_MS;
      return (editor?.text ?? '') !== '' && performance.now() - last < PASTE_MS;
    },
    get untyped() {
      return untyped;
    },
    // What was counted of them once is counted again, which asks once too often at most.
    unread: (texts) => void typedAhead.unshift(...texts.map((text) => ({ text, at: last, isTyped: false }))),
    async fresh(prompt, signal) {
      if (signal?.aborted === true) return { kind: 'end' };
      open()?.clear();
      signal?.addEventListener('abort', giveUp, { once: true });
      isAsking = true;
      try {
        return await wait(prompt);
      } finally {
        isAsking = false;
        signal?.removeEventListener('abort', giveUp);
      }
    },
    printAbove(text) {
      if (editor === undefined) screen.write(makeOutputVisible(`${text}\n`));
      else editor.printAbove(`${text}\n`);
    },
    redraw(text) {
      status.erase();
      if (editor === undefined) screen.write(drawn`${CLEAR_SCREEN}${makeOutputVisible(text)}`);
      else editor.redraw(text);
    },
    close() {
      close();
      giveUp();
    },
  };
  return reader;
}
