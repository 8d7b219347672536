import { describe, expect, it } from 'vitest';
import { prune } from './prune.ts';
import { structuralPruner } from './structural-pruner.ts';

const numbered = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i + 1));
const section = (name: string) => [`## ${name}`, '', ...numbered(9, (index) => `- ${name} item ${index}`), ''];

/** What a model reads instead of texts as tools return them, with little room. */
describe('a pruned text', () => {
  it('of a document has all headings and a little of every section', () => {
    const document = ['# Manual', '', 'What it is.', '', ...section('install'), ...section('use'), 'Written by hand.'];
    expect(prune(document.join('\n'), { cap: 300, ref: 'result:1' }).text).toMatchInlineSnapshot(`
      "# Manual
      What it is.

      ## install
      - install item 1
      - install item 2
      - install item 3
      - install item 4
      - install item 5
      - install item 6

      ## use
      - use item 1
      - use item 2
      - use item 3
      - use item 4
      - use item 5
      …
      Written by hand.
      [pruned: 20 -> 13 items; full: <R:result:1>]"
    `);
  });

  it('of a table has its head, its first rows and the last', () => {
    const rows = numbered(40, (index) => `| ${index} | task ${index} | open |`);
    const table = ['Open tasks', '', '| # | title | state |', '|---|:------|-------|', ...rows, '', '40 tasks'];
    expect(prune(table.join('\n'), { cap: 240 }).text).toMatchInlineSnapshot(`
      "Open tasks
      | # | title | state |
      |---|:------|-------|
      | 1 | task 1 | open |
      | 2 | task 2 | open |
      | 3 | task 3 | open |
      | 4 | task 4 | open |
      …
      40 tasks
      [pruned: 42 -> 6 items]"
    `);
  });

  it('of a log has its beginning and its end', () => {
    const log = [...numbered(50, (index) => `12:00:${index} GET /page/${index} 200`), 'Error: disk is full'];
    expect(prune(log.join('\n'), { cap: 200, format: 'plain' }).text).toMatchInlineSnapshot(`
      "12:00:1 GET /page/1 200
      12:00:2 GET /page/2 200
      12:00:3 GET /page/3 200
      12:00:4 GET /page/4 200
      …
      Error: disk is full
      [pruned: 51 -> 5 items]"
    `);
  });

  it('of a table of coverage has the files of which something is not covered', () => {
    const row = (name: string, percent: string, rest: string) =>
      `  ${name} |  ${percent} |  90 |  100 |  ${percent} | ${rest}`;
    const full = numbered(30, (index) => `  file-${index}.js |  100 |  100 |  100 |  100 |`);
    const table = [
      '$ c8 report',
      ...full,
      row('index.js', '95.2', '101'),
      ...full,
      row('disk.js', '91', '13'),
      ...full,
    ];
    const { text } = structuralPruner.prune([...table, 'done'].join('\n'), { cap: 600, format: 'log' });
    expect(text).toContain('index.js |  95.2 |  90 |  100 |  95.2 | 101');
    expect(text).toContain('disk.js |  91 |  90 |  100 |  91 | 13');
  });

  it('of test results has the name of every test that failed, and what each expected', () => {
    const report = numbered(12, (index) =>
      (index % 3 === 0
        ? [
            `not ok ${index} - adds ${index}`,
            '  ---',
            `  duration_ms: 0.${index}`,
            "  failureType: 'testCodeFailure'",
            '  error: |-',
            '    Expected values to be strictly equal:',
            `    ${index} !== ${index + 1}`,
            "  name: 'AssertionError'",
            `  expected: ${index + 1}`,
            '  stack: |-',
            ...numbered(4, (frame) => `    at run (node:internal/test:${frame}:1)`),
            '  ...',
          ]
        : [`ok ${index} - adds ${index}`, '  ---', `  duration_ms: 0.${index}`, '  ...']
      ).join('\n'),
    );
    const { text } = structuralPruner.prune(['TAP version 13', ...report, '# fail 4'].join('\n'), { cap: 1700 });
    for (const index of [3, 6, 9, 12]) {
      expect(text).toContain(`not ok ${index} - adds ${index}`);
      expect(text).toContain(`${index} !== ${index + 1}`);
    }
  });

  it('of many headings has those that matter most', () => {
    const chapters = numbered(30, (index) => `### Detail ${index}\ntext ${index}\n\n`);
    const text = ['# Part one', 'first', ...chapters, '# Part two', 'second'].join('\n');
    expect(prune(text, { cap: 250 }).text).toMatchInlineSnapshot(`
      "# Part one
      first

      ### Detail 1
      text 1

      ### Detail 2
      text 2

      ### Detail 3
      text 3

      ### Detail 4
      text 4

      ### Detail 5
      text 5

      # Part two
      …
      second
      [pruned: 32 -> 7 items, 32 -> 7 headings]"
    `);
  });

  it('of one long line among others reports how much was removed', () => {
    const text = ['before', '{"data":"'.padEnd(600, 'x'), '', 'after'].join('\n');
    expect(prune(text, { cap: 240 }).text).toMatchInlineSnapshot(`
      "before
      {"data":"xxxxxxxxxxxxxxxxxxxxxxxxxxx… [+564 chars]

      after
      [pruned: 1 long line clipped]"
    `);
  });
});
