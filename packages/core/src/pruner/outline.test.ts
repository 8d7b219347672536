import { describe, expect, it } from 'vitest';
import { classifyLine, parseOutline, splitTextLines } from './outline.ts';

const sectionsOf = (text: string) =>
  parseOutline(text.split('\n'), 'markdown').sections.map(({ heading, level, items }) => ({ heading, level, items }));
const structureOf = (text: string) =>
  parseOutline(text.split('\n'), 'markdown').structure.map(({ index, level }) => [index, level]);

const headings = (count: number) => Array.from({ length: count }, (_, index) => `# ${index}`).join('\n');

describe('splitTextLines', () => {
  it.each([
    ['a', ['a']],
    ['a\nb\n', ['a', 'b']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['\n \t\n  a  \n\nb\n\n\n', ['  a  ', '', 'b']],
    ['a\rb\n\r\r\nc', ['a\rb', '\r', 'c']],
    ['', []],
    ['\r\n \n', []],
  ])('splits %j', (text, lines) => {
    expect(splitTextLines(text).lines).toEqual(lines);
  });

  it.each(['\na', 'a\n\n', 'a\n\nb', '\n\n'])('reports that joining the lines of %j loses blank lines', (text) => {
    expect(splitTextLines(text).lost).toBe('blank lines');
  });

  it.each(['a\r\nb', 'a\r\nb\r\n'])('reports that joining the lines of %j loses carriage returns', (text) => {
    expect(splitTextLines(text).lost).toBe('carriage returns');
  });
});

describe('classifyLine', () => {
  it.each([
    ['', undefined, 'blank'],
    [' \t\r', undefined, 'blank'],
    ['# a', undefined, 'heading'],
    ['###### a', undefined, 'heading'],
    ['####### a', undefined, 'item'],
    ['#a', undefined, 'item'],
    [' # a', undefined, 'item'],
    ['---', undefined, 'rule'],
    ['=====  ', undefined, 'rule'],
    ['--', undefined, 'item'],
    ['--=', undefined, 'item'],
    ['- a', undefined, 'item'],
    ['| a |', '|---|', 'table'],
    ['|a', '| :--: | - |', 'table'],
    ['| a |', '| b |', 'item'],
    ['| a |', '|  |', 'item'],
    ['| a |', undefined, 'item'],
    ['a | b', '---|---', 'item'],
  ] as const)('takes %j before %j for: %s', (line, next, kind) => {
    expect(classifyLine(line, next)).toBe(kind);
  });
});

describe('parseOutline', () => {
  it('puts the text before the first heading into a section of its own', () => {
    expect(sectionsOf('a\n# b\nc\n\nd\n### e')).toEqual([
      { heading: undefined, level: 0, items: [0] },
      { heading: 1, level: 1, items: [2, 4] },
      { heading: 5, level: 3, items: [] },
    ]);
  });

  it('starts a section at a title that is underlined', () => {
    expect(sectionsOf('x\nTitle\n=====\na\nSub\n---\nb')).toEqual([
      { heading: undefined, level: 0, items: [0] },
      { heading: 1, level: 1, items: [3] },
      { heading: 4, level: 2, items: [6] },
    ]);
  });

  it('takes a rule for a lone one when the line before it is blank or structural', () => {
    expect(structureOf('---\na\n\n---\n# b\n===')).toEqual([
      [0, 7.5],
      [3, 7.5],
      [4, 1],
      [5, 7.5],
    ]);
  });

  it('ranks the head of a table just below its section', () => {
    expect(structureOf('| a |\n|---|\n| b |\n## c\n| d |\n|---|')).toEqual([
      [0, 0.5],
      [1, 0.5],
      [3, 2],
      [4, 2.5],
      [5, 2.5],
    ]);
  });

  it('takes structure for items when there is little else', () => {
    expect(structureOf(headings(20))).toHaveLength(20);
    expect(structureOf(headings(21))).toEqual([]);
    expect(sectionsOf(headings(21))).toEqual([{ heading: undefined, level: 0, items: [...Array(21).keys()] }]);
    const withItems = (count: number) => `${headings(21)}\n${'- a\n'.repeat(count)}`;
    expect(structureOf(withItems(20))).toEqual([]);
    expect(structureOf(withItems(21))).toHaveLength(21);
  });

  it.each(['code', 'plain'] as const)('finds no structure in %s', (format) => {
    expect(parseOutline(['# a', '', '| b |', '|---|', 'c', '==='], format)).toMatchObject({
      sections: [{ heading: undefined, level: 0, items: [0, 2, 3, 4, 5] }],
      structure: [],
    });
  });
});
