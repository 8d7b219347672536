import type { ServerResponse } from 'node:http';
import type { WireFormat } from './wire-format.ts';
import type { WireReply } from './wire-reply.ts';

/** Gives one reply, well or with its fault. Settles when the last byte is handed over. */
export async function deliverReply(response: ServerResponse, format: WireFormat, reply: WireReply): Promise<void> {
  const { fault } = reply;
  if (fault?.kind === 'no-answer') {
    response.destroy();
    return;
  }
  if (fault?.kind === 'status') {
    response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
    response.end(format.errorBody(`the wire server was told to answer ${fault.status}`));
    return;
  }
  response.writeHead(200, {
    'content-type': fault?.kind === 'content-type' ? fault.value : 'text/event-stream',
    'cache-control': 'no-cache',
  });
  response.flushHeaders();
  await deliverBody(response, replyBody(format, reply), reply);
}

/** Bytes of a whole reply with the faults that are in its text. */
export function replyBody(format: WireFormat, reply: WireReply): Buffer {
  const { fault } = reply;
  if (fault?.kind === 'garbage') return Buffer.from(fault.body);
  const events = [...format.events(reply)];
  if (fault?.kind === 'corrupt') {
    const event = events[fault.event];
    if (event === undefined) throw new RangeError(`the reply has ${events.length} events, so no event ${fault.event}`);
    events[fault.event] = cutJson(event);
  }
  if (fault?.kind === 'error-event') events.splice(fault.event, 0, format.errorEvent('the wire server is overloaded'));
  return Buffer.from(events.join(''));
}

async function deliverBody(response: ServerResponse, body: Buffer, { fault }: WireReply): Promise<void> {
  switch (fault?.kind) {
    case 'cut':
      await write(response, body.subarray(0, fault.after));
      response.destroy();
      return;
    case 'short':
      response.end(body.subarray(0, fault.after));
      return;
    case 'stall':
      await write(response, body.subarray(0, fault.after));
      return;
    case 'one-byte':
      // A macrotask in between, or the bytes would travel in one packet.
      for (const byte of body) {
        await write(response, Buffer.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
      return;
    default:
      response.end(body);
  }
}

function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (bytes.length === 0 || response.destroyed) resolve();
    else response.write(bytes, () => resolve());
  });
}

/** An event whose JSON ends in the middle. */
function cutJson(event: string): string {
  return event.replace(/(data: .*).{3}\n\n$/s, '$1\n\n');
}
