import { setImmediate } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openMemoryTerminal, type MemoryTerminal } from '../../test/memory-terminal.ts';
import { REST } from './piped-input.ts';
import type { LineReader } from './keyboard.ts';
import { openLineReader } from './line-reader.ts';

let terminal: MemoryTerminal;
let reader: LineReader;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  terminal = openMemoryTerminal({ interactive: true });
  reader = openLineReader(terminal);
});
afterEach(() => {
  vi.useRealTimers();
  reader.close();
});

/** Types, and lets the line editor see it. */
async function type(text: string): Promise<void> {
  terminal.input.write(text);
  await setImmediate();
}

describe('LineReader', () => {
  it('shows the prompt and gives the line that is typed', async () => {
    const line = reader.next('home> ');
    await type('<R:>\r');
    expect(await line).toEqual({ kind: 'line', text: '<R:>' });
    expect(String(terminal.screen.read())).toContain('home> ');
  });

  it('keeps pasted lines for later', async () => {
    const first = reader.next('> ');
    await type('one\rtwo\rthree\r');
    expect(await first).toEqual({ kind: 'line', text: 'one' });
    expect(await reader.hasMore()).toBe(true);
    expect(reader.isPasted).toBe(true);
    expect(await reader.next('> ')).toEqual({ kind: 'line', text: 'two' });
    reader.unread(['two again']);
    expect(await reader.next('> ')).toEqual({ kind: 'line', text: 'two again' });
    expect(await reader.next('> ')).toEqual({ kind: 'line', text: 'three' });
    expect(await reader.hasMore()).toBe(false);
  });

  it('shows lines that were typed ahead at their prompts, each once', async () => {
    const first = reader.next('> ');
    await type('one\rtwo\rthree\r');
    await first;
    const before = terminal.transcript.text.length;
    await reader.next(() => 'home> ');
    await reader.next(REST);
    reader.unread(['three']);
    await reader.next('home> ');
    expect(terminal.transcript.text.slice(before).match(/(?:home>|…) \w+\n/g)).toEqual(['home> two\n', '… three\n']);
  });

  it('counts lines that nobody has typed: those that came in one piece with their Enter', async () => {
    const counts: number[] = [];
    const read = async (...pieces: readonly string[]): Promise<void> => {
      const line = reader.next('> ');
      for (const piece of pieces) await type(piece);
      await line;
      counts.push(reader.untyped);
    };
    await read('typed', '\r');
    await read('pasted without brackets\r');
    await read('\u001B[200~pasted\u001B[201~', '\r');
    await read('\u001B[200~pasted\u001B[201~\r');
    expect(counts).toEqual([0, 1, 1, 2]);
  });

  it('takes what comes in one go for a paste, the beginning of a line included, and nothing else', async () => {
    const first = reader.next('> ');
    await type('one\rtw');
    await first;
    expect(reader.isPasted).toBe(true);
    vi.advanceTimersByTime(40);
    expect(reader.isPasted).toBe(false);
    const second = reader.next('> ');
    await type('o\r');
    expect(await second).toEqual({ kind: 'line', text: 'two' });
    expect(reader.isPasted).toBe(false);
    await type('three\r');
    vi.advanceTimersByTime(40);
    await type('four\r');
    await reader.next('> ');
    expect([await reader.hasMore(), reader.isPasted]).toEqual([true, false]);
  });

  it('takes lines for a paste that came together, however long after the one before them', async () => {
    const first = reader.next('> ');
    await type('one\r');
    await first;
    vi.advanceTimersByTime(40);
    await type('two\rthree\r');
    expect(reader.isPasted).toBe(false);
    await reader.next('> ');
    expect(reader.isPasted).toBe(true);
  });

  it('keeps the status line away until the line is there', async () => {
    const { status, err } = terminal;
    const line = reader.next('> ');
    status.set('step', 'one');
    expect(err.text).toBe('');
    await type('x\r');
    await line;
    expect(err.text).toContain('one');
  });

  it('prints a line above the one that is being typed', async () => {
    const line = reader.next('> ');
    await type('<R');
    terminal.screen.read();
    reader.printAbove('news');
    const shown = String(terminal.screen.read());
    expect(stripVTControlCharacters(shown).replaceAll('\r', '')).toBe('news\n> <R');
    await type(':>\r');
    expect(await line).toEqual({ kind: 'line', text: '<R:>' });
  });

  it('prints a line in place of the status line, which stays below it', () => {
    terminal.status.set('step', 'waiting');
    terminal.input.write('');
    reader.printAbove('news');
    expect(terminal.transcript.text).toContain('waiting\u001B[?2026h\r\u001B[Jnews\nwaiting\u001B[?2026l');
  });

  it('opens a menu that gets the keys until it is closed, also while no line is requested', async () => {
    const pressed: string[] = [];
    const press = (key: string) => (pressed.push(key), key === 'escape' ? 'close' : key === 'x' ? 'pass' : 'stay');
    const first = reader.next('> ');
    await type('one\r');
    await first;
    reader.openMenu({ render: () => ['1 this'], press });
    expect(terminal.transcript.text).toContain('1 this');
    await type('1\u001B[B');
    await type('x');
    await type('y');
    expect(pressed).toEqual(['1', 'down', 'x']);
    const second = reader.next('> ');
    await type('\r');
    expect(await second).toEqual({ kind: 'line', text: 'xy' });
  });

  it('closes a menu for a question, so that a key does not answer both', async () => {
    const pressed: string[] = [];
    reader.openMenu({ render: () => ['1 this'], press: (key) => (pressed.push(key), 'stay') });
    const answer = reader.fresh('run it? ');
    await type('y\r');
    expect(await answer).toEqual({ kind: 'line', text: 'y' });
    expect(pressed).toEqual([]);
  });

  it('just prints a line while none is being read', () => {
    reader.printAbove('news');
    expect(String(terminal.screen.read())).toBe('news\n');
  });

  it('takes only what is typed from now on for a fresh line', async () => {
    const first = reader.next('> ');
    await type('start\ry\rhalf a li');
    await first;
    vi.advanceTimersByTime(300);
    const consent = reader.fresh('run it? ');
    await type('n\r');
    expect(await consent).toEqual({ kind: 'line', text: 'n' });
    expect(await reader.next('> ')).toEqual({ kind: 'line', text: 'y' });
  });

  it('ends with Ctrl-D, and opens again when asked again', async () => {
    const end = reader.next('> ');
    await type('\u0004');
    expect(await end).toEqual({ kind: 'end' });
    const line = reader.next('> ');
    await type('still here\r');
    expect(await line).toEqual({ kind: 'line', text: 'still here' });
  });

  it('ends when the input does', async () => {
    const end = reader.next('> ');
    terminal.input.end();
    expect(await end).toEqual({ kind: 'end' });
    expect(await reader.next('> ')).toEqual({ kind: 'end' });
  });

  it('gives up the line on Ctrl-C, and the prompt when there was no line', async () => {
    const line = reader.next('> ');
    await type('rm -rf\u0003');
    await type('\u0003');
    expect(await line).toEqual({ kind: 'interrupt', isRepeated: false });
  });

  it('passes Ctrl-C on while no line is asked for', async () => {
    let interrupts = 0;
    reader.onInterrupt = () => interrupts++;
    const line = reader.next('> ');
    await type('question\r');
    await line;
    await type('\u0003');
    expect(interrupts).toBe(1);
  });

  /** Has a line read, so that what is typed next is typed while it is worked on. */
  async function beginWork(): Promise<void> {
    const line = reader.next('home> ');
    await type('work\r');
    await line;
  }
  const screen = (): string => stripVTControlCharacters(terminal.transcript.text);

  it('keeps reading after Ctrl-D while no line is requested, says so, and ends with the next request', async () => {
    await beginWork();
    await type('ahead\r\u0004');
    expect(screen()).toMatch(/queued: ahead\r?\nleaving when this has ended; any other key stays\./);
    expect(await reader.next('home> ')).toEqual({ kind: 'line', text: 'ahead' });
    expect(await reader.next('home> ')).toEqual({ kind: 'end' });
    const line = reader.next('home> ');
    await type('stay\r');
    expect(await line).toEqual({ kind: 'line', text: 'stay' });
  });

  it('stays after Ctrl-D if another key is pressed', async () => {
    await beginWork();
    await type('\u0004');
    await type('x');
    const line = reader.next('home> ');
    await type('\r');
    expect(await line).toEqual({ kind: 'line', text: 'x' });
  });

  it('goes on reading after Ctrl-D at a question', async () => {
    const answer = reader.fresh('run it? ');
    await type('\u0004');
    expect(await answer).toEqual({ kind: 'end' });
    let interrupts = 0;
    reader.onInterrupt = () => interrupts++;
    await type('\u0003');
    expect(interrupts).toBe(1);
  });

  it.each(['\u0003', '\u001B[27u'])('gives lines that wait back to the prompt on %j', async (key) => {
    await beginWork();
    await type('one\rtwo\rhalf');
    await type(key);
    const line = reader.next('home> ');
    await type('!\r');
    expect(await line).toEqual({ kind: 'line', text: 'one\ntwo\nhalf!' });
  });

  it('tells whether Escape or Ctrl-C was pressed', async () => {
    const keys: (boolean | undefined)[] = [];
    reader.onInterrupt = (isEscape) => keys.push(isEscape);
    await beginWork();
    await type('\u001B[27u\u0003');
    expect(keys).toEqual([true, false]);
  });

  it.each([
    ['', true],
    ['x\u007F', false],
  ])('with %j between them, a second Ctrl-C at a prompt is a repeated one: %s', async (between, isRepeated) => {
    const first = reader.next('> ');
    await type('\u0003');
    expect(await first).toEqual({ kind: 'interrupt', isRepeated: false });
    const second = reader.next('> ');
    await type(`${between}\u0003`);
    expect(await second).toEqual({ kind: 'interrupt', isRepeated });
  });

  it('does not count a key that cancelled work as a first Ctrl-C at the prompt', async () => {
    await beginWork();
    await type('\u0003');
    const line = reader.next('> ');
    await type('\u0003');
    expect(await line).toEqual({ kind: 'interrupt', isRepeated: false });
  });

  it('shows what is typed ahead at the prompt, with a search', async () => {
    await beginWork();
    await type('ahead');
    expect(screen()).toContain('home> ahead');
    await type('\u0015\u0012wor');
    expect(screen()).toMatch(/search :[^]*r: work$/);
  });

  it('keeps a half-typed line for after a question, which takes nothing of it', async () => {
    await beginWork();
    await type('rea');
    const { promise: asked, resolve } = Promise.withResolvers<unknown>();
    void reader.fresh('run it? ').then(resolve);
    await type('dy\b\b');
    expect(screen()).not.toContain('run it?');
    vi.advanceTimersByTime(300);
    await terminal.transcript.shows('run it?');
    await type('n\r');
    expect(await asked).toEqual({ kind: 'line', text: 'n' });
    const line = reader.next('home> ');
    await type('d\r');
    expect(await line).toEqual({ kind: 'line', text: 'read' });
  });

  it('gives up a question on Escape, and keeps the half-typed line', async () => {
    await beginWork();
    await type('half');
    vi.advanceTimersByTime(300);
    const answer = reader.fresh('run it? ');
    await type('\u001B[27u');
    expect(await answer).toEqual({ kind: 'interrupt', isRepeated: false });
    const line = reader.next('home> ');
    await type('\r');
    expect(await line).toEqual({ kind: 'line', text: 'half' });
  });

  it('leaves no open line on the screen when a question is over', async () => {
    const stop = new AbortController();
    const answer = reader.fresh('run it? ', stop.signal);
    stop.abort();
    expect(await answer).toEqual({ kind: 'end' });
    reader.printAbove('news');
    expect(screen()).toMatch(/run it\? \r?\n[^]*news/);
  });

  it('remembers earlier lines', async () => {
    const first = reader.next('> ');
    await type('earlier\r');
    await first;
    const second = reader.next('> ');
    await type('\u001B[A\r');
    expect(await second).toEqual({ kind: 'line', text: 'earlier' });
  });
});

describe('LineReader with help', () => {
  const UP = '\u001b[A';

  it('gives back the lines of earlier times, and remembers those of the prompt but no answers', async () => {
    const kept: (readonly string[])[] = [];
    const history = { read: () => ['<R:old.ts>'], write: (lines: readonly string[]) => void kept.push([...lines]) };
    reader = openLineReader(terminal, () => ({ history }));
    const first = reader.next('> ');
    await type(`${UP}\r`);
    expect(await first).toEqual({ kind: 'line', text: '<R:old.ts>' });
    const second = reader.next('> ');
    await type('<R:new.ts>\r');
    await second;
    const answer = reader.fresh('sure? ');
    await type('my secret answer\r');
    expect(await answer).toEqual({ kind: 'line', text: 'my secret answer' });
    const body = reader.next(REST);
    await type('a line of a body\r');
    await body;
    const third = reader.next('> ');
    await type(`${UP}\r`);
    expect(await third).toEqual({ kind: 'line', text: '<R:new.ts>' });
    expect(kept.at(-1)).toEqual(['<R:new.ts>', '<R:old.ts>']);
    expect(kept.flat()).not.toContain('my secret answer');
    expect(kept.flat()).not.toContain('a line of a body');
  });

  it('shows the toolbar below a question, which has the further keys too', async () => {
    let presses = 0;
    reader = openLineReader(terminal, () => ({
      menu: () => 'menu',
      toolbar: () => `toolbar ${presses}`,
      keys: { 'shift-tab': () => void presses++ },
    }));
    const answer = reader.fresh('run it? ');
    await type('\u001B[Z');
    expect(stripVTControlCharacters(terminal.transcript.text)).toMatch(/run it\? [^]*toolbar 0[^]*1/);
    expect(terminal.transcript.text).not.toContain('menu');
    await type('y\r');
    expect(await answer).toEqual({ kind: 'line', text: 'y' });
  });

  it('keeps a line that goes on after \\ as one', async () => {
    const kept: (readonly string[])[] = [];
    reader = openLineReader(terminal, () => ({
      history: { read: () => [], write: (lines) => void kept.push([...lines]) },
    }));
    reader.isContinued = () => true;
    const line = reader.next('> ');
    await type('first \\\r');
    await type('second\r');
    expect(await line).toEqual({ kind: 'line', text: 'first \nsecond' });
    expect(kept).toEqual([['first \nsecond']]);
  });

  it('takes the keyboard no more once it is closed, though a question comes late', async () => {
    const line = reader.next('home> ');
    reader.close();
    expect(await line).toEqual({ kind: 'end' });
    expect(await reader.fresh('run it? ')).toEqual({ kind: 'end' });
  });

  it('completes with Tab at the prompt, not in an answer', async () => {
    const complete = async (line: string) => ({
      candidates: ['@source()'].filter((one) => one.startsWith(line)),
      typed: line,
    });
    reader = openLineReader(terminal, () => ({ complete }));
    const line = reader.next('> ');
    await type('@so\t');
    await type('\r');
    expect(await line).toEqual({ kind: 'line', text: '@source()' });
    const answer = reader.fresh('sure? ');
    await type('@so\t');
    await type('\r');
    expect(await answer).toEqual({ kind: 'line', text: '@so' });
  });
});

describe('LineReader at a dumb terminal', () => {
  it('reads lines and answers without any code', async () => {
    terminal = openMemoryTerminal({ interactive: true, env: { TERM: 'dumb' } });
    reader = openLineReader(terminal);
    const first = reader.next('home> ');
    await type('one\ntwo\n');
    expect(await first).toEqual({ kind: 'line', text: 'one' });
    const answer = reader.fresh('run it? ');
    await type('y\r\n');
    expect(await answer).toEqual({ kind: 'line', text: 'y' });
    expect(await reader.next('home> ')).toEqual({ kind: 'line', text: 'two' });
    reader.printAbove('news');
    reader.redraw('all\n');
    const last = reader.next('home> ');
    terminal.input.end();
    expect(await last).toEqual({ kind: 'end' });
    reader.close();
    expect(terminal.transcript.text).toBe('home> run it? news\nall\nhome> ');
    // None of them is known to be typed.
    expect(reader.untyped).toBe(3);
  });

  it('gives up a question when it is over', async () => {
    terminal = openMemoryTerminal({ interactive: true, env: { TERM: 'dumb' } });
    reader = openLineReader(terminal);
    const stop = new AbortController();
    const answer = reader.fresh('run it? ', stop.signal);
    stop.abort();
    expect(await answer).toEqual({ kind: 'end' });
  });
});
