import { ModelError } from '@bae/core';

/** Maximum length of a line of a response and of a whole response, in bytes after decompression. */
export const LONGEST_LINE = 8 * 1024 * 1024;
/** Maximum number of lines of data in one event; services send one. */
export const MOST_LINES = 1000;
export const LONGEST_BODY = 64 * 1024 * 1024;
/** Approximate maximum length of the explanation of a refused request that is read, in characters. */
const LONGEST_REFUSAL = 64 * 1024;
const MOST_REDIRECTS = 5;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
/** First byte of `data:`. */
const DATA = 100;

/**
 * Works like `fetch`, but sends nothing to an origin other than the requested one. A body fails at the first bytes that
 * are not UTF-8, and if it or one of its lines is too long.
 *
 * A redirect would pass on the key and the whole conversation. Parsers of event streams would continue with a
 * replacement character, so that damaged text would look as if the model had written it, and would keep an endless line
 * in memory.
 *
 * @throws ModelError for a redirect to another origin, and for too many redirects
 */
export const readableFetch: typeof fetch = async (input, init) => {
  const response = await fetchFromOrigin(input, init);
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const body = response.ok
    ? response.body.pipeThrough(checkBody(isEventStream(headers)))
    : await readRefusal(response.body);
  return new Response(body, { status, statusText, headers });
};

/** Reads the beginning of the explanation of a refused request, which may have no end. */
export async function readRefusal(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > LONGEST_REFUSAL) break;
  }
  return text;
}

/** Works like `fetch`, but sends nothing to another origin. @throws ModelError for a redirect that would */
async function fetchFromOrigin(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
  const redirects = new Redirects(input instanceof Request ? input.url : input);
  for (let request = input; ;) {
    const response = await globalThis.fetch(request, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!isRedirect(response.status, location)) return response;
    await response.body?.cancel();
    request = redirects.follow(response.status, location);
  }
}

/** Returns true for a response that redirects to another address. */
export function isRedirect(status: number, location: string | null | undefined): location is string {
  return status >= 300 && status <= 399 && typeof location === 'string';
}

/** Redirects of one request. They are followed only within its origin, a few times, and with the complete request. */
export class Redirects {
  readonly #origin: string;
  #url: URL;
  #left = MOST_REDIRECTS;

  constructor(url: string | URL) {
    this.#url = new URL(url);
    this.#origin = this.#url.origin;
  }

  /**
   * Returns the target of a redirect. @throws ModelError for another origin, a request that would be lost, or too many
   */
  follow(status: number, location: string): URL {
    this.#url = new URL(location, this.#url);
    const { origin, pathname } = this.#url;
    if (origin !== this.#origin)
      throw new ModelError(`${this.#origin} redirects to ${origin}; nothing was sent there.`, {
        hints: ['set the address of the service itself, with --base-url or baseUrl'],
      });
    // Other redirects would drop the body of the request.
    if (status !== 307 && status !== 308)
      throw new ModelError(`${origin} answers with a redirect (${status}) to ${pathname}.`, {
        hints: ['set the address of the service itself, with --base-url or baseUrl'],
      });
    if (this.#left-- > 0) return this.#url;
    throw new ModelError(`${origin} redirects more than ${MOST_REDIRECTS} times.`, {
      hints: ['check the address of the service'],
      retryable: true,
    });
  }
}

function isEventStream(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** Passes on a body while it is UTF-8 and of an acceptable length, as are its events. */
function checkBody(hasEvents: boolean): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const countLines = hasEvents ? createLineCount() : undefined;
  let total = 0;
  let line = 0;
  return new TransformStream({
    transform(bytes, controller) {
      total += bytes.length;
      const last = bytes.lastIndexOf(LINE_FEED);
      // Only the bytes after the last line feed belong to the next line.
      line = last === -1 ? line + bytes.length : bytes.length - last - 1;
      if (line > LONGEST_LINE) throw makeLengthError('a line of the response', LONGEST_LINE);
      if (total > LONGEST_BODY) throw makeLengthError('the response', LONGEST_BODY);
      countLines?.(bytes);
      decoder.decode(bytes, { stream: true });
      controller.enqueue(bytes);
    },
    flush: () => void decoder.decode(),
  });
}

/** Creates a function that reads the bytes of events. It throws a ModelError for one that has too many lines of data. */
function createLineCount(): (bytes: Uint8Array) => void {
  let lines = 0;
  /** First byte of the current line; undefined at its start. */
  let first: number | undefined;
  return (bytes) => {
    for (let from = 0; from < bytes.length;) {
      first ??= bytes[from];
      const end = bytes.indexOf(LINE_FEED, from);
      if (end === -1) return;
      if (first === LINE_FEED || first === CARRIAGE_RETURN) lines = 0;
      else if (first === DATA && ++lines > MOST_LINES) throw makeLinesError();
      first = undefined;
      from = end + 1;
    }
  };
}

/** Creates the error for an event with too many lines. */
export function makeLinesError(): ModelError {
  return new ModelError(`an event of the response has more than ${MOST_LINES} lines; nothing of it was executed.`, {
    hints: ['ask for a shorter answer'],
  });
}

/** Creates the error for a response that is too long. */
export function makeLengthError(what: string, most: number): ModelError {
  return new ModelError(`${what} is longer than ${most / 1024 / 1024} MB; nothing of it was executed.`, {
    hints: ['ask for a shorter answer'],
  });
}
