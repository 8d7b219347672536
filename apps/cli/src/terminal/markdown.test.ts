import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './markdown.ts';
import { createPainter, makeVisible, measureWidth } from './terminal-text.ts';

const plain = (text: string, columns = 41) => renderMarkdown(text, { columns, paint: (_, part) => part });
const marked = (text: string) => renderMarkdown(text, { columns: 81, paint: (style, part) => `<${style}>${part}</>` });

describe('renderMarkdown', () => {
  it('wraps paragraphs at words, whatever their line breaks', async () => {
    expect(await plain('One two three four five\nsix seven eight nine ten eleven.\n\nNext.')).toBe(
      'One two three four five six seven eight\nnine ten eleven.\n\nNext.',
    );
  });

  it('styles headings, emphasis, code and links', async () => {
    expect(await marked('# A **b**\n\nIt *is* `x < y` and **so `z`**, see [docs](https://a.b/c) or https://d.e')).toBe(
      '<heading>A</> <heading>b</>\n\nIt <emphasis>is</> <code>x</> <code><</> <code>y</> and <strong>so</> <code>z</>, see <link>docs</> (https://a.b/c) or <link>https://d.e</>',
    );
  });

  it('strikes text through, breaks lines and decodes names of characters, except in code', async () => {
    expect(await marked('~~gone~~ a<br>b &amp; c &lt;d&gt; &other; `&amp;`')).toBe(
      '<struck>gone</> a\nb & c <d> &other; <code>&amp;</>',
    );
  });

  it('colours the lines of a diff', async () => {
    expect(await marked('```diff\n@@ -1 +1 @@\n-old\n+new\n```')).toBe(
      '  <hint>@@ -1 +1 @@</>\n  <error>-old</>\n  <code>+new</>',
    );
  });

  it('indents lists, with the lines that follow', async () => {
    expect(await plain('- one two three four five six seven eight nine ten\n  - inner\n- [x] done\n\n3. c\n4. d')).toBe(
      '• one two three four five six seven\n  eight nine ten\n  • inner\n• ☑ done\n\n3. c\n4. d',
    );
  });

  it('keeps the lines of code', async () => {
    expect(await plain(`Run:\n\n\`\`\`sh\nnpm   run ${'x'.repeat(50)}\n  y\n\`\`\`\n`)).toBe(
      `Run:\n\n  npm   run ${'x'.repeat(50)}\n    y`,
    );
  });

  it('aligns tables, and wraps their cells', async () => {
    expect(
      await plain('| a | name |\n|---|---|\n| 1 | short |\n| 22 | a text that is too long for the line it is in |'),
    ).toBe(
      [
        'a   name',
        '──  ────────────────────────────────────',
        '1   short',
        '22  a text that is too long for the line',
        '    it is in',
      ].join('\n'),
    );
  });

  it('lists the cells of a table that is too wide', async () => {
    const cells = Array.from({ length: 9 }, (_, index) => `column${index}`).join(' | ');
    const text = await plain(`| ${cells} |\n|${'---|'.repeat(9)}\n| ${cells} |`);
    expect(text.split('\n')[0]).toBe('column0: column0');
  });

  it('quotes, and draws a line', async () => {
    expect(await plain('> a\n> b\n\n---')).toBe(`│ a b\n\n${'─'.repeat(40)}`);
  });

  it('leaves room on the first line, or begins on the next', async () => {
    const place = { columns: 31, paint: (_: unknown, part: string) => part, taken: 7 };
    expect(await renderMarkdown('one two three four five six', place)).toBe('one two three four five\nsix');
    expect(await renderMarkdown('# one', place)).toBe('\none');
  });

  it('shows what is no Markdown as it is', async () => {
    for (const text of ['a < b && c > d', 'x_y_z and 2 * 3 * 4', 'Tom & Jerry', '<R:a.ts>'])
      expect(await plain(text)).toBe(text);
    expect(await plain('')).toBe('');
  });

  it('loses no word and passes no column, whatever the text', async () => {
    const piece = fc.constantFrom(
      'word',
      'a',
      '漢字',
      '🙂',
      '\n',
      '\n\n',
      ' ',
      '- ',
      '# ',
      '> ',
      '`x`',
      '**b**',
      '1. ',
      '| a | b |\n|---|---|\n| c | d |\n',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 30 }),
        fc.integer({ min: 25, max: 60 }),
        async (pieces, columns) => {
          const text = pieces.join('');
          const output = await plain(text, columns);
          const words = (from: string) => (from.match(/word|漢|🙂/gu) ?? []).toSorted();
          expect(words(output)).toEqual(words(text));
          for (const line of output.split('\n'))
            if (!line.startsWith('  ')) expect(measureWidth(line)).toBeLessThan(columns);
        },
      ),
    );
  });

  it('writes nothing that a terminal obeys but its own colours', async () => {
    const text = makeVisible('# \u001B[2J a\n\n`\u001B]0;x\u0007`');
    const output = await renderMarkdown(text, { columns: 80, paint: createPainter({ color: true }) });
    // oxlint-disable-next-line no-control-regex
    expect(output.replaceAll(/\u001B\[[\d;]*m/g, '')).not.toMatch(/\u001B/);
  });
});
