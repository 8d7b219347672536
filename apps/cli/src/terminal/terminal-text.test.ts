import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openMemoryTerminal } from '../../test/memory-terminal.ts';
import { openLineReader } from './line-reader.ts';
import { StreamedMarkdown } from '../views/streamed-prose.ts';
import type { Terminal } from './terminal.ts';
import {
  createPainter,
  drawn,
  makeLineVisible,
  makeOutputVisible,
  makeVisible,
  measureWidth,
  padToWidth,
  truncate,
} from './terminal-text.ts';

describe('makeVisible', () => {
  it.each([
    ['a colour', '\u001B[31mred\u001B[0m', '␛[31mred␛[0m'],
    ['a link', '\u001B]8;;http://evil\u0007click\u001B]8;;\u0007', '␛]8;;http://evil␇click␛]8;;␇'],
    ['a write to the clipboard', '\u001B]52;c;cm0=\u001B\\', '␛]52;c;cm0=␛\\'],
    ['an 8-bit control sequence', '\u009B2J', '<U+009B>2J'],
    ['a reversed reading direction', 'a\u202Egpj.exe', 'a<U+202E>gpj.exe'],
    ['an isolate', '\u2066x\u2069', '<U+2066>x<U+2069>'],
    ['a zero-width space', 'ad\u200Bmin', 'ad<U+200B>min'],
    ['a byte order mark', '\uFEFFx', '<U+FEFF>x'],
    ['an invisible tag', 'x\u{E0041}', 'x<U+E0041>'],
    ['a line separator', 'a\u2028b', 'a<U+2028>b'],
    ['a filler that shows nothing', 'a\u3164b', 'a<U+3164>b'],
    ['a code without a character that shows nothing', 'a\u2065b\u{E0080}', 'a<U+2065>b<U+E0080>'],
    ['a carriage return that overwrites', 'safe\rrm -rf', 'safe␍rm -rf'],
    ['backspaces', 'ab\b\bcd', 'ab␈␈cd'],
    ['delete and null', '\u007F\0', '␡␀'],
    ['half a surrogate pair', 'a\uD800b', 'a<U+D800>b'],
  ])('shows %s', (_, text, shown) => {
    expect(makeVisible(text)).toBe(shown);
  });

  it('leaves ordinary text alone', () => {
    const text = 'tab\tand line\nÄ 日本語 🙂 e\u0301 │ ␛';
    expect(makeVisible(text)).toBe(text);
  });

  it('takes Windows line ends for line ends', () => {
    expect(makeVisible('a\r\nb\r\n')).toBe('a\nb\n');
  });

  it('lets nothing through that could act on a terminal, and is done after one pass', { tags: ['long'] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = makeVisible(text);
        // oxlint-disable-next-line no-control-regex
        expect(shown).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2066-\u2069]/);
        expect(makeVisible(shown)).toBe(shown);
      }),
    );
  });
});

describe('makeLineVisible', () => {
  it('keeps everything on one line', () => {
    expect(makeLineVisible('a\r\nb\tc\n\u001B[1A')).toBe('a⏎b c⏎␛[1A');
  });
});

describe('measureWidth', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['日本語', 6],
    ['한글', 4],
    ['🙂', 2],
    ['✅', 2],
    ['ＡＢ', 4],
    ['e\u0301', 1],
    ['─│◆…', 4],
    ['Ä', 1],
  ])('of %j is %i', (text, width) => {
    expect(measureWidth(text)).toBe(width);
  });
});

describe('truncate', () => {
  it('leaves what fits', () => {
    expect(truncate('abc', 3)).toBe('abc');
  });

  it('never cuts a wide character in two', () => {
    expect(truncate('日本語', 5)).toBe('日本…');
    expect(truncate('日本語', 4)).toBe('日…');
  });

  it('is never wider than the columns there are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, columns) => {
        expect(measureWidth(truncate(text, columns))).toBeLessThanOrEqual(columns);
        expect(measureWidth(padToWidth(text, columns))).toBe(columns);
      }),
    );
  });
});

describe('what is written to a terminal', () => {
  it('has the colours of a painter and no other code, whoever wrote it', () => {
    const paint = createPainter({ color: true });
    const unit = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\t',
      '\u001B',
      '[',
      '31m',
      '2J',
      ']0;x\u0007',
      '\u202E',
      '\u009B',
      '\r',
      'm',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const shown = makeOutputVisible(`${paint('error', 'e')}${text}`);
        expect(shown.startsWith('\u001B[31me\u001B[0m')).toBe(true);
        const rest = shown.replaceAll(/\p{Cc}\[(?:0|1|31|33|96|3;38;5;246|38;2;\d+;\d+;\d+)m/gu, '');
        expect(rest.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cf}\p{Cc}]/u);
      }),
    );
  });

  it('shows what a name or an id would have done', () => {
    expect(makeOutputVisible('\u001B[2J\u001B]0;title\u0007x\u202E')).toBe('␛[2J␛]0;title␇x<U+202E>');
  });
});

describe('a terminal', () => {
  const hostile = 'a\u001B[2J\u001B]0;owned\u0007\u202Eb\u009Bc';

  it('takes nothing but harmless text', () => {
    const terminal = openMemoryTerminal();
    const screen: Terminal['screen'] = terminal.screen;
    // @ts-expect-error A text of unknown origin has to be made harmless first.
    screen.write('plain');
    // @ts-expect-error Nor does a template with one.
    screen.write(`${drawn`\r`}plain`);
    // @ts-expect-error And none comes between our own codes.
    screen.write(drawn`\r${'plain'}`);
    screen.write(drawn`\r${makeVisible(hostile)}`);
    expect(terminal.screen.own.text).toContain('a␛[2J␛]0;owned␇<U+202E>b<U+009B>c');
  });

  it.each([true, false])('obeys nothing in what is printed beside a prompt, asked: %s', async (isAsked) => {
    const terminal = openMemoryTerminal({ interactive: true });
    const reader = openLineReader(terminal);
    const line = isAsked ? reader.next(hostile) : undefined;
    reader.printAbove(hostile);
    reader.redraw(hostile);
    terminal.status.set('step', hostile);
    terminal.status.stream((columns) => new StreamedMarkdown(createPainter(terminal.err)).render(hostile, columns));
    reader.close();
    await line;
    expect(terminal.transcript.text).toContain('␛]0;owned␇');
    for (const code of ['\u001B]', '\u0007', '\u009B', '\u202E']) expect(terminal.transcript.text).not.toContain(code);
  });
});
