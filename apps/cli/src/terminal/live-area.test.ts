import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LiveArea, wrapWords } from './live-area.ts';

/** A terminal, and an area at its end, below a line of other text. */
function open({ columns = 40, rows = 12, color = true } = {}) {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 1000,
    allowProposedApi: true,
    convertEol: true,
  });
  let bytes = 0;
  const write = (text: string): void => {
    bytes += text.length;
    terminal.write(text);
  };
  const area = new LiveArea({ columns: () => terminal.cols, rows: () => terminal.rows, color, write });
  const settle = () =>
    new Promise<void>((resolve) => {
      terminal.write('', resolve);
    });
  const read = async (): Promise<readonly string[]> => {
    await settle();
    const { active } = terminal.buffer;
    const lines = Array.from({ length: active.length }, (_, index) => active.getLine(index)!.translateToString(true));
    while (lines.length > 0 && lines.at(-1) === '') lines.pop();
    return lines;
  };
  write('before\n');
  return { area, read, terminal, bytes: () => bytes };
}

describe('a live area', () => {
  it('shows a text as it grows, and leaves nothing behind', async () => {
    const { area, read } = open();
    area.show('One two');
    area.show('One two three four five six seven eight nine');
    expect(await read()).toEqual(['before', 'One two three four five six seven eight', 'nine']);
    area.erase();
    expect(await read()).toEqual(['before']);
  });

  it('shows the last lines of a long text', async () => {
    const { area, read } = open({ rows: 8 });
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    for (let count = 1; count <= lines.length; count++) area.show(lines.slice(0, count).join('\n'));
    expect(await read()).toEqual(['before', ...lines.slice(-4)]);
    area.erase();
    expect(await read()).toEqual(['before']);
  });

  it('is what it should be after every frame, whatever the text and how it is divided, at any size', async () => {
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
      async (pieces, columns, rows) => {
        const { area, read } = open({ columns, rows });
        const most = Math.max(1, Math.min(10, Math.floor(rows / 2)));
        let text = '';
        for (const one of pieces) {
          text += one;
          area.show(text);
          const shown = text.replaceAll('\u001B', '␛').trimEnd();
          const wanted = wrapWords(shown, columns - 1).slice(-most);
          const screen = await read();
          const expected = ['before', ...wanted].map((line) => line.trimEnd());
          while (expected.at(-1) === '') expected.pop();
          expect(screen).toEqual(expected);
        }
        area.erase();
        expect(await read()).toEqual(['before']);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it('writes at most twice the bytes that a frame adds', () => {
    const { area, bytes } = open({ columns: 80, rows: 24 });
    const text = 'The quick brown fox jumps over the lazy dog, and nothing else happens here. '.repeat(60);
    const start = bytes();
    // What about five chunks of a model are.
    for (let end = 25; end <= text.length; end += 25) area.show(text.slice(0, end));
    expect(bytes() - start).toBeLessThan(2 * text.length);
  });

  it('leaves nothing behind when the window got narrower', async () => {
    const { area, read, terminal } = open({ columns: 60, rows: 20 });
    area.show('words that are as long as the line is, and then some more of them\nlast');
    await read();
    terminal.resize(30, 20);
    area.show('words that are as long as the line is, and then some more of them\nlast one');
    expect((await read()).at(-1)).toBe('last one');
    area.erase();
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
    const area = new LiveArea(screen);
    area.show('a');
    area.show('ab');
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
