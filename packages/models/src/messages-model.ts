import type { Message, Model, ModelPart } from '@bae/core';
import { renderNativeCall } from './native/native-tools.ts';
import type { ModelSettings } from './provider-settings.ts';
import { CallCount, toLastParts } from './read-stream.ts';
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

/** Service with Anthropic's messages format, and the model to use there. */
export interface MessagesService extends ModelSettings {
  /** Name shown to people: `anthropic/claude-sonnet-5-5`. */
  readonly name: string;
  readonly model: string;
  /** Base URL with `/v1`, and without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Environment variable that contains the key, named in the error if the service refuses it. */
  readonly keyVariable?: string;
  /** Input that the model accepts in addition to text. Default: none. */
  readonly accepts?: readonly Accepted[];
}

/**
 * Makes a model of a service with Anthropic's messages format (https://docs.anthropic.com/en/api/messages-streaming).
 * The unchanged beginning of a conversation is cached by the service.
 */
export function messagesModel(service: MessagesService): Model {
  const { name, model, baseUrl, apiKey, accepts = [] } = service;
  return wireModel(service, {
    makeRequest: (messages) => ({
      url: `${baseUrl}/messages`,
      headers: { ...service.headers, 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
      body: {
        model,
        max_tokens: service.maxOutputTokens ?? getLongestResponse(model),
        temperature: service.temperature,
        stop_sequences: service.stop,
        ...toThinking(service.reasoning),
        stream: true,
        cache_control: { type: 'ephemeral' },
        ...toConversation(messages, accepts),
      },
    }),
    createReader: () => new MessagesReader(name),
  });
}

/** Maximum length of a response, in tokens, by the beginning of the model's name; a request must specify it. */
const LONGEST_RESPONSES: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/claude-(?:opus|sonnet|haiku|fable)-(?:[5-9]|\d\d)/, 128_000],
  [/claude-(?:opus|sonnet)-4-[6-9]/, 128_000],
  [/claude-(?:opus|sonnet|haiku)-4-5/, 64_000],
  [/claude-sonnet-4/, 64_000],
  [/claude-opus-4/, 32_000],
  [/claude-3-7/, 64_000],
  [/claude-3-5/, 8192],
];
const SHORTEST_RESPONSE = 4096;

function getLongestResponse(model: string): number {
  return LONGEST_RESPONSES.find(([name]) => name.test(model))?.[1] ?? SHORTEST_RESPONSE;
}

/** Converts the reasoning setting to an effort; `none` disables thinking, which is a separate option. */
function toThinking(reasoning: ModelSettings['reasoning']): object {
  if (reasoning === undefined) return {};
  return reasoning === 'none' ? { thinking: { type: 'disabled' } } : { output_config: { effort: reasoning } };
}

function toConversation(messages: readonly Message[], accepts: readonly Accepted[]) {
  const joined = joinMessages(messages, accepts);
  const system = joined.filter(({ role }) => role === 'system').map(({ content }) => ({ type: 'text', text: content }));
  const others = joined.filter(({ role }) => role !== 'system').map(toMessage);
  return { ...(system.length > 0 && { system }), messages: others };
}

function toMessage({ role, content, media }: JoinedMessage) {
  const parts = media.map(({ type, mediaType, data }) => {
    const source = { type: 'base64', media_type: mediaType, data };
    return { type: type === 'image' ? 'image' : 'document', source };
  });
  return { role, content: parts.length === 0 ? content : [...parts, { type: 'text', text: content }] };
}

/** Part of a response: text, thoughts, or a function call. */
interface Block {
  readonly type: string;
  readonly name: string;
  input: string;
}

class MessagesReader implements WireReader {
  readonly #name: string;
  readonly #count: CallCount;
  readonly #blocks = new Map<unknown, Block>();
  #reason: string | undefined;
  #usage: Fields = {};

  constructor(name: string) {
    this.#name = name;
    this.#count = new CallCount(name);
  }

  read(chunk: Fields): string {
    switch (chunk['type']) {
      case 'message_start':
        this.#addUsage(getObject(getObject(chunk, 'message'), 'usage'));
        return '';
      case 'content_block_start':
        return this.#startBlock(chunk['index'], getObject(chunk, 'content_block'));
      case 'content_block_delta':
        return this.#readDelta(this.#blocks.get(chunk['index']), getObject(chunk, 'delta'));
      case 'message_delta': {
        const reason = getObject(chunk, 'delta')?.['stop_reason'];
        if (typeof reason === 'string' && reason !== '') this.#reason = reason;
        this.#addUsage(getObject(chunk, 'usage'));
        return '';
      }
      default:
        // A ping, or an event of a later version of the service.
        return '';
    }
  }

  finish(): readonly ModelPart[] {
    const calls = Array.from(this.#blocks.values()).filter(({ type }) => type === 'tool_use');
    const parts: ModelPart[] = calls.map(({ name, input }) => ({
      type: 'text-delta',
      text: `\n${renderNativeCall(name, input)}\n`,
    }));
    const unified = REASONS[this.#reason ?? ''] ?? 'other';
    const cacheRead = getNumber(this.#usage, 'cache_read_input_tokens');
    const written = getNumber(this.#usage, 'cache_creation_input_tokens') ?? 0;
    const usage = {
      inputTokens: { total: (getNumber(this.#usage, 'input_tokens') ?? 0) + (cacheRead ?? 0) + written, cacheRead },
      outputTokens: getNumber(this.#usage, 'output_tokens'),
    };
    const report = { finishReason: { unified, raw: this.#reason }, usage };
    return [...parts, ...toLastParts(report, this.#name, parts.length > 0)];
  }

  /** Merges the token counts, because later ones cover the whole response so far. */
  #addUsage(usage: Fields | undefined): void {
    const known = Object.entries(usage ?? {}).filter(([, count]) => typeof count === 'number');
    this.#usage = { ...this.#usage, ...Object.fromEntries(known) };
  }

  #startBlock(index: unknown, block: Fields | undefined): string {
    const { type, name, text } = block ?? {};
    if (typeof type !== 'string') throw makeUnreadableError(this.#name);
    this.#count.add(index);
    this.#blocks.set(index, { type, name: typeof name === 'string' ? name : '', input: '' });
    return type === 'text' && typeof text === 'string' ? text : '';
  }

  #readDelta(block: Block | undefined, delta: Fields | undefined): string {
    if (!isRecord(delta)) throw makeUnreadableError(this.#name);
    const { type, text, partial_json: json } = delta;
    if (type === 'text_delta') {
      // Text in a block of another kind is not part of the response.
      if (typeof text !== 'string' || block?.type !== 'text') throw makeUnreadableError(this.#name);
      return text;
    }
    if (type === 'input_json_delta') {
      if (typeof json !== 'string' || block === undefined) throw makeUnreadableError(this.#name);
      block.input += json;
    }
    return '';
  }
}

const REASONS: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
  tool_use: 'tool-calls',
};
