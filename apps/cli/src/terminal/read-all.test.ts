import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readAll } from './read-all.ts';

const signal = new AbortController().signal;

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
