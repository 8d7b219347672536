import { describe, expect, it } from 'vitest';
import { readServerEvents } from './client.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A stream of these bytes, cut into pieces of a length. */
function stream(text: string, length: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += length) controller.enqueue(bytes.slice(at, at + length));
      controller.close();
    },
  });
}

const TEXT = [
  'retry: 1000\n\n',
  'id: 3\nevent: answer\ndata: {"type":"answer","text":"Grüße: 你好\\n\\n"}\n\n',
  ': still here\n\n',
  'event: response-delta\ndata: {"type":"response-delta","text":"a"}\n\n',
  'id: 9\nevent: answer\ndata: {"type":"ans',
].join('');

describe('readServerEvents', () => {
  it('reads the same events however the bytes are cut, and leaves out what did not arrive whole', async () => {
    for (let length = 1; length <= 40; length++)
      expect(await collect(readServerEvents(stream(TEXT, length)))).toEqual([
        { seq: 3, event: { type: 'answer', text: 'Grüße: 你好\n\n' } },
        { event: { type: 'response-delta', text: 'a' } },
      ]);
  });
});
