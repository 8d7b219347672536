import type {
  LanguageModelV2,
  LanguageModelV3,
  LanguageModelV4,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { Message, Model } from '@bae/core';
import { NATIVE_TOOLS, toFilePart, toToolPrompt, type CallProtocol } from './native-tools.ts';
import type { ModelSettings } from './provider-settings.ts';
import { readStream, type StreamPart } from './read-stream.ts';
import { toModelError } from './to-model-error.ts';
import { canTakeIn, type Accepted } from './wire-model.ts';

/** A language model of any AI SDK provider, of the current generation or the two before it. */
export type AiSdkLanguageModel = LanguageModelV4 | LanguageModelV3 | LanguageModelV2;

/** How an AI SDK model is named and called. */
export interface AiSdkModelOptions extends ModelSettings {
  /** What people see. Default: `provider/model`, from the model itself. */
  readonly name?: string;
  /** Environment variable that holds the key, named when the service refuses it. */
  readonly keyVariable?: string;
  /** How it calls tools. Default: `auto`. */
  readonly protocol?: CallProtocol | undefined;
  /** What the model takes in besides text. Default: nothing. */
  readonly accepts?: readonly Accepted[] | undefined;
  /** Passed to the provider as it is. */
  readonly providerOptions?: SharedV4ProviderOptions;
}

/**
 * Makes a bae model of an AI SDK language model.
 *
 * A stream is passed on only up to its first error, whatever the SDK reports after it, and one that closes
 * without a finish is an error, not an end.
 */
export function aiSdkModel(model: AiSdkLanguageModel, options: AiSdkModelOptions = {}): Model {
  const name = options.name ?? `${model.provider.split('.')[0]}/${model.modelId}`;
  return makeLazyModel(name, () => Promise.resolve(model), options);
}

/** Makes a bae model of an AI SDK language model that is loaded on its first request. */
export function makeLazyModel(
  name: string,
  load: () => Promise<AiSdkLanguageModel>,
  options: AiSdkModelOptions = {},
): Model {
  let loading: Promise<AiSdkLanguageModel> | undefined;
  // Once: a provider builds the schemas of its chunks when it is made.
  const loadOnce = (): Promise<AiSdkLanguageModel> =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  return {
    name,
    async *respond(messages, { signal, ...asked }) {
      // Aborted when the consumer is done, too, so that no request outlives its iteration.
      const done = new AbortController();
      const either = AbortSignal.any([signal, done.signal]);
      try {
        const stream = await openStream({ load: loadOnce, messages, options, signal: either });
        if (yield* readStream(stream, { ...asked, signal: either }, name)) return;
      } catch (error) {
        if (!signal.aborted) {
          yield { type: 'error', error: toModelError(error, { ...options, name }) };
          return;
        }
      } finally {
        done.abort();
      }
      yield { type: 'end', reason: 'cancelled' };
    },
  };
}

/** The part of a model that all generations share. */
interface StreamingModel {
  doStream(options: object): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

interface StreamRequest {
  readonly load: () => Promise<AiSdkLanguageModel>;
  readonly messages: readonly Message[];
  readonly options: AiSdkModelOptions;
  readonly signal: AbortSignal;
}

async function openStream({ load, messages, options, signal }: StreamRequest): Promise<ReadableStream<StreamPart>> {
  const { providerOptions, protocol, accepts = [], temperature, maxOutputTokens, stop, reasoning, headers } = options;
  const hasTools = protocol === 'tools';
  const model: StreamingModel = await rejectOnAbort(load(), signal);
  const accepted = keepAccepted(messages, accepts);
  const isTagged = (model as Partial<AiSdkLanguageModel>).specificationVersion === 'v4';
  const opening = model.doStream({
    prompt: hasTools ? toToolPrompt(accepted, isTagged) : toPrompt(accepted, isTagged),
    ...(hasTools && { tools: NATIVE_TOOLS, toolChoice: { type: 'auto' } }),
    abortSignal: signal,
    includeRawChunks: true,
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(stop !== undefined && { stopSequences: stop }),
    ...(reasoning !== undefined && { reasoning }),
    ...(headers !== undefined && { headers }),
    ...(providerOptions !== undefined && { providerOptions }),
  });
  try {
    const { stream } = await rejectOnAbort(opening, signal);
    return stream as ReadableStream<StreamPart>;
  } catch (error) {
    // A model that ignores the signal may still deliver a stream that nobody reads.
    opening.then(
      ({ stream }) => void stream.cancel().catch(() => undefined),
      () => undefined,
    );
    throw error;
  }
}

/**
 * A conversation in the form the AI SDK takes.
 *
 * Blank messages are left out, because several services refuse a request that has one. Consecutive messages of
 * one side, as a failed turn leaves them, become one message of several parts, because several services insist
 * on alternating sides.
 */
function toPrompt(messages: readonly Message[], isTagged: boolean): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  for (const { role, text, media = [] } of messages) {
    if (text.trim() === '') continue;
    const content = [{ type: 'text' as const, text }, ...media.map((one) => toFilePart(one, isTagged))];
    const before = prompt.at(-1);
    if (role === 'system') prompt.push({ role, content: text });
    else if (before?.role === role) before.content.push(...content);
    else prompt.push({ role, content });
  }
  return prompt;
}

/** Messages with that of their media which a model takes in. */
function keepAccepted(messages: readonly Message[], accepts: readonly Accepted[]): readonly Message[] {
  if (messages.every(({ media }) => media === undefined)) return messages;
  return messages.map(({ media = [], ...message }) => {
    const accepted = media.filter((one) => canTakeIn(one, accepts));
    return accepted.length === 0 ? message : { ...message, media: accepted };
  });
}

function rejectOnAbort<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => reject(signal.reason as Error);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    work.then(resolve, reject);
  });
}
