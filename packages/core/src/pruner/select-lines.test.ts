import { describe, expect, it } from 'vitest';
import { ELLIPSIS_COST, INDICATOR_RESERVE } from '../protocol/limits.ts';
import { parseOutline } from './outline.ts';
import { shortenLine, divideCap, selectLines } from './select-lines.ts';

interface Room {
  /** Units for items, the last line included. */
  readonly items?: number;
  readonly structure?: number;
  /** Units by which the notice is longer than usual. */
  readonly longerNotice?: number;
}

/** The lines of a text that stay when there is so much room for them. */
function kept(text: string, { items = 500, structure = 500, longerNotice = 0 }: Room): readonly string[] {
  const lines = text.split('\n');
  const budget = { cap: INDICATOR_RESERVE + ELLIPSIS_COST + items, structure, itemLine: 240, headLine: 120 };
  const selection = selectLines(parseOutline(lines, 'markdown'), budget, INDICATOR_RESERVE + longerNotice);
  return lines.filter((_line, index) => selection.kept.has(index));
}

const item = (letter: string) => letter.repeat(49);

describe('divideCap', () => {
  it('gives structure 40 % and clips lines at fixed lengths', () => {
    expect(divideCap(2000)).toEqual({ cap: 2000, structure: 800, itemLine: 240, headLine: 120 });
    expect(divideCap(8000)).toEqual({ cap: 8000, structure: 3200, itemLine: 240, headLine: 120 });
  });

  it('clips lines earlier when there is room for few', () => {
    expect(divideCap(400)).toEqual({ cap: 400, structure: 160, itemLine: 100, headLine: 50 });
  });
});

describe('shortenLine', () => {
  it('leaves a line alone that is not too long', () => {
    expect(shortenLine('x'.repeat(240), 240)).toBe('x'.repeat(240));
  });

  it('reports how many characters it removed', () => {
    expect(shortenLine('x'.repeat(241), 240)).toBe(`${'x'.repeat(216)}… [+25 chars]`);
    expect(shortenLine('😀'.repeat(100), 240)).toBe(`${'😀'.repeat(54)}… [+46 chars]`);
  });
});

describe('selectLines', () => {
  it('reserves room for the last line before anything else', () => {
    const text = [item('a'), item('b'), item('c'), item('d')].join('\n');
    expect(kept(text, { items: 100 })).toEqual([item('a'), item('d')]);
    expect(kept(text, { items: 99 })).toEqual([item('d')]);
    expect(kept(text, { items: 0 })).toEqual([item('d')]);
  });

  it('has no last line to reserve when the text ends with structure', () => {
    const text = [item('a'), item('b'), '# End'].join('\n');
    const heading = '# End'.length + 2;
    expect(kept(text, { items: 50 + heading })).toEqual([item('a'), '# End']);
    expect(kept(text, { items: 49 + heading })).toEqual(['# End']);
  });

  it('stops at the first item that does not fit, even if a later one would', () => {
    const text = ['a', item('b'), 'c', 'last'].join('\n');
    expect(kept(text, { items: 2 + 49 + 5 })).toEqual(['a', 'last']);
    expect(kept(text, { items: 2 + 50 + 5 })).toEqual(['a', item('b'), 'last']);
    expect(kept(text, { items: 2 + 50 + 2 + 5 })).toEqual(['a', item('b'), 'c', 'last']);
  });

  it('takes items from every section in turn', () => {
    const text = ['# A', 'a0', 'a1', 'a2', '# B', 'b0', '# C', 'c0', 'c1', 'c2'].join('\n');
    const headings = 4 + 5 + 5;
    const fourAndLast = 5 * 3;
    expect(kept(text, { items: headings + fourAndLast })).toEqual(['# A', 'a0', 'a1', '# B', 'b0', '# C', 'c0', 'c2']);
  });

  it('admits structure by level, then by position, up to its share', () => {
    const text = ['## early', 'a', '# late', 'b', '### deep', 'c', '', '---', 'd'].join('\n');
    const late = '# late'.length + 2;
    const early = '## early'.length + 1;
    const deep = '### deep'.length + 2;
    const structure = (room: number) => kept(text, { structure: room }).filter((line) => /^[#-]/.test(line));
    expect(structure(late - 1)).toEqual([]);
    expect(structure(late)).toEqual(['# late']);
    expect(structure(late + early)).toEqual(['## early', '# late']);
    expect(structure(late + early + deep)).toEqual(['## early', '# late', '### deep']);
    expect(structure(late + early + deep + 4)).toEqual(['## early', '# late', '### deep', '---']);
  });

  it('stops at the first structural line that does not fit, even if a later one would', () => {
    const text = ['# a', `# ${item('b')}`, '# c', 'last'].join('\n');
    expect(kept(text, { structure: 20 })).toEqual(['# a', 'last']);
  });

  it('drops the items and tables of a section whose heading is dropped', () => {
    const text = ['# one', 'a', '## two', '| t |', '|---|', '| r |', 'end', '# three', 'last'].join('\n');
    expect(kept(text, { structure: 100 })).toEqual(text.split('\n'));
    expect(kept(text, { structure: 6 + 9 })).toEqual(['# one', 'a', '# three', 'last']);
  });

  it('leaves more room free for a longer notice', () => {
    const text = [item('a'), item('b'), item('c')].join('\n');
    expect(kept(text, { items: 150 })).toHaveLength(3);
    expect(kept(text, { items: 150, longerNotice: 1 })).toHaveLength(2);
  });
});
