import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from './lines-of.ts';

describe('linesOf', () => {
  it('ends lines at line feeds only', async () => {
    expect(await all(['a\r\nb\u2028c\rd\n', '\nlast'])).toEqual(['a', 'b\u2028c\rd', '', 'last']);
  });

  it('has no line after the last line feed', async () => {
    expect(await all(['a\n'])).toEqual(['a']);
    expect(await all([])).toEqual([]);
  });

  it('gives a line as soon as it is complete', async () => {
    const input = new Readable({ read: () => undefined });
    const lines = linesOf(input);
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
        expect(await all(chunks)).toEqual(lines.map((line) => Buffer.from(line).toString()));
      }),
    );
  });
});

async function all(chunks: readonly (string | Buffer)[]): Promise<string[]> {
  const input = Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  );
  const lines: string[] = [];
  for await (const line of linesOf(input)) lines.push(line);
  return lines;
}
