import { describe, expect, it } from 'vitest';
import { createPainter, makeOutputVisible } from './terminal-text.ts';
import { wrapOutput } from './wrap-output.ts';

const wrap = (text: string, columns = 20): readonly string[] =>
  wrapOutput(makeOutputVisible(text), columns).split('\n');

describe('wrapOutput', () => {
  it.each([
    ['at blanks', 'its tests, its build, its checks.', ['its tests, its', 'build, its checks.']],
    ['not a line that fits exactly', 'x'.repeat(20), ['x'.repeat(20)]],
    ['below the start of the line', '    one two three four five', ['    one two three', '    four five']],
    ['below the second column', '  --yes  allow all of it', ['  --yes  allow all', '         of it']],
    ['not words that are longer than a row', `see ${'x'.repeat(30)} now`, [`see ${'x'.repeat(30)} now`]],
    ['by the width of characters', '日本日本 日本日本 日本', ['日本日本 日本日本', '日本']],
    ['but no line of JSON', '{"text": "one two three"}', ['{"text": "one two three"}']],
    ['and keeps blanks between words that fit', 'a   b', ['a   b']],
    ['after the columns of a tab', '\tone two three four', ['\tone two', 'three four']],
  ])('breaks lines %s', (_, text, lines) => {
    expect(wrap(text)).toEqual(lines);
  });

  it('gives colours no width', () => {
    const paint = createPainter({ color: true });
    const painted = `${paint('error', 'one')} ${paint('hint', 'two')} three four five six`;
    expect(wrap(painted)).toEqual([`${paint('error', 'one')} ${paint('hint', 'two')} three four`, 'five six']);
  });

  it('ends each row before the edge, whatever the text is', () => {
    const text = 'a bb ccc dddd '.repeat(50);
    for (const columns of [5, 12, 80])
      for (const row of wrap(text, columns)) expect(row.length).toBeLessThanOrEqual(columns);
    expect(wrap(text, 12).join(' ').trimEnd()).toBe(text.trimEnd());
  });
});
