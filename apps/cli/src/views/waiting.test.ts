import type { AgentEvent } from '@bae/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryOutput } from '../../test/memory-terminal.ts';
import { createStatusLine } from '../terminal/terminal.ts';
import { createIndexProgress, createWaiting } from './waiting.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const screen = new MemoryOutput({ isTerminal: true });
  const waiting = createWaiting(createStatusLine(screen));
  return {
    handle: (event: Pick<AgentEvent, 'type'> & Readonly<Record<string, string | number>>) =>
      waiting({ label: '1', turn: 1, ...event } as unknown as AgentEvent),
    /** What is shown after so many more milliseconds. */
    after: (milliseconds: number) => {
      vi.advanceTimersByTime(milliseconds);
      return replay(screen.text);
    },
    screen,
  };
}

const CODES = new RegExp(String.raw`${'\u001B'}\[(?<count>\??\d*)(?<code>[A-Za-z])|.`, 'gsu');

/** Returns what is left in a row after text and codes that move the cursor in it or erase. */
function replay(written: string): string {
  let [row, column]: [string[], number] = [[], 0];
  for (const [text, count = '', code] of written.matchAll(CODES)) {
    if (text === '\r') column = 0;
    else if (code === 'C') column += Number(count);
    else if (code === 'K' || code === 'J') row = row.slice(0, column);
    else if (code === undefined) row[column++] = text;
  }
  return row.join('');
}

describe('what is waited for', () => {
  it('is shown after a second, with the seconds, until it has ended', () => {
    const { handle, after, screen } = open();
    handle({ type: 'call-start', id: 'a', tag: '<References:core.Agent>' });
    expect(after(999)).toBe('');
    expect(after(1)).toBe('<References:core.Agent>… 1 s');
    expect(after(2000)).toBe('<References:core.Agent>… 3 s');
    handle({ type: 'call-end', id: 'a' });
    expect(after(50)).toBe('');
    const { text } = screen;
    after(9000);
    expect(screen.text).toBe(text);
  });

  it('is shown with how far a call has come', () => {
    const { handle, after } = open();
    handle({ type: 'call-start', id: 'a', tag: '<box.build:>' });
    handle({ type: 'call-progress', id: 'a', done: 2, total: 9, text: 'a.ts\u001B[31m' });
    expect(after(1000)).toBe('<box.build:>… 2 of 9, a.ts␛[31m, 1 s');
    handle({ type: 'call-progress', id: 'a', done: 3 });
    expect(after(1000)).toBe('<box.build:>… 3, 2 s');
    handle({ type: 'call-progress', id: 'gone', done: 1 });
    handle({ type: 'call-end', id: 'a' });
    expect(after(1000)).toBe('');
  });

  it('is shown with the last line that a call has printed', () => {
    const { handle, after } = open();
    handle({ type: 'call-start', id: 'a', tag: '<exec:make>' });
    handle({ type: 'call-output', id: 'a', text: 'one\ntwo\u001B[31m\n\n' });
    expect(after(1000)).toBe('<exec:make>… two␛[31m, 1 s');
    handle({ type: 'call-output', id: 'a', text: '\n' });
    handle({ type: 'call-output', id: 'gone', text: 'x\n' });
    expect(after(1000)).toBe('<exec:make>… two␛[31m, 2 s');
  });

  it('never shows what is quick', () => {
    const { handle, after } = open();
    for (let id = 0; id < 9; id++) {
      handle({ type: 'call-start', id: `${id}`, tag: '<R:a>' });
      expect(after(900)).toBe('');
      handle({ type: 'call-end', id: `${id}` });
    }
  });

  it('is the model in a turn, and what it does', () => {
    const { handle, after } = open();
    handle({ type: 'turn-start', prompt: 'Hello' });
    expect(after(4000)).toBe('waiting for the model… 4 s');
    handle({ type: 'response-delta', text: 'a' });
    expect(after(500)).toBe('');
    handle({ type: 'response-delta', text: 'b' });
    expect(after(1500)).toBe('the model is writing… 2 s');
    handle({ type: 'response-end', text: 'ab' });
    handle({ type: 'call-start', id: 'a', tag: '<G:**>' });
    expect(after(1000)).toBe('<G:**>… 1 s');
    handle({ type: 'call-end', id: 'a' });
    expect(after(1000)).toBe('waiting for the model… 1 s');
    handle({ type: 'turn-end', outcome: 'answered' });
    expect(after(9000)).toBe('');
  });

  it('is the innermost of calls that code makes', () => {
    const { handle, after } = open();
    handle({ type: 'run-start', id: 'r', code: 'await read()' });
    expect(after(1000)).toBe('the code is running… 1 s');
    handle({ type: 'call-start', id: 'a', tag: 'read("a\nb")' });
    expect(after(1000)).toBe('read("a⏎b")… 1 s');
    handle({ type: 'call-end', id: 'a' });
    expect(after(1000)).toBe('the code is running… 3 s');
    handle({ type: 'run-end', id: 'r' });
    expect(after(9000)).toBe('');
  });

  it('is the code when each of its calls is quick', () => {
    const { handle, after } = open();
    handle({ type: 'run-start', id: 'r', code: 'for (;;) await nav()' });
    const said: (string | undefined)[] = [];
    for (let id = 0; id < 10; id++) {
      handle({ type: 'call-start', id: `${id}`, tag: 'nav()' });
      said.push(after(200));
      handle({ type: 'call-end', id: `${id}` });
      said.push(after(200));
    }
    expect([...new Set(said)]).toEqual(['', ...[1, 2, 3, 4].map((seconds) => `the code is running… ${seconds} s`)]);
    handle({ type: 'run-end', id: 'r' });
    expect(after(50)).toBe('');
  });

  it('has the beginning of a long name', () => {
    const { handle, after } = open();
    handle({ type: 'call-start', id: 'a', tag: `<R:${'x'.repeat(100)}>` });
    expect(after(1000)).toBe(`<R:${'x'.repeat(56)}…… 1 s`);
  });

  it('is nothing any more when a turn was cancelled in the midst of a call', () => {
    const { handle, after } = open();
    handle({ type: 'turn-start', prompt: 'Hello' });
    handle({ type: 'call-start', id: 'a', tag: '<G:**>' });
    handle({ type: 'turn-end', outcome: 'aborted' });
    expect(after(9000)).toBe('');
  });
});

function openIndex() {
  const err = new MemoryOutput({ isTerminal: true });
  const report = createIndexProgress(createStatusLine(err));
  const start = performance.now();
  return {
    err,
    report: (at: number, done: number, total = 6282) => {
      vi.advanceTimersByTime(start + at - performance.now());
      report(done, total);
    },
  };
}

describe('the line about the index', () => {
  it('comes after a second, is updated ten times a second, and disappears at the end', () => {
    const { err, report } = openIndex();
    report(0, 1);
    report(999, 900);
    expect(err.text).toBe('');
    report(1000, 1200);
    expect(err.text).toBe('indexing 1200 of 6282 modules…');
    report(1050, 1300);
    report(1100, 1400);
    report(1150, 6282);
    expect(replay(err.text.split('\r\u001B[J')[0]!)).toBe('indexing 1400 of 6282 modules…');
    expect(replay(err.text)).toBe('');
  });

  it('does not come when it is quick, and waits a second the next time too', () => {
    const { err, report } = openIndex();
    report(0, 1, 10);
    report(500, 10, 10);
    report(2000, 1, 10);
    report(2900, 9, 10);
    report(2950, 10, 10);
    expect(err.text).toBe('');
  });
});
