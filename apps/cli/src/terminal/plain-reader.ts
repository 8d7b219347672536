import { StringDecoder } from 'node:string_decoder';
import type { LineReader } from './keyboard.ts';
import type { Prompt, ReadLine } from './piped-input.ts';
import type { Terminal } from './terminal.ts';

/** Reads lines from a terminal without codes for the cursor, which edits and echoes them itself. */
export function openPlainReader({ input, out }: Pick<Terminal, 'input' | 'out'>): LineReader {
  const decoder = new StringDecoder('utf8');
  const arrived: { readonly text: string; readonly at: number }[] = [];
  let rest = '';
  let untyped = 0;
  let isEnded = false;
  let waiting: ((line: ReadLine) => void) | undefined;
  const settle = (line: ReadLine): void => {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(line);
  };
  const onLine = (text: string): void => {
    if (waiting !== undefined) settle({ kind: 'line', text });
    else if (!reader.onAhead(text)) arrived.push({ text, at: performance.now() });
  };
  const onData = (bytes: Buffer | string): void => {
    const lines = (rest + (typeof bytes === 'string' ? bytes : decoder.write(bytes))).split('\n');
    rest = lines.pop()!;
    for (const line of lines) onLine(line.replace(/\r$/, ''));
  };
  const onEnd = (): void => {
    isEnded = true;
    if (rest !== '') onLine(rest);
    settle({ kind: 'end' });
  };
  const giveUp = (): void => settle({ kind: 'end' });
  const wait = (prompt: Prompt): Promise<ReadLine> => {
    out.write(typeof prompt === 'string' ? prompt : prompt());
    if (isEnded || input.destroyed || input.readableEnded) return Promise.resolve({ kind: 'end' });
    return new Promise((resolve) => void (waiting = resolve));
  };
  input.on('data', onData);
  input.on('end', onEnd);
  input.resume();
  const print = (text: string): void => out.write(text);
  const reader: LineReader = {
    isPasted: false,
    onInterrupt: () => undefined,
    onAhead: () => false,
    isContinued: () => false,
    hasMore: async () => arrived.length > 0,
    // Whether a line was typed or pasted cannot be known, so that none counts as consent.
    get untyped() {
      return untyped;
    },
    unread: (texts) => void arrived.unshift(...texts.map((text) => ({ text, at: performance.now() }))),
    async next(prompt) {
      untyped++;
      const first = arrived.shift();
      return first === undefined ? wait(prompt) : { kind: 'line', text: first.text };
    },
    async fresh(prompt, signal) {
      if (signal?.aborted === true) return { kind: 'end' };
      signal?.addEventListener('abort', giveUp, { once: true });
      return wait(prompt).finally(() => signal?.removeEventListener('abort', giveUp));
    },
    printAbove: (text) => print(`${text}\n`),
    queue: {
      list: () => arrived,
      remove: (line) => void arrived.splice(0, Infinity, ...arrived.filter((one) => one !== line)),
    },
    openMenu: (menu) => print(`${menu.render().slice(0, -1).join('\n')}\n`),
    redraw: print,
    refresh: () => undefined,
    close() {
      input.off('data', onData);
      input.off('end', onEnd);
      input.pause();
      settle({ kind: 'end' });
    },
  };
  return reader;
}
