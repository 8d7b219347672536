/**
 * `fetch`, except that a body that is not UTF-8 breaks off where it stops being so.
 *
 * What reads streams of events puts a replacement character there and goes on, so that a damaged name or
 * text would look like one the model had written.
 */
export const readableFetch: typeof fetch = async (input, init) => {
  const response = await globalThis.fetch(input, init);
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(onlyUtf8()), { status, statusText, headers });
};

function onlyUtf8(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return new TransformStream({
    transform(bytes, controller) {
      decoder.decode(bytes, { stream: true });
      controller.enqueue(bytes);
    },
    flush: () => void decoder.decode(),
  });
}
