import type {
  LanguageModelV2,
  LanguageModelV3,
  LanguageModelV4,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { Message, Model } from '@bae/core';
import { NATIVE_TOOLS, toFilePart, toToolPrompt, type CallProtocol } from './native/native-tools.ts';
import type { ModelSettings } from './provider-settings.ts';
import { readStream, type StreamPart } from './read-stream.ts';
import { toModelError } from './to-model-error.ts';
import { canTakeIn, type Accepted } from './wire-model.ts';

/** Language model of any AI SDK provider, of the current generation or the two before it. */
export type AiSdkLanguageModel = LanguageModelV4 | LanguageModelV3 | LanguageModelV2;

/** Options for the name of an AI SDK model and for calling it. */
export interface AiSdkModelOptions extends ModelSettings {
  /** Name shown to people. Default: `provider/model`, from the model itself. */
  readonly name?: string;
  /** Environment variable that contains the key, named in the error if the service refuses it. */
  readonly keyVariable?: string;
  /** Format of tool calls. Default: `auto`. */
  readonly protocol?: CallProtocol | undefined;
  /** Input that the model accepts in addition to text. Default: none. */
  readonly accepts?: readonly Accepted[] | undefined;
  /** Options that are passed to the provider unchanged. */
  readonly providerOptions?: SharedV4ProviderOptions;
}

/**
 * Makes a bae model from an AI SDK language model.
 *
 * A stream is passed on only up to its first error, even if the SDK reports more after it. A stream that closes without
 * a finish is an error, not an end.
 */
export function aiSdkModel(model: AiSdkLanguageModel, options: AiSdkModelOptions = {}): Model {
  const name = options.name ?? `${model.provider.split('.')[0]}/${model.modelId}`;
  return makeLazyModel(name, () => Promise.resolve(model), options);
}

/** Makes a bae model from an AI SDK language model that is loaded on its first request. */
export function makeLazyModel(
  name: string,
  load: () => Promise<AiSdkLanguageModel>,
  options: AiSdkModelOptions = {},
): Model {
  let loading: Promise<AiSdkLanguageModel> | undefined;
  // Loaded once, because a provider builds the schemas of its chunks when it is created.
  const loadOnce = (): Promise<AiSdkLanguageModel> =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  return {
    name,
    async *respond(messages, { signal, ...asked }) {
      // Also aborted when the consumer is done, so that no request outlives its iteration.
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

/** Part of a model that all generations share. */
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
    // A model that ignores the signal may still return a stream that nobody reads.
    opening.then(
      ({ stream }) => void stream.cancel().catch(() => undefined),
      () => undefined,
    );
    throw error;
  }
}

/**
 * Converts a conversation to the format of the AI SDK.
 *
 * Blank messages are omitted, because several services refuse a request that contains one. Consecutive messages from
 * one side, as after a failed turn, become one message with several parts, because several services require alternating
 * sides.
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

/** Keeps only the media in messages that a model accepts. */
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
