import type { ModelPart, ModelRequestOptions } from '@bae/core';
import { brokeOff, finishParts, type FinishReport } from './finish-parts.ts';
import { StreamOrder } from './stream-order.ts';

/** A part of a stream, as far as all generations agree on it. */
export type StreamPart =
  | { readonly type: 'text-delta'; readonly delta: string }
  | ({ readonly type: 'finish' } & FinishReport)
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'raw'; readonly rawValue: unknown }
  | { readonly type: 'other' };

/**
 * Reads the stream of an AI SDK model up to its finish.
 *
 * Nothing is passed on after the first error, whatever the SDK reports then: it follows an unreadable
 * chunk by a normal stop. The stream is cancelled in any case.
 *
 * @returns whether it came to its finish; false when the signal aborted
 * @throws what the stream reports as its error; ModelError when it closes before it is finished, or says
 *   more than it may
 */
export async function* readStream(
  stream: ReadableStream<StreamPart>,
  options: ModelRequestOptions,
  name: string,
): AsyncGenerator<ModelPart, boolean> {
  const { signal } = options;
  const reader = stream.getReader();
  const order = new StreamOrder(name);
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { value: part, done } = await reader.read();
      if (signal.aborted) return false;
      if (done) throw brokeOff(name);
      // Thoughts and pings are no text, but no silence either.
      options.alive?.();
      if (part.type === 'error') throw part.error;
      if (part.type === 'raw') order.see(part.rawValue);
      if (part.type === 'text-delta' && part.delta !== '') yield { type: 'text-delta', text: part.delta };
      if (part.type !== 'finish') continue;
      yield* finishParts(part, name);
      return true;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}
