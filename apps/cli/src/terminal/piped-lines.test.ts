import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { PipedLines } from './piped-lines.ts';

describe('PipedLines', () => {
  it('gives every line and then the end, for good', async () => {
    const source = new PipedLines(Readable.from([Buffer.from('a\nb')]));
    expect(source.hasMore).toBe(true);
    expect(await source.next()).toEqual({ kind: 'line', text: 'a' });
    expect(await source.next()).toEqual({ kind: 'line', text: 'b' });
    expect(await source.next()).toEqual({ kind: 'end' });
    expect(source.hasMore).toBe(false);
    expect(await source.next()).toEqual({ kind: 'end' });
  });

  it('gives returned lines again, in order and before the others', async () => {
    const source = new PipedLines(Readable.from([Buffer.from('a\nb\nc\n')]));
    await source.next();
    await source.next();
    source.unread(['a', 'b']);
    const texts = [await source.next(), await source.next(), await source.next()];
    expect(texts).toMatchObject([{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
  });
});
