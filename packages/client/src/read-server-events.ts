import type { SessionEvent, StreamedEvent } from './api.ts';
import { readBodyLines } from './read-body.ts';

/**
 * Reads server-sent events whose data is JSON on one line. Messages without data, such as heartbeats, are skipped, and
 * so is an event that is not terminated by an empty line, because it is incomplete.
 *
 * @throws TooLongError for a line that is too long; the error of the stream if it breaks
 */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, void> {
  let id: string | undefined;
  let data: string | undefined;
  for await (const line of readBodyLines(body)) {
    if (line.startsWith('id: ')) id = line.slice(4);
    if (line.startsWith('data: ')) data = line.slice(6);
    if (line !== '') continue;
    if (data !== undefined)
      yield { ...(id !== undefined && { seq: Number(id) }), event: JSON.parse(data) as SessionEvent };
    id = data = undefined;
  }
}
