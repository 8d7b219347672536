import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAll, readLines, readPipedLines, type LineSource } from './piped-input.ts';

const { signal } = new AbortController();

describe('readAll', () => {
  it('puts the pieces together, characters that were cut in two included', async () => {
    const bytes = Buffer.from('日本 🙂\n');
    const pieces = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
    expect(await readAll(Readable.from(pieces, { objectMode: false }), signal)).toBe('日本 🙂\n');
    expect(await readAll(Readable.from([]), signal)).toBe('');
  });

  it('stops waiting when it is asked to', async () => {
    const stop = new AbortController();
    const text = readAll(new PassThrough(), stop.signal);
    stop.abort(new Error('enough'));
    await expect(text).rejects.toThrow('enough');
    await expect(readAll(new PassThrough(), stop.signal)).rejects.toThrow('enough');
  });

  it('reports an input that breaks', async () => {
    const input = new PassThrough();
    const text = readAll(input, signal);
    input.destroy(new Error('EIO'));
    await expect(text).rejects.toThrow('EIO');
  });
});

describe('readLines', () => {
  it('ends lines at line feeds only', async () => {
    expect(await allLines(['a\r\nb\u2028c\rd\n', '\nlast'])).toEqual(['a', 'b\u2028c\rd', '', 'last']);
  });

  it('has no line after the last line feed', async () => {
    expect(await allLines(['a\n'])).toEqual(['a']);
    expect(await allLines([])).toEqual([]);
  });

  it('gives a line as soon as it is complete', async () => {
    const input = new Readable({ read: () => undefined });
    const lines = readLines(input);
    input.push('first\nsec');
    expect(await lines.next()).toMatchObject({ value: 'first' });
    input.push('ond\n');
    expect(await lines.next()).toMatchObject({ value: 'second' });
    input.push(null);
    expect(await lines.next()).toMatchObject({ done: true });
  });

  it('gives the same lines however the bytes arrive', async () => {
    const text = fc.array(fc.string({ unit: 'binary' }).map((line) => line.replaceAll(/[\n\r\uFEFF]/g, '')));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (lines, size) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        expect(await allLines(chunks)).toEqual(lines.map((line) => Buffer.from(line).toString()));
      }),
    );
  });
});

async function allLines(chunks: readonly (string | Buffer)[]): Promise<string[]> {
  const input = Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  );
  const lines: string[] = [];
  for await (const line of readLines(input)) lines.push(line);
  return lines;
}

describe('readPipedLines', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Whether there is more when the moment is over. */
  async function hasMoreInTime(source: LineSource): Promise<boolean> {
    const hasMore = source.hasMore();
    await vi.advanceTimersByTimeAsync(50);
    return hasMore;
  }

  it('gives every line and then the end, for good', async () => {
    const source = readPipedLines(Readable.from([Buffer.from('a\nb')]));
    expect(await source.hasMore()).toBe(true);
    expect(await source.next('')).toEqual({ kind: 'line', text: 'a' });
    expect(await source.next('')).toEqual({ kind: 'line', text: 'b' });
    expect(await source.next('')).toEqual({ kind: 'end' });
    expect(await source.hasMore()).toBe(false);
    expect(await source.next('')).toEqual({ kind: 'end' });
  });

  it('gives returned lines again, in order and before the others', async () => {
    const source = readPipedLines(Readable.from([Buffer.from('a\nb\nc\n')]));
    await source.next('');
    await source.next('');
    source.unread(['a', 'b']);
    const texts = [await source.next(''), await source.next(''), await source.next('')];
    expect(texts).toMatchObject([{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
  });

  it('has no more lines while the writer waits for a reply, and returns those that come later', async () => {
    const input = new PassThrough();
    const source = readPipedLines(input);
    input.write('a\nb\n');
    await source.next('');
    expect(await source.hasMore()).toBe(true);
    await source.next('');
    expect(await hasMoreInTime(source)).toBe(false);
    const line = source.next('');
    input.write('c\n');
    expect(await line).toEqual({ kind: 'line', text: 'c' });
  });

  it('has more lines when they come a moment later', async () => {
    const input = new PassThrough();
    const source = readPipedLines(input);
    const hasMore = source.hasMore();
    await vi.advanceTimersByTimeAsync(49);
    input.write('a\n');
    expect(await hasMore).toBe(true);
    expect(await source.next('')).toEqual({ kind: 'line', text: 'a' });
  });

  it('may be closed while a line was looked for and is not there', async () => {
    const source = readPipedLines(new PassThrough());
    expect(await hasMoreInTime(source)).toBe(false);
    source.close();
    await expect(source.next('')).rejects.toThrow();
  });
});
