import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JoinedFiles, LineShortener } from './ripgrep-search.ts';

describe('JoinedFiles', () => {
  it('knows where every line comes from', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '\r\n'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
        const joined = new JoinedFiles<number>();
        const pieces = texts.flatMap((text, index) => joined.add(index, Buffer.from(text)));
        const lines = Buffer.concat(pieces).toString().split('\n').slice(0, -1);
        const expected = texts.flatMap((text, file) => {
          const own = text.split('\n');
          if (own.at(-1) === '') own.pop();
          return own.map((content, index) => ({ content, file, line: index + 1 }));
        });
        expect(lines.map((content, index) => ({ content, ...joined.at(index + 1) }))).toEqual(expected);
      }),
    );
  });

  // Looking at one file after the other for every line takes twenty seconds.
  it('finds lines quickly among very many files', () => {
    const joined = new JoinedFiles<number>();
    const line = Buffer.from('x\n');
    for (let file = 0; file < 80_000; file++) joined.add(file, line);
    let wrong = 0;
    for (let file = 0; file < 80_000; file++) if (joined.at(file + 1).file !== file) wrong++;
    expect(wrong).toBe(0);
  }, 3000);

  it('takes off the mark at the beginning of a file', () => {
    const pieces = new JoinedFiles<string>().add('a', Buffer.from('\ufeffa\ufeff'));
    expect(Buffer.concat(pieces).toString()).toBe('a\ufeff\n');
  });
});

describe('LineShortener', () => {
  const MEGABYTE = 1024 * 1024;

  it('changes nothing but what a line has beyond a megabyte', () => {
    const line = fc.integer({ min: 0, max: 3 * MEGABYTE });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 50_000, max: MEGABYTE }),
        (lengths, size) => {
          const text = Buffer.from(lengths.map((length) => 'x'.repeat(length)).join('\n'));
          const cutter = new LineShortener();
          const pieces: Uint8Array[] = [];
          for (let at = 0; at < text.length; at += size) pieces.push(...cutter.shorten(text.subarray(at, at + size)));
          const kept = Buffer.concat(pieces)
            .toString()
            .split('\n')
            .map(({ length }) => length);
          expect(kept).toEqual(lengths.map((length) => Math.min(length, MEGABYTE)));
        },
      ),
      { numRuns: 30 },
    );
  });
});
