import type { LanguageModelV2, LanguageModelV3, LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { Message, Model } from '@bae/core';
import { readStream, type StreamPart } from './read-stream.ts';
import { toModelError } from './to-model-error.ts';
import { toPrompt } from './to-prompt.ts';

/** A language model of any AI SDK provider, of the current generation or the two before it. */
export type AiSdkLanguageModel = LanguageModelV4 | LanguageModelV3 | LanguageModelV2;

/** How an AI SDK model is presented and asked. */
export interface AiSdkModelOptions {
  /** What people see. Default: `provider/model`, from the model itself. */
  readonly name?: string;
  /** Environment variable that holds the key, named when the service refuses it. */
  readonly keyVariable?: string;
  /** Tokens a response may have. Default: the provider's own limit. */
  readonly maxOutputTokens?: number;
  /** Passed to the provider as it is. */
  readonly providerOptions?: SharedV4ProviderOptions;
}

/** What is asked of a model, in words that all generations understand. */
interface StreamingModel {
  doStream(options: object): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

/** Makes a bae model of an AI SDK language model that is loaded when it is asked. */
export function lazyAiSdkModel(
  name: string,
  load: () => Promise<AiSdkLanguageModel>,
  options: AiSdkModelOptions = {},
): Model {
  return {
    name,
    async *respond(messages, { signal, ...asked }) {
      // Aborted when the consumer is done, too, so that no request outlives its iteration.
      const request = new AbortController();
      const cancel = (): void => request.abort(signal.reason);
      if (signal.aborted) cancel();
      signal.addEventListener('abort', cancel, { once: true });
      try {
        const stream = await openStream({ load, messages, options, signal: request.signal });
        if (yield* readStream(stream, { ...asked, signal: request.signal }, name)) return;
      } catch (error) {
        if (!signal.aborted) {
          yield { type: 'error', error: toModelError(error, { ...options, name }) };
          return;
        }
      } finally {
        signal.removeEventListener('abort', cancel);
        request.abort();
      }
      yield { type: 'end', reason: 'cancelled' };
    },
  };
}

interface Opening {
  readonly load: () => Promise<AiSdkLanguageModel>;
  readonly messages: readonly Message[];
  readonly options: AiSdkModelOptions;
  readonly signal: AbortSignal;
}

async function openStream({ load, messages, options, signal }: Opening): Promise<ReadableStream<StreamPart>> {
  const model: StreamingModel = await untilAborted(load(), signal);
  const opening = model.doStream({
    prompt: toPrompt(messages),
    abortSignal: signal,
    includeRawChunks: true,
    ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens }),
    ...(options.providerOptions === undefined ? {} : { providerOptions: options.providerOptions }),
  });
  try {
    const { stream } = await untilAborted(opening, signal);
    return stream as ReadableStream<StreamPart>;
  } catch (error) {
    // A model that takes no notice of the signal may still deliver a stream that nobody reads.
    opening.then(
      ({ stream }) => void stream.cancel().catch(() => undefined),
      () => undefined,
    );
    throw error;
  }
}

function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => reject(signal.reason as Error);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    work.then(resolve, reject);
  });
}
