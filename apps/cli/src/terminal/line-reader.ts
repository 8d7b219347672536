import { clearLine, createInterface, cursorTo, type Interface } from 'node:readline';
import type { LineSource, ReadLine } from './piped-input.ts';
import type { Terminal } from './terminal.ts';

/** A line, and when it arrived, in milliseconds. */
interface TypedLine {
  readonly text: string;
  readonly at: number;
}

/** Lines that arrive within this time were pasted, in milliseconds. */
const PASTE_MS = 20;

/** Reads lines from the keyboard, with editing and history. */
export class LineReader implements LineSource {
  onInterrupt: () => void = () => undefined;
  #lines: Interface | undefined;
  readonly #typedAhead: TypedLine[] = [];
  /** When the last returned line had arrived. */
  #last = -Infinity;
  #waiting: ((result: ReadLine) => void) | undefined;
  #history: string[] = [];

  readonly #terminal: Pick<Terminal, 'input' | 'screen' | 'status'>;

  constructor(terminal: Pick<Terminal, 'input' | 'screen' | 'status'>) {
    this.#terminal = terminal;
  }

  /** Reads a line; one that was typed ahead or pasted is returned at once. */
  next(prompt: string): Promise<ReadLine> {
    const typed = this.#typedAhead.shift();
    if (typed !== undefined) {
      this.#last = typed.at;
      return Promise.resolve({ kind: 'line', text: typed.text });
    }
    return this.#wait(prompt);
  }

  async hasMore(): Promise<boolean> {
    return this.#typedAhead.length > 0;
  }

  get isPasted(): boolean {
    const [next] = this.#typedAhead;
    if (next !== undefined) return next.at - this.#last < PASTE_MS;
    return (this.#lines?.line ?? '') !== '' && performance.now() - this.#last < PASTE_MS;
  }

  unread(lines: readonly string[]): void {
    this.#typedAhead.unshift(...lines.map((text) => ({ text, at: this.#last })));
  }

  /** Reads a line that is typed from now on; what was typed ahead was meant for something else. Aborting ends it. */
  async fresh(prompt: string, signal?: AbortSignal): Promise<ReadLine> {
    if (signal?.aborted === true) return { kind: 'end' };
    const lines = this.#open();
    if (lines !== undefined) eraseLine(lines);
    const giveUp = () => this.#settle({ kind: 'end' });
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      return await this.#wait(prompt);
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  /** Prints a line above the one that is being typed. */
  printAbove(text: string): void {
    const { screen } = this.#terminal;
    const isTyping = this.#waiting !== undefined && this.#lines !== undefined;
    if (isTyping) {
      cursorTo(screen, 0);
      clearLine(screen, 0);
    }
    screen.write(`${text}\n`);
    if (isTyping) this.#lines?.prompt(true);
  }

  close(): void {
    this.#lines?.close();
  }

  #wait(prompt: string): Promise<ReadLine> {
    const lines = this.#open();
    if (lines === undefined) return Promise.resolve({ kind: 'end' });
    const release = this.#terminal.status.hold();
    return new Promise((resolve) => {
      this.#waiting = (line) => {
        release();
        resolve(line);
      };
      lines.setPrompt(prompt);
      lines.prompt(true);
    });
  }

  /** Ctrl-D closes the line editor but not the keyboard, so it can be opened again. */
  #open(): Interface | undefined {
    const { input, screen } = this.#terminal;
    if (this.#lines !== undefined) return this.#lines;
    if (input.destroyed || input.readableEnded) return undefined;
    const lines = createInterface({ input, output: screen, terminal: true, history: this.#history, historySize: 500 });
    lines.on('history', (history: string[]) => (this.#history = history));
    lines.on('line', (text: string) => this.#typed(text));
    lines.on('SIGINT', () => this.#interrupt(lines));
    lines.on('close', () => {
      this.#lines = undefined;
      if (this.#waiting !== undefined) this.#terminal.screen.write('\n');
      this.#settle({ kind: 'end' });
    });
    this.#lines = lines;
    return lines;
  }

  #typed(text: string): void {
    const at = performance.now();
    if (this.#waiting === undefined) this.#typedAhead.push({ text, at });
    else {
      this.#last = at;
      this.#settle({ kind: 'line', text });
    }
  }

  #interrupt(lines: Interface): void {
    this.#typedAhead.length = 0;
    // As in a shell, the line is discarded.
    const wasEmpty = eraseLine(lines);
    if (this.#waiting === undefined) return this.onInterrupt();
    this.#terminal.screen.write('\n');
    if (wasEmpty) this.#settle({ kind: 'interrupt' });
    else lines.prompt();
  }

  #settle(result: ReadLine): void {
    const resolve = this.#waiting;
    this.#waiting = undefined;
    resolve?.(result);
  }
}

/** Erases the line so far. Returns true when it was empty. */
function eraseLine(lines: Interface): boolean {
  if (lines.line === '') return true;
  lines.write(null, { ctrl: true, name: 'e' });
  lines.write(null, { ctrl: true, name: 'u' });
  return false;
}
