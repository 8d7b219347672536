import { describe, expect, it } from 'vitest';
import { countUnits } from '../text-size/text-size.ts';
import { prune } from './prune.ts';

const repeat = (template: string, count: number) =>
  Array.from({ length: count }, (_, index) => template.replaceAll('{i}', String(index))).join('\n');
const clipped = (letter: string) => `${letter.repeat(216)}… [+684 chars]`;
const lastLine = (text: string) => text.slice(text.lastIndexOf('\n') + 1);

describe('prune', () => {
  it('leaves a text of exactly the cap as it is, byte for byte', () => {
    const text = `${'z'.repeat(1990)}\r\n\n\n  end\t`;
    expect(prune(text)).toEqual({ text });
    expect(prune('')).toEqual({ text: '' });
  });

  it('counts units, not characters', () => {
    expect(prune('é'.repeat(1000)).report).toBeUndefined();
    expect(prune(repeat('日本語の行日本語の行日本語の行{i}', 100)).report?.indicator).toBe('[pruned: 100 -> 30 items]');
  });

  it('keeps the first items and the last line, and marks the gap', () => {
    const { text, report } = prune(repeat('line {i}: some content here', 200));
    expect(text.startsWith('line 0: some content here\nline 1: ')).toBe(true);
    expect(text.split('\n').slice(-4).join('\n')).toMatchInlineSnapshot(`
      "line 69: some content here
      …
      line 199: some content here
      [pruned: 200 -> 71 items]"
    `);
    expect(report).toEqual({ total: 200, shown: 71, indicator: '[pruned: 200 -> 71 items]' });
  });

  it('names the handle of the whole text within the usual reserve', () => {
    const { report } = prune(repeat('line {i}: some content here', 200), { ref: 'result:12' });
    expect(report?.indicator).toBe('[pruned: 200 -> 71 items; full: <R:result:12>]');
  });

  it('obeys the cap it is given', () => {
    const { text } = prune('alpha\nbeta\ngamma\ndelta\nepsilon\nzeta\n'.repeat(20), { cap: 200 });
    expect(text).toMatchInlineSnapshot(`
      "alpha
      beta
      gamma
      delta
      epsilon
      zeta
      alpha
      beta
      gamma
      delta
      epsilon
      zeta
      alpha
      beta
      gamma
      delta
      epsilon
      zeta
      alpha
      beta
      gamma
      …
      zeta
      [pruned: 120 -> 22 items]"
    `);
  });

  it.each([
    ['a table', `| A | B |\n|---|---|\n${repeat('| item{i} | val{i} |', 200)}`, 1952, '[pruned: 200 -> 101 items]'],
    ['nothing but headings', repeat('# heading number {i}', 300), 1961, '[pruned: 300 -> 97 items]'],
    ['a long last line', `${repeat('line {i}', 100)}\n${'y'.repeat(5000)}`, 1054, '[pruned: 1 long line clipped]'],
    ['a list', repeat('  - item {i}', 200), 1962, '[pruned: 200 -> 157 items]'],
    ['blank lines', '\n'.repeat(5000), 21, '[pruned: blank lines]'],
  ])('brings %s below the cap', (_what, text, size, indicator) => {
    const pruned = prune(text);
    expect(countUnits(pruned.text)).toBe(size);
    expect(lastLine(pruned.text)).toBe(indicator);
  });

  it('keeps the head of a table, its first rows and its last', () => {
    const { text } = prune(`| Name | Value |\n|------|-------|\n${repeat('| item{i} | val{i} |', 200)}`);
    expect(text.split('\n').slice(0, 3)).toEqual(['| Name | Value |', '|------|-------|', '| item0 | val0 |']);
    expect(text.endsWith('| item98 | val98 |\n…\n| item199 | val199 |\n[pruned: 200 -> 100 items]')).toBe(true);
  });

  it('shares the room fairly between sections, and separates them by one blank line', () => {
    const { text } = prune(
      `# Main\n${repeat('content line {i}', 200)}\n\n\n## Sub\n\n${repeat('more content {i}', 100)}`,
    );
    expect(text).toContain('content line 59\n\n## Sub\nmore content 0\n');
    expect(text.endsWith('more content 59\n…\nmore content 99\n[pruned: 300 -> 121 items]')).toBe(true);
  });

  it('limits headings, and drops the items of those it drops', () => {
    const { text, report } = prune(repeat('## Section {i}\n- a{i}\n- b{i}\n- c{i}', 100));
    expect(report?.indicator).toBe('[pruned: 300 -> 163 items, 100 -> 54 headings]');
    expect(text).toContain('\n\n## Section 53\n- a53');
    expect(text).not.toContain('- a54');
  });

  it('prefers important headings to early ones', () => {
    const { text } = prune(`${repeat('### Detail {i}\n- a\n- b\n- c', 100)}\n# Conclusion\n- all is well`);
    expect(text).toContain('\n\n# Conclusion\n…\n- all is well\n[pruned: ');
  });

  it('keeps titles that are underlined together with their line', () => {
    const text = `Title\n=====\n${repeat('i{i} text', 300)}\nSub\n---\n${repeat('s{i}', 50)}\n\n350 items total`;
    const pruned = prune(text).text;
    expect(pruned.startsWith('Title\n=====\ni0 text\n')).toBe(true);
    expect(pruned).toContain('\n\nSub\n---\ns0\n');
    expect(pruned.endsWith('s49\n350 items total\n[pruned: 351 -> 232 items]')).toBe(true);
  });

  it('sees comments of code, and headings of plain text, as lines like any other', () => {
    const code = `${repeat('# comment {i}', 200)}\n${repeat('x = {i}', 50)}`;
    expect(lastLine(prune(code, { format: 'code' }).text)).toBe('[pruned: 250 -> 146 items]');
    expect(prune(`# one\n${repeat('text {i}', 400)}`, { format: 'plain' }).report?.total).toBe(401);
    expect(prune(`# one\n${repeat('text {i}', 400)}`).report?.total).toBe(400);
  });

  it('reports items, headings and long lines together', () => {
    const text = repeat(`## Section {i}\n- ${'w'.repeat(300)}\n- b{i}`, 60);
    expect(prune(text).report?.indicator).toBe('[pruned: 120 -> 5 items, 60 -> 54 headings, 4 long lines clipped]');
  });
});

describe('prune, when clipping or joining lines is enough', () => {
  it('removes nothing else, not even blank lines', () => {
    const text = `intro\n\n${'a'.repeat(900)}\n\n  \n${'b'.repeat(900)}\n\n# End\n${'c'.repeat(900)}\n\n`;
    expect(prune(text).text).toBe(
      `intro\n\n${clipped('a')}\n\n  \n${clipped('b')}\n\n# End\n${clipped('c')}\n[pruned: 3 long lines clipped]`,
    );
  });

  it('reports that all items are there', () => {
    const { report } = prune(`${repeat('line {i}', 100)}\n${'y'.repeat(5000)}`);
    expect(report).toEqual({ total: 101, shown: 101, indicator: '[pruned: 1 long line clipped]' });
  });

  it('reports what was removed when no line was', () => {
    expect(prune(`a${'\n'.repeat(3000)}b`).text).toBe('a\nb\n[pruned: blank lines]');
    expect(prune(`${'\n'.repeat(3000)}a\nb`).text).toBe('a\nb\n[pruned: blank lines]');
    expect(lastLine(prune('a\r\n'.repeat(800)).text)).toBe('[pruned: carriage returns]');
  });
});

describe('prune, with hardly any room', () => {
  it('keeps only the notice, then the notice without handle, then its beginning', () => {
    const text = repeat('line {i}: some content here', 200);
    const options = { ref: 'result:12' };
    expect(prune(text, { ...options, cap: 47 }).text).toBe('[pruned: 200 -> 0 items; full: <R:result:12>]');
    expect(prune(text, { ...options, cap: 30 }).text).toBe('[pruned: 200 -> 0 items]');
    expect(prune(text, { ...options, cap: 9 }).text).toBe('[pruned: ');
    expect(prune(text, { ...options, cap: 0 }).text).toBe('');
  });

  it('makes room for a handle that is longer than usual', () => {
    const ref = `result:${'9'.repeat(300)}`;
    const { text } = prune(repeat('line {i}: some content here', 200), { ref });
    expect(countUnits(text)).toBeLessThanOrEqual(2000);
    expect(lastLine(text)).toBe(`[pruned: 200 -> 61 items; full: <R:${ref}>]`);
  });
});

describe('prune, on large texts', () => {
  it.each([
    ['one line', 'x'.repeat(1_000_000)],
    ['many lines', 'some words\n'.repeat(100_000)],
    ['many sections', '# h\n- a\n\n'.repeat(100_000)],
    ['underlined titles', 'a\n---\n'.repeat(100_000)],
    ['a line that is nearly the rule of a table', `|a\n|${'-'.repeat(1_000_000)}x`],
    ['a line that is nearly a rule', `a\n---${' '.repeat(1_000_000)}x`],
    ['astral characters', `${'😀'.repeat(200_000)}\nb`],
  ])('takes time in proportion to %s', (_what, text) => {
    expect(countUnits(prune(text).text)).toBeLessThanOrEqual(2000);
  });
});
