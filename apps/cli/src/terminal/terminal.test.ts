import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openVirtualScreen } from '../../test/virtual-screen.ts';
import { makeVisible } from './terminal-text.ts';
import { createOutput, createStatusLine } from './terminal.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function open({ isTerminal = true, ...size }: { isTerminal?: boolean; columns?: number } = {}) {
  const screen = { ...openVirtualScreen(size), isTerminal, color: false };
  const status = createStatusLine(screen);
  const look = () => {
    const lines = screen.read();
    // The emulator waits for it.
    vi.advanceTimersByTime(1);
    return lines;
  };
  /** What is on the screen after the next frame. */
  const read = () => {
    vi.advanceTimersByTime(50);
    return look();
  };
  const write = (text: string) => status.giveWay(text, () => screen.write(text));
  const cursor = () => [screen.terminal.buffer.active.cursorY, screen.terminal.buffer.active.cursorX];
  return { ...screen, status, look, read, write, cursor };
}

/** What a line editor draws for a typed text. */
function typed(row: string) {
  return { rows: [makeVisible(row)], row: 0, column: row.length };
}

/** What a model is writing, in one row. */
function asRows(text: string) {
  return { rows: [makeVisible(text)], above: 0 };
}

describe('the status line', () => {
  it('shows several texts side by side, and disappears when there is none', async () => {
    const { read, status } = open();
    status.set('step', 'reading');
    expect(await read()).toEqual(['reading']);
    status.set('index', '3 of 9');
    status.set('toolbar', () => 'model');
    expect(await read()).toEqual(['reading · 3 of 9 · model']);
    status.clear('step');
    status.clear('toolbar');
    expect(await read()).toEqual(['3 of 9']);
    status.clear('index');
    expect(await read()).toEqual([]);
  });

  it('never gets longer than the line', async () => {
    const { read, status } = open({ columns: 10 });
    status.set('step', 'a very long thing');
    expect(await read()).toEqual(['a very l…']);
  });

  it('stays below what is written, and below what a model is writing', async () => {
    const { read, write, status, cursor } = open();
    status.set('toolbar', 'model');
    write('text\n');
    write('more\n');
    expect(await read()).toEqual(['text', 'more', 'model']);
    let streamed = 'I look';
    status.stream(() => asRows(streamed));
    expect(await read()).toEqual(['text', 'more', 'I look', 'model']);
    streamed = 'I look at it.';
    status.stream(() => asRows(streamed));
    status.showInput(() => typed('> and'));
    expect(await read()).toEqual(['text', 'more', 'I look at it.', '> and', 'model']);
    expect(cursor()).toEqual([3, 5]);
    status.stream(undefined);
    expect(await read()).toEqual(['text', 'more', '> and', 'model']);
    status.showInput(undefined);
    expect(await read()).toEqual(['text', 'more', 'model']);
  });

  it('does not read the growing text again for a key', async () => {
    const { read, status } = open();
    let reads = 0;
    status.stream(() => asRows(`${++reads} words`));
    await read();
    const before = reads;
    status.showInput(() => typed('> x'));
    expect(reads).toBe(before);
    expect(await read()).toEqual([`${before} words`, '> x']);
  });

  it('is there after every line of a flood', async () => {
    const { look, rows, status, write } = open();
    status.set('step', 'the code is running');
    for (let line = 0; line < 100; line++) {
      write(`line ${line}\n`);
      expect((await look()).at(-1)).toBe('the code is running');
    }
    expect(await look()).toHaveLength(100 + 1);
    expect(rows()).toBeLessThan(100);
  });

  it('is drawn once in 50 ms, however often it changes, but at once for what is typed', () => {
    const { bytes, status } = open();
    let frames = 0;
    const count = () => asRows(`frame ${++frames}`);
    for (let change = 0; change < 5000; change++) {
      status.stream(count);
      status.set('step', `step ${change}`);
      if (change % 5 === 4) vi.advanceTimersByTime(1);
    }
    expect(frames).toBeGreaterThanOrEqual(1000 / 50 - 1);
    expect(frames).toBeLessThanOrEqual(1000 / 50 + 1);
    const before = bytes();
    status.showInput(() => typed('> x'));
    expect(bytes()).toBeGreaterThan(before);
  });

  it('writes only what changes of a line', async () => {
    const { bytes, look, read, status } = open();
    status.set('step', 'the model is writing… 9 s · 12 % · ~/folder · model');
    await read();
    const before = bytes();
    status.set('step', 'the model is writing… 8 s · 12 % · ~/folder · model');
    vi.advanceTimersByTime(50);
    expect(await look()).toEqual(['the model is writing… 8 s · 12 % · ~/f…']);
    // The digit, the place of the cursor before and after it, and the frame.
    expect(bytes() - before).toBeLessThan(40);
  });

  it('moves the end of a line whose middle gets narrower', async () => {
    const { read, status } = open();
    status.set('step', '漢 of 9');
    await read();
    status.set('step', 'a of 9');
    expect(await read()).toEqual(['a of 9']);
  });

  it('takes nothing away of a line that has no end yet', async () => {
    const { read, write, status } = open();
    write('name: ');
    status.set('step', 'one');
    write('');
    status.set('step', 'two');
    expect(await read()).toEqual(['name: ']);
    write('bae\n');
    expect(await read()).toEqual(['name: bae', 'two']);
  });

  it('stays away while somebody types', async () => {
    const { read, status } = open();
    status.set('step', 'one');
    const [release, second] = [status.hold(), status.hold()];
    status.set('step', 'two');
    release();
    release();
    expect(await read()).toEqual([]);
    second();
    expect(await read()).toEqual(['two']);
  });

  it('lets a text that comes while somebody types stand above the typed line, on a screen only', () => {
    const { status, ...screen } = open();
    const [above, passed]: [string[], string[]] = [[], []];
    const device = { ...screen, pass: (text: string) => void passed.push(text) };
    const write = (text: string, isTerminal = true): void =>
      createOutput({ ...device, isTerminal }, { status, addLinks: (same) => same }).write(text);
    status.printAboveWith((line) => void above.push(line));
    const release = status.hold();
    write('late\n');
    write('to a file\n', false);
    release();
    write('later\n');
    expect({ above, passed }).toEqual({ above: ['late'], passed: ['to a file\n'] });
  });

  it('wraps what is written at words on a screen, and leaves it as it is in a file', async () => {
    const { status, read, ...screen } = open({ columns: 12 });
    const passed: string[] = [];
    const device = { ...screen, pass: (text: string) => void passed.push(text) };
    const text = 'one two three four\n';
    for (const isTerminal of [true, false])
      createOutput({ ...device, isTerminal }, { status, addLinks: (same) => same }).write(text);
    expect(await read()).toEqual(['one two', 'three four']);
    expect(passed).toEqual([text]);
  });

  it('is drawn again for another width', async () => {
    const { read, resize, status } = open({ columns: 40 });
    status.set('step', 'a text that is as long as this');
    await read();
    resize(20, 12);
    expect(await read()).toEqual(['a text that is as …']);
  });

  it('is not there where no person looks', async () => {
    const { read, status, bytes } = open({ isTerminal: false });
    status.set('step', 'one');
    status.stream(() => asRows('two'));
    status.clear('step');
    expect(await read()).toEqual([]);
    expect(bytes()).toBe(0);
  });
});
