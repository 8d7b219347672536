import fc from 'fast-check';
import { units } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import { ANSWER_CAP } from '../read/page-rows.ts';
import { renderModuleRows, type ModuleLines } from './module-rows.ts';

const tagOf = (page: number) => `<references:core.a page=${page}>`;
const head = ['a in core: many'];

describe('rows of modules', () => {
  it('stand below the names of their modules', () => {
    const groups = [
      { module: 'core.a', lines: ['1: one', '2: two'] },
      { module: 'core.b', lines: ['3: three'] },
    ];
    expect(renderModuleRows({ head, groups, page: 1, tagOf })).toBe(
      'a in core: many\ncore.a\n  1: one\n  2: two\ncore.b\n  3: three',
    );
    expect(renderModuleRows({ head, groups: [], page: 3, tagOf })).toBe('a in core: many');
  });

  it('cut lines that are very long, between characters', () => {
    const groups = [{ module: 'core.a', lines: ['🎉'.repeat(300)] }];
    expect(renderModuleRows({ head: [], groups, page: 1, tagOf })).toBe(`core.a\n  ${'🎉'.repeat(199)}…`);
  });

  it('lead from page to page', () => {
    const groups = [{ module: 'core.a', lines: Array.from({ length: 300 }, (_, line) => `${line}: use of a`) }];
    const first = renderModuleRows({ head, groups, page: 1, tagOf });
    expect(first.split('\n').at(-1)).toBe('[page 1 of 3; next: <references:core.a page=2>]');
    const last = renderModuleRows({ head, groups, page: 99, tagOf });
    expect(last.split('\n').slice(0, 2)).toEqual(['a in core: many', 'core.a']);
    expect(last.split('\n').at(-1)).toBe('[page 3 of 3]');
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
      fc.property(fc.array(group, { maxLength: 8 }), (groups: readonly ModuleLines[]) => {
        const shown: string[] = [];
        let pages = 1;
        for (let page = 1; page <= pages; page++) {
          const text = renderModuleRows({ head, groups, page, tagOf });
          expect(units(text)).toBeLessThanOrEqual(ANSWER_CAP);
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
