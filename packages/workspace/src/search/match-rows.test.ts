import { describe, expect, it } from 'vitest';
import { cutLine, RowCollector } from './collect-rows.ts';
import { takeAllottedRows } from './match-rows.ts';

describe('cutLine', () => {
  it('takes off blanks', () => {
    expect(cutLine('\t  const a = 1;  \r', 3, 200)).toBe('const a = 1;');
  });

  it('shows 200 characters at most, and marks that there are more', () => {
    expect(cutLine('x'.repeat(200), 0, 200)).toBe('x'.repeat(200));
    expect(cutLine('x'.repeat(201), 0, 200)).toBe(`${'x'.repeat(199)}…`);
  });

  it('moves to a match that would not be seen', () => {
    const line = `${'a'.repeat(500)}MATCH${'b'.repeat(500)}`;
    const text = cutLine(line, 500, 200);
    expect(text).toHaveLength(200);
    expect(text).toMatch(/^…a{40}MATCHb+…$/);
    expect(cutLine(`${'a'.repeat(500)}MATCH`, 500, 200)).toMatch(/^…a+MATCH$/);
  });

  it('never halves a character', () => {
    expect(cutLine('😀'.repeat(150), 0, 200).isWellFormed()).toBe(true);
    expect(cutLine(`${'😀'.repeat(150)}x${'😀'.repeat(150)}`, 300, 200).isWellFormed()).toBe(true);
  });
});

/** A log of `count` failed requests, in which one line in the last tenth says something else. */
const createLog = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    line: n + 1,
    text: n === count - 20 ? 'ERROR disk is full' : `ERROR request ${n} failed`,
  }));

describe('takeAllottedRows', () => {
  it('takes the first row of each kind, and says how many more there are', () => {
    const [file] = takeAllottedRows([{ path: 'a.log', matches: 300, rows: createLog(300) }], { pattern: '', limit: 4 });
    expect(file?.rows.map(({ line, alike }) => [line, alike])).toEqual([
      [1, 0],
      [2, 0],
      [3, 296],
      [281, 0],
    ]);
  });

  it('takes the first rows of code', () => {
    const rows = Array.from({ length: 300 }, (_, n) => ({ line: n + 1, text: `const x = ${'y'.repeat(n)};` }));
    const [file] = takeAllottedRows([{ path: 'a.ts', matches: 300, rows }], { pattern: '', limit: 4 });
    expect(file?.rows).toEqual(rows.slice(0, 4));
  });
});

describe('RowCollector', () => {
  it('keeps the first row of each kind, however many rows come before it', () => {
    const collector = new RowCollector(10);
    for (const row of createLog(20_000))
      collector.add(
        () => row,
        () => row.text.replaceAll(/\d/g, ''),
      );
    expect(collector.rows).toHaveLength(12);
    expect(collector.rows).toContainEqual({ line: 19_981, text: 'ERROR disk is full' });
    expect(collector.rows.reduce((sum, { alike = 0 }) => sum + 1 + alike, 0)).toBe(20_000);
  });
});
