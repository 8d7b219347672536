import { ModelError, type Message, type Model, type ModelPart } from '@bae/core';
import { renderNativeCall } from './native-tools.ts';
import { brokenOffError, createOrderCheck, toLastParts, type FinishReport } from './read-stream.ts';
import { fetchFromOrigin, LONGEST_BODY, LONGEST_LINE, makeLengthError } from './readable-fetch.ts';
import { toModelError } from './to-model-error.ts';

/** A service with OpenAI's chat format, and the model that is asked there. */
export interface ChatService {
  /** What people see: `ollama/qwen3`. */
  readonly name: string;
  readonly model: string;
  /** Without a slash at its end: `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Environment variable that holds the key, named when the service refuses it. */
  readonly keyVariable?: string;
}

/**
 * A model of a service with OpenAI's chat format (https://platform.openai.com/docs/api-reference/chat), read from the
 * socket as it arrives. A stream is passed on only up to its first error, and one that closes without a finish is an
 * error, not an end.
 */
export function chatModel(service: ChatService): Model {
  const { name } = service;
  return {
    name,
    async *respond(messages, { signal, alive }) {
      let body: ReadableStreamDefaultReader<Uint8Array> | undefined;
      const cancel = (): void => void body?.cancel().catch(() => undefined);
      signal.addEventListener('abort', cancel, { once: true });
      try {
        body = (await postChat(service, messages, signal)).getReader();
        const response = new ChatResponse(name);
        for (;;) {
          const { value, done } = await body.read();
          if (signal.aborted) break;
          const text = response.read(value);
          // Thoughts and pings are not text, but the model is not idle either.
          if (!done) alive?.();
          if (text !== '') yield { type: 'text-delta', text };
          if (!done) continue;
          yield* response.finish();
          return;
        }
      } catch (error) {
        if (!signal.aborted) {
          yield { type: 'error', error: toModelError(error, service) };
          return;
        }
      } finally {
        signal.removeEventListener('abort', cancel);
        cancel();
      }
      yield { type: 'end', reason: 'cancelled' };
    },
  };
}

/** Most bytes of the explanation of a refused request. */
const LONGEST_REFUSAL = 64 * 1024;

async function postChat(
  { name, baseUrl, apiKey, model }: ChatService,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const request = { model, messages: toChat(messages), stream: true, stream_options: { include_usage: true } };
  const response = await fetchFromOrigin(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify(request),
    signal,
  });
  const { status, statusText, headers } = response;
  if (response.ok && response.body !== null) return response.body;
  if (response.ok) throw brokenOffError(name);
  const data = parseObject(await readRefusal(response, LONGEST_REFUSAL));
  const problem = getObject(data, 'error') ?? data;
  throw Object.assign(new Error(readMessage(problem['message']) ?? statusText), {
    statusCode: status,
    responseHeaders: Object.fromEntries(headers),
    data: { error: problem },
  });
}

/** Blank messages are left out, and those of one side put together: several services refuse a request with either. */
function toChat(messages: readonly Message[]): readonly { readonly role: string; readonly content: string }[] {
  const chat: { role: string; content: string }[] = [];
  for (const { role, text } of messages) {
    if (text.trim() === '') continue;
    const before = chat.at(-1);
    if (before?.role === role && role !== 'system') before.content += `\n\n${text}`;
    else chat.push({ role, content: text });
  }
  return chat;
}

async function readRefusal(response: Response, most: number): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done = true } = (await reader?.read()) ?? {};
    if (done || text.length > most) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel().catch(() => undefined);
  return text;
}

type Fields = Readonly<Record<string, unknown>>;

/** One response, taken apart as its bytes arrive: server-sent events with a JSON object each. */
class ChatResponse {
  readonly #name: string;
  readonly #checkOrder: (chunk: unknown) => void;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #calls: { name: string; input: string }[] = [];
  #bytes = 0;
  /** The beginning of a line whose end has not arrived. */
  #line = '';
  #event = '';
  #text = '';
  #reason: string | undefined;
  #usage: FinishReport['usage'] = {};

  constructor(name: string) {
    this.#name = name;
    this.#checkOrder = createOrderCheck(name);
  }

  /**
   * The text in the bytes.
   *
   * @param bytes undefined at the end
   * @throws when they are no UTF-8, too long, not in the format, or report an error
   */
  read(bytes: Uint8Array | undefined): string {
    this.#bytes += bytes?.length ?? 0;
    if (this.#bytes > LONGEST_BODY) throw makeLengthError('the response', LONGEST_BODY);
    this.#text = '';
    this.#line += this.#decoder.decode(bytes, { stream: bytes !== undefined });
    // What ends a line may be two characters, of which only one has arrived.
    const lines = this.#line.split(bytes === undefined ? /\r\n|\r|\n/ : /\r\n|\r(?!$)|\n/);
    this.#line = lines.pop()!;
    if (this.#line.length > LONGEST_LINE) throw makeLengthError('a line of the response', LONGEST_LINE);
    for (const line of lines) this.#readLine(line);
    return this.#text;
  }

  /** What comes last. @throws ModelError when the response is not complete */
  finish(): readonly ModelPart[] {
    const parts: ModelPart[] = this.#calls.map(({ name, input }) => ({
      type: 'text-delta',
      text: `\n${renderNativeCall(name, input)}\n`,
    }));
    const unified = REASONS[this.#reason ?? ''] ?? 'other';
    const report = { finishReason: { unified, raw: this.#reason }, usage: this.#usage };
    return [...parts, ...toLastParts(report, this.#name, parts.length > 0)];
  }

  #readLine(line: string): void {
    if (line === '') {
      if (this.#event !== '' && this.#event !== '[DONE]') this.#readChunk(this.#event);
      this.#event = '';
    } else if (line.startsWith('data:')) {
      const data = line.slice(line[5] === ' ' ? 6 : 5);
      this.#event = this.#event === '' ? data : `${this.#event}\n${data}`;
    }
  }

  #readChunk(json: string): void {
    const chunk: unknown = JSON.parse(json);
    if (!isRecord(chunk)) throw this.#unreadableError();
    if (chunk['error'] !== undefined && chunk['error'] !== null) throw toFault(chunk['error']);
    this.#checkOrder(chunk);
    if (isRecord(chunk['usage'])) this.#usage = toTokenCounts(chunk['usage']);
    const { choices } = chunk;
    if (choices === undefined || choices === null) return;
    if (!Array.isArray(choices)) throw this.#unreadableError();
    const choice: unknown = choices[0];
    if (choice === undefined) return;
    if (!isRecord(choice)) throw this.#unreadableError();
    const { finish_reason: reason, delta } = choice;
    if (typeof reason === 'string' && reason !== '') this.#reason = reason;
    if (delta === undefined || delta === null) return;
    if (!isRecord(delta)) throw this.#unreadableError();
    const { content, tool_calls: calls } = delta;
    if (typeof content === 'string') this.#text += content;
    else if (content !== undefined && content !== null) throw this.#unreadableError();
    if (Array.isArray(calls)) for (const call of calls as readonly unknown[]) this.#readCall(call);
  }

  #readCall(call: unknown): void {
    const part = getObject(call, 'function');
    const index = isRecord(call) && typeof call['index'] === 'number' ? call['index'] : this.#calls.length;
    if (part === undefined || index > this.#calls.length) throw this.#unreadableError();
    const known = (this.#calls[index] ??= { name: '', input: '' });
    if (typeof part['name'] === 'string') known.name += part['name'];
    if (typeof part['arguments'] === 'string') known.input += part['arguments'];
  }

  #unreadableError(): ModelError {
    return new ModelError(
      `${this.#name} sent something that cannot be read: it does not have the shape of a response.`,
      {
        retryable: true,
      },
    );
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
  const cached = getObject(usage, 'prompt_tokens_details')?.['cached_tokens'];
  return {
    inputTokens: { total: toCount(usage['prompt_tokens']), cacheRead: toCount(cached) },
    outputTokens: toCount(usage['completion_tokens']),
  };
}

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** An error that was sent in the stream: a text, or an object with a message. */
function toFault(error: unknown): unknown {
  return isRecord(error) ? Object.assign(new Error(readMessage(error['message']) ?? 'no reason given'), error) : error;
}

function readMessage(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function getObject(value: unknown, name: string): Fields | undefined {
  const field = isRecord(value) ? value[name] : undefined;
  return isRecord(field) ? field : undefined;
}

function parseObject(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return text.trim() === '' ? {} : { message: text.slice(0, 500) };
  }
}
