import type { Model, ModelPart } from '@bae/core';
import { renderNativeCall, type MessageMedia } from './native/native-tools.ts';
import type { ModelSettings } from './provider-settings.ts';
import { CallCount, toLastParts, type FinishReport } from './read-stream.ts';
import {
  getNumber,
  getObject,
  isRecord,
  joinMessages,
  makeUnreadableError,
  wireModel,
  type Accepted,
  type Fields,
  type JoinedMessage,
  type WireReader,
} from './wire-model.ts';

/** Service with OpenAI's chat format, and the model to use there. */
export interface ChatService extends ModelSettings {
  /** Name shown to people: `ollama/qwen3`. */
  readonly name: string;
  readonly model: string;
  /** Base URL without a trailing slash: `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Environment variable that contains the key, named in the error if the service refuses it. */
  readonly keyVariable?: string;
  /** Input that the model accepts in addition to text. Default: none. */
  readonly accepts?: readonly Accepted[] | undefined;
}

/** Names of models of OpenAI that refuse `max_tokens`; other services may know nothing else. */
const HAS_COMPLETION_TOKENS = /^(?:o\d+(?!\w)|gpt-(?:[5-9]|\d{2}))/;

/** Makes a model of a service with OpenAI's chat format (https://platform.openai.com/docs/api-reference/chat). */
export function chatModel(service: ChatService): Model {
  const { name, model, baseUrl, apiKey, accepts = [] } = service;
  return wireModel(service, {
    makeRequest: (messages) => ({
      url: `${baseUrl}/chat/completions`,
      headers: { ...service.headers, ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
      body: {
        model,
        messages: joinMessages(messages, accepts).map(toChatMessage),
        stream: true,
        stream_options: { include_usage: true },
        temperature: service.temperature,
        [HAS_COMPLETION_TOKENS.test(model) ? 'max_completion_tokens' : 'max_tokens']: service.maxOutputTokens,
        stop: service.stop,
        reasoning_effort: service.reasoning,
      },
    }),
    createReader: () => new ChatReader(name),
  });
}

function toChatMessage({ role, content, media }: JoinedMessage) {
  const parts = media.flatMap((one) => toChatPart(one) ?? []);
  return { role, content: parts.length === 0 ? content : [{ type: 'text', text: content }, ...parts] };
}

const SOUNDS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
};

/** Converts media to a part of a message; undefined if the format has no such part. */
function toChatPart({ type, mediaType, name = 'file', data = '' }: MessageMedia): object | undefined {
  const url = `data:${mediaType};base64,${data}`;
  if (type === 'image') return { type: 'image_url', image_url: { url } };
  const format = SOUNDS[mediaType];
  if (format !== undefined) return { type: 'input_audio', input_audio: { data, format } };
  return type === 'file' ? { type: 'file', file: { filename: name, file_data: url } } : undefined;
}

class ChatReader implements WireReader {
  readonly #name: string;
  readonly #count: CallCount;
  readonly #calls: { name: string; input: string }[] = [];
  #reason: string | undefined;
  #usage: FinishReport['usage'] = {};

  constructor(name: string) {
    this.#name = name;
    this.#count = new CallCount(name);
  }

  read(chunk: Fields): string {
    if (isRecord(chunk['usage'])) this.#usage = toTokenCounts(chunk['usage']);
    const { choices } = chunk;
    if (choices === undefined || choices === null) return '';
    if (!Array.isArray(choices)) throw makeUnreadableError(this.#name);
    const choice: unknown = choices[0];
    if (choice === undefined) return '';
    if (!isRecord(choice)) throw makeUnreadableError(this.#name);
    const { finish_reason: reason, delta } = choice;
    if (typeof reason === 'string' && reason !== '') this.#reason = reason;
    if (delta === undefined || delta === null) return '';
    if (!isRecord(delta)) throw makeUnreadableError(this.#name);
    const { content, tool_calls: calls } = delta;
    if (Array.isArray(calls)) for (const call of calls as readonly unknown[]) this.#readCall(call);
    if (typeof content === 'string') return content;
    if (content !== undefined && content !== null) throw makeUnreadableError(this.#name);
    return '';
  }

  finish(): readonly ModelPart[] {
    const parts: ModelPart[] = this.#calls.map(({ name, input }) => ({
      type: 'text-delta',
      text: `\n${renderNativeCall(name, input)}\n`,
    }));
    const unified = REASONS[this.#reason ?? ''] ?? 'other';
    const report = { finishReason: { unified, raw: this.#reason }, usage: this.#usage };
    return [...parts, ...toLastParts(report, this.#name, parts.length > 0)];
  }

  #readCall(call: unknown): void {
    const part = getObject(call, 'function');
    const index = isRecord(call) && typeof call['index'] === 'number' ? call['index'] : this.#calls.length;
    if (part === undefined || index > this.#calls.length) throw makeUnreadableError(this.#name);
    this.#count.add(index);
    const known = (this.#calls[index] ??= { name: '', input: '' });
    if (typeof part['name'] === 'string') known.name += part['name'];
    if (typeof part['arguments'] === 'string') known.input += part['arguments'];
  }
}

const REASONS: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
};

function toTokenCounts(usage: Fields): FinishReport['usage'] {
  return {
    inputTokens: {
      total: getNumber(usage, 'prompt_tokens'),
      cacheRead: getNumber(getObject(usage, 'prompt_tokens_details'), 'cached_tokens'),
    },
    outputTokens: getNumber(usage, 'completion_tokens'),
  };
}
