import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getPageLength } from '../text-size/text-size.ts';
import { PagedText } from './kept-results.ts';

describe('PagedText', () => {
  it.each([
    ['', 1],
    ['\n', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\n\n', 2],
    ['\n\n\n', 3],
    ['a\r\nb\rc\r\n', 2],
  ])('counts the lines of %j', (text, lines) => {
    expect(new PagedText(text).lineCount).toBe(lines);
  });

  it('gives the line break that ends the text to the last line, and carriage returns to theirs', () => {
    const text = new PagedText('a\r\nbc\n');
    expect([text.lineLength(1), text.lineLength(2)]).toEqual([2, 3]);
    expect(text.readLines(1, 1).body).toBe('a\r');
    expect(text.readLines(2, 2).body).toBe('bc\n');
  });

  it('gives as many lines as fit a page, and no more than asked for', () => {
    const text = new PagedText('x'.repeat(999).concat('\n').repeat(10));
    expect(text.readLines(1, 10)).toMatchObject({ kind: 'lines', first: 1, last: 4 });
    expect(text.readLines(1, 10).body).toHaveLength(3999);
    expect(text.readLines(2, 3)).toMatchObject({ first: 2, last: 3 });
    expect(text.readLines(9, 99)).toMatchObject({ first: 9, last: 10 });
  });

  it('gives a rest of less than a tenth of a page with it', () => {
    const text = new PagedText(`${'x'.repeat(99)}\n`.repeat(43));
    expect(text.readLines(1, 43)).toMatchObject({ first: 1, last: 43 });
    expect(new PagedText(`${'x'.repeat(99)}\n`.repeat(45)).readLines(1, 45)).toMatchObject({ first: 1, last: 40 });
  });

  it('gives a page full of empty lines', () => {
    expect(new PagedText('\n'.repeat(9000)).readLines(1, 9000)).toMatchObject({ first: 1, last: 4001 });
  });

  it('gives a part of a line that is longer than a page', () => {
    const text = new PagedText(`a\n${'x'.repeat(4001)}\nb`);
    expect(text.readLines(2, 3)).toMatchObject({ kind: 'characters', line: 2, first: 1, last: 4000, length: 4001 });
    expect(text.readCharacters(2, 4001)).toMatchObject({ body: 'x', first: 4001, last: 4001 });
  });

  it('cuts no code point in two, at either end', () => {
    const text = new PagedText(`a${'😀'.repeat(4000)}`);
    expect(text.readCharacters(1, 1)).toMatchObject({ first: 1, last: 3999 });
    expect(text.readCharacters(1, 3)).toMatchObject({ first: 2, last: 4001 });
    expect(text.readCharacters(1, 4000)).toMatchObject({ first: 4000, last: 7999 });
  });

  it('gives, for any text, pages of the right size that begin where they are asked to', () => {
    const text = fc
      .array(fc.tuple(fc.constantFrom('x', '\n', 'word\n'), fc.integer({ min: 0, max: 5000 })), { maxLength: 6 })
      .map((parts) => parts.map(([unit, count]) => unit.repeat(count)).join(''));
    const property = fc.property(text, fc.nat(), (whole, seed) => {
      const paged = new PagedText(whole);
      const line = (seed % paged.lineCount) + 1;
      const page = paged.readLines(line, paged.lineCount);
      expect(page.body.length).toBeLessThanOrEqual(getPageLength() * 1.1);
      const before = whole.split('\n').slice(0, line - 1);
      const start = before.reduce((sum, one) => sum + one.length + 1, 0);
      expect(whole.startsWith(page.body, start)).toBe(true);
    });
    fc.assert(property);
  });
});
