import { RedirectError, shortenAddress } from './http-failure.ts';

/** Maximum length of a message of a server, in bytes after decompression. */
const LONGEST_MESSAGE = 64 * 1024 * 1024;
/** That of an event in a stream. */
const LONGEST_EVENT = 16 * 1024 * 1024;

/** Ends of an event in a stream. */
const ENDS = ['\n\n', '\n\r\n', '\r\r'];
const LONGEST_END = 3;

/**
 * Works like `fetch`, but a body fails at a message that is too long, which would otherwise be kept in memory: a whole
 * response, or one event of a stream.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  // Where a redirect leads is only known if it is not an error.
  const isStrict = init?.redirect === 'error';
  const response = await globalThis.fetch(input, isStrict ? { ...init, redirect: 'manual' } : init);
  const { status, statusText, headers, body } = response;
  const location = headers.get('location');
  if (isStrict && status >= 300 && status <= 399 && location !== null) {
    await body?.cancel();
    const from = String(input instanceof Request ? input.url : input);
    throw new RedirectError(shortenAddress(URL.canParse(location, from) ? new URL(location, from).href : ''));
  }
  if (body === null || (status >= 300 && status <= 399)) return response;
  const isStream = headers.get('content-type')?.includes('text/event-stream') === true;
  return new Response(body.pipeThrough(limitMessages(isStream)), { status, statusText, headers });
};

/**
 * Creates a `fetch` for a server, which also sends the headers of its settings nowhere else: they may hold keys, and the
 * server may name another one for its logins.
 */
export function makeServerFetch(url: string, headers: Readonly<Record<string, string>>): typeof fetch {
  const { origin } = new URL(url);
  return (input, init) => {
    const to = new URL(input instanceof Request ? input.url : input);
    if (to.origin === origin) return boundedFetch(input, init);
    const others = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) {
      // One with the same name in another case was appended to it.
      const rest = others
        .get(name)
        ?.replace(value.trim(), '')
        .replaceAll(/^, |, $/g, '');
      if (rest) others.set(name, rest);
      else others.delete(name);
    }
    return boundedFetch(input, { ...init, headers: others });
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

function limitMessages(isStream: boolean): TransformStream<Bytes, Bytes> {
  if (isStream) return joinEvents();
  let length = 0;
  return new TransformStream({
    transform(bytes, controller) {
      length += bytes.length;
      if (length > LONGEST_MESSAGE) throw makeMessageError(LONGEST_MESSAGE);
      controller.enqueue(bytes);
    },
  });
}

/** Passes on only whole events: with each part of one, a reader would go through all of it again. */
function joinEvents(): TransformStream<Bytes, Bytes> {
  const held = new HeldBytes();
  let before = '';
  return new TransformStream({
    transform(bytes, controller) {
      // An end may be divided between two parts.
      const text = before + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
      const ends = ENDS.filter((end) => text.includes(end)).map((end) => text.lastIndexOf(end) + end.length);
      const split = Math.max(0, ...ends) - before.length;
      before = text.slice(1 - LONGEST_END);
      if (split > 0) {
        held.add(bytes.subarray(0, split));
        controller.enqueue(held.take());
      }
      held.add(bytes.subarray(Math.max(0, split)));
      if (held.length > LONGEST_EVENT) throw makeMessageError(LONGEST_EVENT);
    },
    flush(controller) {
      if (held.length > 0) controller.enqueue(held.take());
    },
  });
}

/** Bytes in one block that grows: thousands of small parts would take much more memory than what is in them. */
class HeldBytes {
  length = 0;
  #block: Bytes = new Uint8Array();

  add(bytes: Bytes): void {
    const needed = this.length + bytes.length;
    if (needed > this.#block.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(this.#block.subarray(0, this.length));
      this.#block = larger;
    }
    this.#block.set(bytes, this.length);
    this.length = needed;
  }

  take(): Bytes {
    const taken = this.#block.subarray(0, this.length);
    this.#block = new Uint8Array();
    this.length = 0;
    return taken;
  }
}

function makeMessageError(most: number): Error {
  return new Error(`it sent a message of more than ${most / 1024 / 1024} MB`);
}
