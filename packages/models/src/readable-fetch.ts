/**
 * `fetch`, except that a body fails at the first bytes that are not UTF-8.
 *
 * Parsers of event streams would continue with a replacement character, so that a damaged name or text would look
 * like one the model had written.
 */
export const readableFetch: typeof fetch = async (input, init) => {
  const response = await globalThis.fetch(input, init);
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(checkUtf8()), { status, statusText, headers });
};

function checkUtf8(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return new TransformStream({
    transform(bytes, controller) {
      decoder.decode(bytes, { stream: true });
      controller.enqueue(bytes);
    },
    flush: () => void decoder.decode(),
  });
}
