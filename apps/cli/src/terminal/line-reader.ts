import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import { callbackify } from 'node:util';
import type { LineSource, ReadLine } from './piped-input.ts';
import type { Terminal } from './terminal.ts';

/** A line, and when it arrived, in milliseconds. */
interface TypedLine {
  readonly text: string;
  readonly at: number;
}

/** Lines that arrive within this time were pasted, in milliseconds. */
const PASTE_MS = 20;

/** Lines from the keyboard. */
export interface LineReader extends LineSource {
  /** Reads a line that is typed from now on; what was typed ahead was meant for something else. Aborting ends it. */
  fresh(prompt: string, signal?: AbortSignal): Promise<ReadLine>;
  /** Prints a line above the one that is being typed. */
  printAbove(text: string): void;
}

/** What helps with typing at a prompt; answers to questions get neither. */
export interface TypingHelp {
  /** Lines of earlier times, newest first. */
  readonly history?: { read(): readonly string[]; write(lines: readonly string[]): void };
  /** What the line may go on with, and the part of it that this takes the place of. */
  readonly complete?: (line: string) => Promise<{ readonly candidates: readonly string[]; readonly typed: string }>;
}

/** Reads lines from the keyboard, with editing, history and completion. */
export function openLineReader(
  { input, screen, status }: Pick<Terminal, 'input' | 'screen' | 'status'>,
  help: () => TypingHelp = () => ({}),
): LineReader {
  const typedAhead: TypedLine[] = [];
  let lines: Interface | undefined;
  let history: string[] | undefined;
  /** True while a question waits for its answer. */
  let isAsking = false;
  let waiting: ((result: ReadLine) => void) | undefined;
  /** When the last returned line had arrived. */
  let last = -Infinity;

  const settle = (result: ReadLine): void => {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(result);
  };

  const giveUp = (): void => settle({ kind: 'end' });

  const onLine = (text: string): void => {
    const at = performance.now();
    if (waiting === undefined) return void typedAhead.push({ text, at });
    last = at;
    settle({ kind: 'line', text });
  };

  const onSigint = (editor: Interface): void => {
    typedAhead.length = 0;
    // As in a shell, the line is discarded.
    const wasEmpty = eraseLine(editor);
    if (waiting === undefined) return reader.onInterrupt();
    screen.write('\n');
    if (wasEmpty) settle({ kind: 'interrupt' });
    else editor.prompt();
  };

  /** Ctrl-D closes the line editor but not the keyboard, so it can be opened again. */
  const open = (): Interface | undefined => {
    if (lines !== undefined || input.destroyed || input.readableEnded) return lines;
    history ??= [...(help().history?.read() ?? [])];
    const completer = callbackify(async (line: string): Promise<[string[], string]> => {
      const found = isAsking ? undefined : await help().complete?.(line);
      return found === undefined ? [[], line] : [[...found.candidates], found.typed];
    });
    const editor = createInterface({ input, output: screen, terminal: true, history, historySize: 500, completer });
    editor.on('history', (next: string[]) => {
      // The list is the editor's own: what is taken out of it is not remembered.
      if (isAsking) next.shift();
      history = next;
      if (!isAsking) help().history?.write(next);
    });
    editor.on('line', onLine);
    editor.on('SIGINT', () => onSigint(editor));
    editor.on('close', () => {
      lines = undefined;
      if (waiting !== undefined) screen.write('\n');
      giveUp();
    });
    return (lines = editor);
  };

  const wait = (prompt: string): Promise<ReadLine> => {
    const editor = open();
    if (editor === undefined) return Promise.resolve({ kind: 'end' });
    const release = status.hold();
    return new Promise((resolve) => {
      waiting = (line) => {
        release();
        resolve(line);
      };
      editor.setPrompt(prompt);
      editor.prompt(true);
    });
  };

  const reader: LineReader = {
    onInterrupt: () => undefined,
    next(prompt) {
      const typed = typedAhead.shift();
      if (typed === undefined) return wait(prompt);
      last = typed.at;
      return Promise.resolve({ kind: 'line', text: typed.text });
    },
    hasMore: async () => typedAhead.length > 0,
    get isPasted() {
      const [next] = typedAhead;
      if (next !== undefined) return next.at - last < PASTE_MS;
      return (lines?.line ?? '') !== '' && performance.now() - last < PASTE_MS;
    },
    unread: (texts) => void typedAhead.unshift(...texts.map((text) => ({ text, at: last }))),
    async fresh(prompt, signal) {
      if (signal?.aborted === true) return { kind: 'end' };
      const editor = open();
      if (editor !== undefined) eraseLine(editor);
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
      const typing = waiting && lines;
      if (typing !== undefined) {
        cursorTo(screen, 0);
        clearLine(screen, 0);
      }
      screen.write(`${text}\n`);
      typing?.prompt(true);
    },
    close: () => lines?.close(),
  };
  return reader;
}

/** Erases the line so far. Returns true when it was empty. */
function eraseLine(lines: Interface): boolean {
  if (lines.line === '') return true;
  lines.write(null, { ctrl: true, name: 'e' });
  lines.write(null, { ctrl: true, name: 'u' });
  return false;
}
