import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openVirtualScreen } from '../../test/virtual-screen.ts';
import { FRAME, LiveArea, wrapWords } from './live-area.ts';
import type { Drawing } from './screen-rows.ts';
import { StreamedMarkdown } from '../views/streamed-prose.ts';
import { makeVisible } from './terminal-text.ts';

/** Shows texts in an area as they are written, without Markdown. */
function showIn(area: LiveArea, columns: () => number) {
  const streamed = new StreamedMarkdown((_, text) => text);
  return (text: string, ...others: [below?: readonly string[], input?: Drawing]): void =>
    area.show(streamed.render(text, columns()), ...others);
}

interface Opening {
  readonly color?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly before?: readonly string[];
}

/** A terminal, and an area at its end, below lines of other text. Default: one. */
function open({ color = true, before = ['before'], ...size }: Opening = {}) {
  const screen = openVirtualScreen(size);
  for (const line of before) screen.write(`${line}\n`);
  const area = new LiveArea({ ...screen, color });
  const show = showIn(area, screen.columns);
  return { ...screen, show, erase: () => screen.write(area.erase()) };
}

describe('a live area', () => {
  it('shows a text as it grows, and leaves nothing behind', async () => {
    const { show, read, erase } = open();
    show('One two');
    show('One two three four five six seven eight nine');
    expect(await read()).toEqual(['before', 'One two three four five six seven eight', 'nine']);
    erase();
    expect(await read()).toEqual(['before']);
  });

  it.each([true, false])('is drawn in frames, with colours or without: %s', (color) => {
    const written: string[] = [];
    const screen = { color, columns: () => 40, rows: () => 12, write: (text: string) => void written.push(text) };
    const show = showIn(new LiveArea(screen), screen.columns);
    show('one');
    show('one', ['status']);
    const [last = ''] = written.slice(-1);
    expect([last.startsWith(FRAME.begin), last.endsWith(FRAME.end)]).toEqual([true, true]);
  });

  it('has the cursor in what a person types, which is not dim', async () => {
    const { show, read, terminal } = open();
    const rows = ['home> a', '/menu'].map(makeVisible);
    show('One two', ['status'], { rows, row: 0, column: 7 });
    expect(await read()).toEqual(['before', 'One two', 'home> a', '/menu', 'status']);
    const { active } = terminal.buffer;
    expect([active.cursorY, active.cursorX]).toEqual([2, 7]);
    expect([1, 2, 4].map((row) => active.getLine(row)!.getCell(0)!.isDim() > 0)).toEqual([true, false, true]);
    show('One two three', ['status']);
    expect(await read()).toEqual(['before', 'One two three', 'status']);
  });

  it('shows the last lines of a long text', async () => {
    const { show, read, erase } = open({ rows: 8 });
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    for (let count = 1; count <= lines.length; count++) show(lines.slice(0, count).join('\n'));
    expect(await read()).toEqual(['before', ...lines.slice(-4)]);
    erase();
    expect(await read()).toEqual(['before']);
  });

  it(
    'is what it should be after every frame, whatever the text and how it is divided, at any size',
    { tags: ['long'] },
    async () => {
      const piece = fc.constantFrom(
        'a',
        'word ',
        'a longer word',
        '\n',
        '\n\n',
        '漢字',
        '🙂 ',
        '-'.repeat(30),
        ' ',
        '\u001B[2J',
      );
      const property = fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 12, max: 60 }),
        fc.integer({ min: 4, max: 24 }),
        fc.array(fc.constantFrom<string[][]>([], ['status'], ['st 漢字 1'], ['typed: a', 'other']), {
          minLength: 1,
          maxLength: 8,
        }),
        // As an area at the bottom of a full screen scrolls.
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 5 }),
        async (pieces, columns, rows, lines, count, atOnce) => {
          const before = Array.from({ length: count }, (_, index) => `before ${index}`);
          const { show, read, erase } = open({ columns, rows, before });
          let text = '';
          for (const [index, one] of pieces.entries()) {
            text += one;
            if (index % atOnce > 0) continue;
            const below = lines[Math.floor(index / 3) % lines.length]!;
            const most = Math.max(1, Math.min(10, Math.floor(rows / 2), rows - 1 - below.length));
            show(text, below);
            const shown = text.replaceAll('\u001B', '␛').trimEnd();
            const wanted = wrapWords(shown, columns - 1).slice(-most);
            const screen = await read();
            const expected = [...before, ...wanted, ...below].map((line) => line.trimEnd());
            while (expected.at(-1) === '') expected.pop();
            expect(screen).toEqual(expected);
          }
          erase();
          expect(await read()).toEqual(before);
        },
      );
      await fc.assert(property, { numRuns: 100 });
    },
  );

  it('stays in its place at the bottom when more rows come than go', async () => {
    const before = Array.from({ length: 30 }, (_, index) => `before ${index}`);
    const { show, read, erase } = open({ rows: 12, before });
    const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    show(lines.slice(0, 5).join('\n'), ['status']);
    show(lines.join('\n'), ['status']);
    expect(await read()).toEqual([...before, ...lines.slice(1), 'status']);
    show('one', ['status']);
    expect(await read()).toEqual([...before, 'one', 'status']);
    erase();
    expect(await read()).toEqual(before);
  });

  it('leaves a row for the text above it on a screen of four', async () => {
    const { show, read, erase } = open({ columns: 12, rows: 4 });
    const below = ['typed: a', 'other'];
    show('a', below);
    show(`a${'-'.repeat(30)}`, below);
    expect(await read()).toEqual(['before', '---------', ...below]);
    erase();
    expect(await read()).toEqual(['before']);
  });

  it('writes at most twice the bytes that a frame adds', () => {
    const { show, bytes } = open({ columns: 80, rows: 24 });
    const text = 'The quick brown fox jumps over the lazy dog, and nothing else happens here. '.repeat(60);
    const start = bytes();
    // What about five chunks of a model are.
    for (let end = 25; end <= text.length; end += 25) show(text.slice(0, end));
    expect(bytes() - start).toBeLessThan(2 * text.length);
  });

  it('adds to a text above its last line without writing that again', () => {
    const { show, bytes } = open({ columns: 80, rows: 24 });
    show('one', ['status']);
    const start = bytes();
    show('one two', ['status']);
    expect(bytes() - start).toBe(' two'.length);
    const text = 'The quick brown fox jumps over the lazy dog, and nothing else happens here. '.repeat(60);
    const second = bytes();
    for (let end = 25; end <= text.length; end += 25) show(text.slice(0, end), ['model · 12 tokens · ~/work']);
    expect(bytes() - second).toBeLessThan(2 * text.length);
  });

  it('leaves nothing behind when the window got narrower', async () => {
    const { show, read, erase, resize } = open({ columns: 60, rows: 20 });
    show('words that are as long as the line is, and then some more of them\nlast');
    await read();
    resize(30, 20);
    show('words that are as long as the line is, and then some more of them\nlast one');
    expect((await read()).at(-1)).toBe('last one');
    erase();
    expect(await read()).toEqual(['before']);
  });

  it('has no colour where none is wanted', async () => {
    const written: string[] = [];
    const screen = {
      columns: () => 40,
      rows: () => 10,
      color: false,
      write: (text: string) => void written.push(text),
    };
    const show = showIn(new LiveArea(screen), screen.columns);
    show('a');
    show('ab');
    expect(written).toEqual(['a', 'b']);
  });
});

describe('wrapWords', () => {
  it('divides at blanks, and long words anywhere', () => {
    expect(wrapWords('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapWords('a 1234567890 b', 6)).toEqual(['a', '123456', '7890 b']);
    expect(wrapWords('', 6)).toEqual(['']);
  });
});
