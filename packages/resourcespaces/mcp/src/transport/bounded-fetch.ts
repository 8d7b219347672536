import { RedirectError, shortenAddress } from './http-failure.ts';

/** Maximum length of a message of a server, in bytes after decompression. */
const LONGEST_MESSAGE = 64 * 1024 * 1024;
/** That of an event in a stream: until its end, readers go through all of it again with every part that arrives. */
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

function limitMessages(isStream: boolean): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const most = isStream ? LONGEST_EVENT : LONGEST_MESSAGE;
  let length = 0;
  let before = '';
  return new TransformStream({
    transform(bytes, controller) {
      length += bytes.length;
      if (isStream) {
        // An end may be divided between two parts.
        const text = before + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
        const end = Math.max(...ENDS.map((one) => text.lastIndexOf(one)));
        if (end !== -1) length = text.length - end;
        before = text.slice(1 - LONGEST_END);
      }
      if (length > most) throw new Error(`it sent a message of more than ${most / 1024 / 1024} MB`);
      controller.enqueue(bytes);
    },
  });
}
