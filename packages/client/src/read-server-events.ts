import type { SessionEvent, StreamedEvent } from './api.ts';

/** Maximum length of an event, in UTF-16 code units. */
const EVENT_CAP = 64_000_000;

/**
 * Reads server-sent events whose data is JSON. Messages without data, such as heartbeats, are skipped.
 *
 * @throws Error for an event that is too long; the error of the stream if it breaks
 */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // An event that is not terminated by an empty line is incomplete.
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      length += text.length;
      if (length > EVENT_CAP) throw new Error(`an event is longer than ${EVENT_CAP} characters`);
      pieces.push(text);
      if (!text.includes('\n')) continue;
      // The end of a block may be split across two pieces.
      const blocks = pieces.join('').split('\n\n');
      pieces = [blocks.pop()!];
      length = pieces[0]!.length;
      for (const block of blocks) {
        const event = readEvent(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readEvent(block: string): StreamedEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  const id = fields.get('id');
  return { ...(id !== undefined && { seq: Number(id) }), event: JSON.parse(data) as SessionEvent };
}
