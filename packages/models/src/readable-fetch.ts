import { ModelError } from '@bae/core';

/** Bytes of the longest line of a response, and of the longest response, once decompressed. */
export const LONGEST_LINE = 8 * 1024 * 1024;
export const LONGEST_BODY = 64 * 1024 * 1024;
/** Bytes of the explanation of a refused request that are read. */
const LONGEST_REFUSAL = 64 * 1024;
const MOST_REDIRECTS = 5;
const LINE_FEED = 10;

/**
 * `fetch`, except that it sends nothing to another origin than the one asked for, and that a body fails at the first
 * bytes that are not UTF-8, and where it or one of its lines is too long.
 *
 * A redirect would carry the key and the whole conversation along. Parsers of event streams would continue with a
 * replacement character, so that a damaged name or text would look like one the model had written, and would keep an
 * endless line in memory.
 *
 * @throws ModelError for a redirect to another origin, and for too many of them
 */
export const readableFetch: typeof fetch = async (input, init) => {
  const response = await fetchFromOrigin(input, init);
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const body = response.ok ? response.body.pipeThrough(checkBody()) : await readRefusal(response);
  return new Response(body, { status, statusText, headers });
};

/** The beginning of the explanation of a refused request: it may have no end. */
export async function readRefusal(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length <= LONGEST_REFUSAL) {
    const { value, done = true } = (await reader?.read()) ?? {};
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel().catch(() => undefined);
  return text;
}

/** `fetch`, except that it sends nothing to another origin. @throws ModelError for a redirect that would */
export async function fetchFromOrigin(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
  const first = new URL(input instanceof Request ? input.url : input);
  let url = first;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const request = redirects === 0 ? input : url;
    const response = await globalThis.fetch(request, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    url = new URL(location, url);
    if (url.origin !== first.origin)
      throw new ModelError(`${first.origin} redirects to ${url.origin}; nothing was sent there.`, {
        hints: ['set the address of the service itself, with --base-url or baseUrl'],
      });
    // The others would be asked without the request.
    if (response.status !== 307 && response.status !== 308)
      throw new ModelError(`${first.origin} answers with a redirect (${response.status}) to ${url.pathname}.`, {
        hints: ['set the address of the service itself, with --base-url or baseUrl'],
      });
  }
  throw new ModelError(`${first.origin} redirects more than ${MOST_REDIRECTS} times.`, {
    hints: ['check the address of the service'],
    retryable: true,
  });
}

/** Passes a body on as long as it is UTF-8 and of a sensible length. */
function checkBody(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let total = 0;
  let line = 0;
  return new TransformStream({
    transform(bytes, controller) {
      total += bytes.length;
      const last = bytes.lastIndexOf(LINE_FEED);
      // A line that ends in these bytes has at most them added.
      line = last === -1 ? line + bytes.length : bytes.length - last - 1;
      if (line > LONGEST_LINE) throw makeLengthError('a line of the response', LONGEST_LINE);
      if (total > LONGEST_BODY) throw makeLengthError('the response', LONGEST_BODY);
      decoder.decode(bytes, { stream: true });
      controller.enqueue(bytes);
    },
    flush: () => void decoder.decode(),
  });
}

/** Says that a response is too long. */
export function makeLengthError(what: string, most: number): ModelError {
  return new ModelError(`${what} is longer than ${most / 1024 / 1024} MB; nothing of it was executed.`, {
    hints: ['ask for a shorter answer'],
  });
}
