import fc from 'fast-check';
import { units } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import { ANSWER_CAP, fitsOnePage, pageRows } from './page-rows.ts';

const tagOf = (page: number) => `<R:core page=${page}>`;
const page = (rows: readonly string[], number = 1) => pageRows({ head: ['head'], rows, page: number, tagOf });

describe('a page of rows', () => {
  it('is all of them when they fit', () => {
    expect(page(['a', 'b'])).toBe('head\na\nb');
    expect(page([])).toBe('head');
  });

  it('leads to the next one, and the last one to none', () => {
    const rows = Array.from({ length: 60 }, (_, number) => `row ${number} ${'x'.repeat(50)}`);
    expect(page(rows).split('\n').at(-1)).toBe('[page 1 of 2; next: <R:core page=2>]');
    expect(page(rows, 2).split('\n').at(-1)).toBe('[page 2 of 2]');
    expect(page(rows, 99)).toBe(page(rows, 2));
  });

  it('cuts a row that is very long', () => {
    expect(page(['😀'.repeat(300)])).toBe(`head\n${'😀'.repeat(219)}…`);
  });

  it('never is longer than an answer, and all pages together have every row once', () => {
    const row = fc
      .string({ unit: fc.constantFrom('a', 'é', '語', ' '), minLength: 1, maxLength: 200 })
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.uniqueArray(row, { maxLength: 120 }), (rows) => {
        const shown: string[] = [];
        for (let number = 1; ; number++) {
          const text = page(rows, number);
          expect(units(text)).toBeLessThanOrEqual(ANSWER_CAP);
          const lines = text.split('\n').slice(1);
          const isLast = !lines.at(-1)?.includes('next: ');
          shown.push(...(/^\[page \d+ of \d+/.test(lines.at(-1) ?? '') ? lines.slice(0, -1) : lines));
          if (isLast) break;
        }
        expect(shown).toEqual(rows);
      }),
    );
  });

  it('knows whether there is more than one', () => {
    expect(fitsOnePage({ head: ['head'], rows: ['a'] })).toBe(true);
    expect(
      fitsOnePage({ head: [], rows: ['x'.repeat(200), ...Array.from({ length: 20 }, () => 'y'.repeat(100))] }),
    ).toBe(false);
  });
});
