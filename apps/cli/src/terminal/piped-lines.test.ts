import { PassThrough, Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PipedLines } from './piped-lines.ts';

describe('PipedLines', () => {
  it('gives every line and then the end, for good', async () => {
    const source = new PipedLines(Readable.from([Buffer.from('a\nb')]));
    expect(await source.hasMore()).toBe(true);
    expect(await source.next()).toEqual({ kind: 'line', text: 'a' });
    expect(await source.next()).toEqual({ kind: 'line', text: 'b' });
    expect(await source.next()).toEqual({ kind: 'end' });
    expect(await source.hasMore()).toBe(false);
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

  it('has no more lines where whoever writes them waits for an answer, and gives those that come later', async () => {
    const input = new PassThrough();
    const source = new PipedLines(input);
    input.write('a\nb\n');
    await source.next();
    expect(await source.hasMore()).toBe(true);
    await source.next();
    expect(await source.hasMore()).toBe(false);
    const line = source.next();
    input.write('c\n');
    expect(await line).toEqual({ kind: 'line', text: 'c' });
  });

  it('has more lines when they come a moment later', async () => {
    const input = new PassThrough();
    const source = new PipedLines(input);
    const hasMore = source.hasMore();
    await setTimeout(5);
    input.write('a\n');
    expect(await hasMore).toBe(true);
    expect(await source.next()).toEqual({ kind: 'line', text: 'a' });
  });

  it('may be closed while a line was looked for and is not there', async () => {
    const source = new PipedLines(new PassThrough());
    expect(await source.hasMore()).toBe(false);
    source.close();
    await expect(source.next()).rejects.toThrow();
  });
});
