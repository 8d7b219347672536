import { stripVTControlCharacters } from 'node:util';
import { asModelText, type AgentEvent } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { LiveArea, type StreamedRows } from '../terminal/live-area.ts';
import { openVirtualScreen } from '../../test/virtual-screen.ts';
import { renderMarkdown } from '../terminal/markdown.ts';
import { createPainter, RESET_TO_DIM } from '../terminal/terminal-text.ts';
import { StreamedProse, createProseStream, StreamedMarkdown } from './streamed-prose.ts';

const NAMES = { spaces: new Set(['tasks']), tools: new Set<string>() };
const RESPONSES = [
  'First this.\n<E:a.txt:2>\nTWO\n\nlines\n</E>\nThen that.',
  'First this.\n<W:a.txt>\n# A title\n\n<R:x> in a body\n</W>\nThen that.',
  'First this.\n<run>\nconst x = await read("a.txt");\nx < 3;\n</run>\nThen that.',
  'First this.\n<tasks.W:Title>\nBody\n</W>\nThen that.',
  'First this.\n<tool_call>\n{"name": "write",\n"arguments": {"path": "a"}}\n</tool_call>\nThen that.',
];

describe('StreamedProse', () => {
  it.each(RESPONSES)('shows nothing of a call while it arrives: %j', (response) => {
    const written = new StreamedProse((text) => parse(asModelText(text), NAMES).prose);
    for (const character of response) {
      written.add(character);
      expect(
        ['', 'First this.', 'First this.\n\nThen that.', 'First this.\nThen that.'].some((all) =>
          all.startsWith(written.read().trim()),
        ),
      ).toBe(true);
    }
    expect(written.read()).toMatch(/^First this\.\s+Then that\.$/);
  });

  it('shows what follows a call that has no body', () => {
    const written = new StreamedProse((text) => parse(asModelText(text), NAMES).prose);
    written.add('Look:\n<R:a.txt>\nand <source.Grep:x> now.');
    expect(written.read()).toContain('now.');
  });

  it('reads the same of a long response, of which it parses only the end', () => {
    const parsed: number[] = [];
    const written = new StreamedProse((text) => {
      parsed.push(text.length);
      return parse(asModelText(text), NAMES).prose;
    });
    const paragraph = 'Some words of an answer.\n\n```ts\nconst a = "<W:x>";\n```\n\n<R:a.txt>\n\n';
    for (let count = 0; count < 2000; count++) {
      written.add(paragraph);
      if (count % 10 === 0) written.read();
    }
    const whole = parse(asModelText(paragraph.repeat(2000)), NAMES).prose;
    expect(
      written
        .read()
        .replaceAll(/\n{2,}/g, '\n\n')
        .trimEnd(),
    ).toBe(whole.replaceAll(/\n{2,}/g, '\n\n').trimEnd());
    expect(Math.max(...parsed)).toBeLessThan(20_000);
  });
});

const delta = (text: string): AgentEvent => ({ type: 'response-delta', text, label: '1', turn: 1 });
const end = { type: 'response-end', label: '1', turn: 1 } as AgentEvent;

it('a response streams without its calls, and a line that may become one waits until it is whole', () => {
  let read: ((columns: number) => StreamedRows) | undefined;
  const stream = (next: typeof read) => void (read = next);
  const prose = (text: string) => text.replaceAll(/<[^>]*>/g, '');
  const unfinished: unknown[] = [];
  const view = createProseStream(
    { stream },
    { prose, color: false, showUnfinished: async (...said) => void unfinished.push(said) },
  );
  void view(delta('I look.\n<R:a'));
  expect(read?.(80).rows).toEqual(['I look.']);
  void view(delta('.ts>\nThen'));
  expect(read?.(80).rows).toEqual(['I look.', '', 'Then']);
  void view(end);
  expect(read).toBeUndefined();
  void view(delta('Next'));
  expect(read!(80).rows).toEqual(['Next']);
  void view({ type: 'notice', code: 'retry', text: 'again', label: '1', turn: 1 });
  expect(read).toBeUndefined();
  void view(delta('Half of'));
  expect(read!(80).rows).toEqual(['Half of']);
  expect(unfinished).toEqual([]);
  void view({ type: 'turn-end', label: '1', turn: 1, unfinished: 'Half of\n<R:a' } as AgentEvent);
  expect(read).toBeUndefined();
  expect(unfinished).toEqual([['Half of', '1']]);
});

it('a response of 100,000 calls is read in one pass, not once for each of them', () => {
  const stream = new StreamedProse(() => '');
  stream.add('<run>1</run>\n<W:a>```</W>\n'.repeat(50_000));
  expect(stream.read()).toBe('');
});

const ANSWER = `# How it works

It keeps a **queue of functions**, and runs \`concurrency\` of them at once; see \`index.js\` and *more*.

- \`limit(fn)\` adds one
- *clear* drops what has not begun
  1. nested

| name | what it is |
|---|---|
| active | how many run now |

\`\`\`js
const limit = pLimit(2); // two at once
\`\`\`

> Beware of deadlocks.
`;

const paint = createPainter({ color: true }, RESET_TO_DIM);

async function open({ color = false } = {}): Promise<StreamedMarkdown> {
  const streamed = new StreamedMarkdown(color ? paint : (_, text) => text);
  await streamed.load();
  return streamed;
}

describe('Markdown that is being written', () => {
  it('looks like the whole at its end, and shows no marks before', async () => {
    const streamed = await open();
    for (let end = 1; end <= ANSWER.length; end++) {
      const text = streamed.render(ANSWER.slice(0, end), 60).rows.join('\n');
      expect(text).not.toMatch(/[*`#>]|^- |^\d\.?$/m);
    }
    const whole = await renderMarkdown(ANSWER, { columns: 60, paint: (_, text) => text });
    expect(streamed.render(ANSWER, 60)).toEqual({ rows: whole.split('\n'), above: 0 });
  });

  it.each([
    ['strong text', 'a **b', 'a b'],
    ['code', 'a `b **c', 'a b **c'],
    ['a mark without a text', 'a **', 'a'],
    ['a list', 'one:\n-', 'one:'],
    ['a heading', 'one\n\n##', 'one'],
    ['a rule or a heading', 'one\n--', 'one'],
    ['code of several lines', '```js\nf(**a', '  f(**a'],
  ])('shows %s that has just begun', async (_, text, shown) => {
    expect((await open()).render(text, 40).rows).toEqual([shown]);
  });

  it('is plain text until what reads Markdown is loaded', () => {
    expect(new StreamedMarkdown(paint).render('a **b** c', 6).rows).toEqual(['a', '**b**', 'c']);
  });

  it('makes codes visible, and fits every row into the screen', async () => {
    const streamed = await open({ color: true });
    const { rows } = streamed.render(`\u001B[2J\n\n\`\`\`\n${'x = "long" + '.repeat(20)}\n\`\`\``, 12);
    expect(rows[0]).toBe('␛[2J');
    for (const row of rows) expect(stripVTControlCharacters(row).length).toBeLessThan(12);
  });

  it(
    'renders only the end of a long text, and keeps the number of rows and the meaning of the end',
    { tags: ['long'] },
    async () => {
      const blocks = fc.constantFrom(
        ANSWER,
        'Some words of an answer. '.repeat(12),
        `\`\`\`ts\n${'const a = "b";\n'.repeat(400)}\`\`\``,
        `| name | about |\n|---|---|\n${'| a | how many |\n'.repeat(400)}`,
        '- one item\n'.repeat(40),
      );
      const property = fc.asyncProperty(fc.array(blocks, { minLength: 1, maxLength: 40 }), async (parts) => {
        const text = parts.join('\n\n');
        const streamed = await open();
        let before = 0;
        for (let end = 1000; end < text.length; end += 1000) {
          const { rows, above } = streamed.render(text.slice(0, end), 60);
          expect(rows.join('\n').length).toBeLessThan(12_000);
          // A row that a list or a table takes less is nothing to see.
          expect(above + rows.length).toBeGreaterThan(before - 12);
          before = above + rows.length;
        }
        const whole = (await renderMarkdown(text, { columns: 60, paint: (_, plain) => plain })).split('\n');
        expect(streamed.render(text, 60).rows.slice(-10)).toEqual(whole.slice(-10));
      });
      await fc.assert(property, { numRuns: 10 });
    },
  );

  it('is dim on the screen after every frame, with the rows that it should have', { tags: ['long'] }, async () => {
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 24, max: 90 }),
      async (step, columns) => {
        const { terminal, read, ...screen } = openVirtualScreen({ columns, rows: 24 });
        const area = new LiveArea({ ...screen, color: true });
        const streamed = await open({ color: true });
        let isColored = false;
        for (let end = step; end < ANSWER.length + step; end += step) {
          const streamedRows = streamed.render(ANSWER.slice(0, end), columns);
          area.show(streamedRows, ['status']);
          const shown = [...streamedRows.rows.slice(-10).map(stripVTControlCharacters), 'status'];
          expect((await read()).map((row) => row.trimEnd())).toEqual(shown.map((row) => row.trimEnd()));
          const cells = shown.flatMap((row, y) =>
            Array.from(row, (_, x) => terminal.buffer.active.getLine(y)!.getCell(x)!).filter(
              (cell) => cell.getChars().trim() !== '',
            ),
          );
          expect(cells.every((cell) => cell.isDim() > 0)).toBe(true);
          isColored ||= cells.some((cell) => cell.isFgRGB());
        }
        expect(isColored).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 20 });
  });

  it('writes at most twice the bytes of what changes on the screen', { tags: ['long'] }, async () => {
    const screen = openVirtualScreen({ columns: 80, rows: 24 });
    const area = new LiveArea({ ...screen, color: true });
    const streamed = await open({ color: true });
    const text = ANSWER.repeat(20);
    let changed = 0;
    let before: readonly string[] = [];
    for (let end = 25; end <= text.length; end += 25) {
      const rendered = streamed.render(text.slice(0, end), 80);
      const rows = [...Array.from({ length: rendered.above }, () => ''), ...rendered.rows];
      for (const [index, row] of rows.entries())
        if (index >= rendered.above) changed += countNew(before[index] ?? '', row);
      before = rows;
      area.show(rendered, ['status']);
    }
    expect(screen.bytes()).toBeLessThan(2 * changed);
  });
});

/** Returns the number of characters and codes of a row that are not at its start already. */
function countNew(before: string, after: string): number {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return after.length - same;
}
