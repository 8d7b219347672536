import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitsOnePage, outputModuleRows, renderRowsPage } from './paging.ts';

const context = { tag: (text: string) => text, answerLimit: 500 };
const page = (rows: readonly string[], number = 1, answerLimit = 500) =>
  renderRowsPage({ head: ['head'], rows, page: number, call: 'R:core', context: { ...context, answerLimit } });

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

  it('never is longer than a result, and all pages together have every row once', () => {
    const row = fc
      .string({ unit: fc.constantFrom('a', 'é', '語', ' '), minLength: 1, maxLength: 200 })
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.uniqueArray(row, { maxLength: 120 }), fc.constantFrom(300, 500, 2000), (rows, answerLimit) => {
        const shown: string[] = [];
        for (let number = 1; ; number++) {
          const text = page(rows, number, answerLimit);
          expect(countUnits(text)).toBeLessThanOrEqual(answerLimit * UNITS_PER_TOKEN);
          const lines = text.split('\n').slice(1);
          const isLast = !lines.at(-1)?.includes('next: ');
          shown.push(...(/^\[page \d+ of \d+/.test(lines.at(-1) ?? '') ? lines.slice(0, -1) : lines));
          if (isLast) break;
        }
        expect(shown).toEqual(rows);
      }),
    );
  });

  it('detects whether there is more than one', () => {
    expect(fitsOnePage(['head', 'a'], context)).toBe(true);
    expect(fitsOnePage(['x'.repeat(200), ...Array.from({ length: 20 }, () => 'y'.repeat(100))], context)).toBe(false);
  });
});

const call = 'references:core.a';
const head = ['a in core: many'];

interface Group {
  readonly module: string;
  readonly lines: readonly string[];
}

/** Each line stands for two rows, of the lines 1 and 2. */
const output = (groups: readonly Group[], page?: number, begin = head) =>
  outputModuleRows({
    head: begin,
    groups: groups.map(({ module, lines }) => ({
      module,
      lines: lines.map((shown) => ({ shown, rows: [1, 2].map((line) => ({ line, text: shown })) })),
    })),
    page,
    call,
    context,
  });
const renderModuleRows = (groups: readonly Group[], page?: number, begin = head) => output(groups, page, begin).text;

describe('rows of modules', () => {
  it('stand below the names of their modules', () => {
    const groups = [
      { module: 'core.a', lines: ['1: one', '2: two'] },
      { module: 'core.b', lines: ['3: three'] },
    ];
    expect(renderModuleRows(groups)).toBe('a in core: many\ncore.a\n  1: one\n  2: two\ncore.b\n  3: three');
    expect(renderModuleRows([], 3)).toBe('a in core: many');
  });

  it('cut lines that are very long, between characters', () => {
    const groups = [{ module: 'core.a', lines: ['🎉'.repeat(300)] }];
    expect(renderModuleRows(groups, 1, [])).toBe(`core.a\n  ${'🎉'.repeat(199)}…`);
  });

  it('lead from page to page', () => {
    const groups = [{ module: 'core.a', lines: Array.from({ length: 300 }, (_, line) => `${line}: use of a`) }];
    const first = renderModuleRows(groups);
    expect(first.split('\n').at(-1)).toBe('[page 1 of 3; next: <references:core.a page=2>]');
    const last = renderModuleRows(groups, 99);
    expect(last.split('\n').slice(0, 2)).toEqual(['a in core: many', 'core.a']);
    expect(last.split('\n').at(-1)).toBe('[page 3 of 3]');
  });

  it('are for code the rows of the page that it names, together those of all pages', () => {
    const groups = [{ module: 'core.a', lines: Array.from({ length: 300 }, (_, line) => `${line}: use of a`) }];
    const rowsOf = (page?: number) => (output(groups, page).whole as () => readonly object[])();
    expect(rowsOf()).toHaveLength(600);
    expect(rowsOf()[0]).toEqual({ path: 'core.a', line: 1, text: '0: use of a' });
    expect([1, 2, 3].flatMap(rowsOf)).toEqual(rowsOf());
    expect(rowsOf(4)).toEqual([]);
  });

  const group = fc.record({
    module: fc.constantFrom('a', 'core.some.module', 'x'.repeat(80)),
    lines: fc.array(
      fc.string({ maxLength: 250 }).map((text) => text.replaceAll('\n', ' ')),
      { minLength: 1 },
    ),
  });

  it('are all on one page each, and every page fits and names its modules', () => {
    fc.assert(
      fc.property(fc.array(group, { maxLength: 8 }), (groups) => {
        const shown: string[] = [];
        let pages = 1;
        for (let page = 1; page <= pages; page++) {
          const text = renderModuleRows(groups, page);
          expect(countUnits(text)).toBeLessThanOrEqual(2000);
          pages = Number(/\[page \d+ of (\d+)/.exec(text)?.[1] ?? 1);
          const rows = text.split('\n').slice(1, pages > 1 ? -1 : undefined);
          expect(rows[0]?.startsWith('  ') ?? false).toBe(false);
          shown.push(...rows.filter((row) => row.startsWith('  ')));
        }
        const all = groups.flatMap(({ lines }) => lines);
        expect(shown).toHaveLength(all.length);
        for (const [index, line] of all.entries()) if (line.length < 200) expect(shown[index]).toBe(`  ${line}`);
      }),
    );
  });
});
