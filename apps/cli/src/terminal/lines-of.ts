import type { Readable } from 'node:stream';

/**
 * The lines of a stream as they arrive, without their ends. Only `\n` and `\r\n` end a line: other
 * separators may stand inside a JSON string. A last line without an end counts.
 */
export async function* linesOf(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending: string[] = [];
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk as Buffer, { stream: true });
    const [first = '', ...rest] = text.split('\n');
    pending.push(first);
    for (const next of rest) {
      yield withoutReturn(pending.join(''));
      pending = [next];
    }
  }
  const last = pending.join('') + decoder.decode();
  if (last !== '') yield withoutReturn(last);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
