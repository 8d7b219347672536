import { ModelError, type EndReason, type ModelPart, type ModelRequestOptions, type Usage } from '@bae/core';
import { renderNativeCall } from './native/native-tools.ts';

/** Part of a stream, with the properties that all generations share. */
export type StreamPart =
  | { readonly type: 'text-delta'; readonly delta: string }
  | { readonly type: 'tool-call'; readonly toolName: string; readonly input: string }
  | ({ readonly type: 'finish' } & FinishReport)
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'raw'; readonly rawValue: unknown }
  | { readonly type: 'other' };

/** Last part of a stream. */
export interface FinishReport {
  /** Reason such as `stop`, or `{ unified: 'stop', raw: 'end_turn' }`. */
  readonly finishReason: string | { readonly unified: string; readonly raw: string | undefined };
  /** Token counts, as plain numbers or in detail; any of them may be missing. */
  readonly usage: {
    readonly inputTokens?: TokenCount;
    readonly outputTokens?: TokenCount;
    readonly cachedInputTokens?: number | undefined;
  };
}

type TokenCount = number | undefined | { readonly total?: number | undefined; readonly cacheRead?: number | undefined };

/**
 * Reads the stream of an AI SDK model up to its finish.
 *
 * Nothing is passed on after the first error, even if the SDK reports more: after an unreadable chunk it reports a
 * normal stop. The stream is always cancelled.
 *
 * @returns true when it reached its finish; false when the signal aborted
 * @throws the error reported by the stream; ModelError when it closes before it is finished, or has chunks after its
 * end
 */
export async function* readStream(
  stream: ReadableStream<StreamPart>,
  options: ModelRequestOptions,
  name: string,
): AsyncGenerator<ModelPart, boolean> {
  const { signal } = options;
  const reader = stream.getReader();
  const checkOrder = createOrderCheck(name);
  const count = new CallCount(name);
  let hasCalls = false;
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { value: part, done } = await reader.read();
      if (signal.aborted) return false;
      if (done) throw brokenOffError(name);
      // Thoughts and pings are not text, but they show that the model is not idle.
      options.alive?.();
      if (part.type === 'error') throw part.error;
      if (part.type === 'raw') {
        count.addChunk(part.rawValue);
        checkOrder(part.rawValue);
      }
      if (part.type === 'text-delta' && part.delta !== '') yield { type: 'text-delta', text: part.delta };
      if (part.type === 'tool-call') {
        hasCalls = true;
        yield { type: 'text-delta', text: `\n${renderNativeCall(part.toolName, part.input)}\n` };
      }
      if (part.type !== 'finish') continue;
      yield* toLastParts(part, name, hasCalls);
      return true;
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

const END_REASONS: ReadonlySet<string> = new Set<EndReason>(['stop', 'length', 'content-filter', 'error']);

/** Returns the usage and an `end`, or an error if the stream was interrupted. */
export function toLastParts(
  { finishReason, usage }: FinishReport,
  name: string,
  hasCalls: boolean,
): readonly ModelPart[] {
  const { unified, raw } =
    typeof finishReason === 'string' ? { unified: finishReason, raw: finishReason } : finishReason;
  const report: ModelPart = { type: 'usage', usage: toUsage(usage) };
  if (unified === 'interrupted' || (unified === 'other' && raw === undefined))
    return [report, { type: 'error', error: brokenOffError(name) }];
  // Anthropic's reason for a response that will continue; the SDK reports it as a stop.
  const isKnown = END_REASONS.has(unified) && raw !== 'pause_turn';
  // A response that ends in function calls is complete; if it contains none, something was lost.
  const reason = unified === 'tool-calls' && hasCalls ? 'stop' : isKnown ? (unified as EndReason) : 'other';
  return [report, { type: 'end', reason }];
}

/** Creates the error for a response without an end. */
export function brokenOffError(name: string): ModelError {
  return new ModelError(`the response of ${name} broke off before its end; nothing of it was executed.`, {
    retryable: true,
  });
}

function toUsage({ inputTokens, outputTokens, cachedInputTokens }: FinishReport['usage']): Usage {
  return {
    inputTokens: getTotal(inputTokens),
    outputTokens: getTotal(outputTokens),
    cachedTokens: (typeof inputTokens === 'object' ? inputTokens.cacheRead : cachedInputTokens) ?? 0,
  };
}

function getTotal(count: TokenCount): number {
  return (typeof count === 'object' ? count.total : count) ?? 0;
}

/** Most function calls of one response: SDKs keep each until its end. */
const MOST_CALLS = 1000;

/** Counts the function calls or blocks of one response by what identifies them. */
export class CallCount {
  readonly #name: string;
  readonly #keys = new Set<unknown>();

  /** @param name name of the model, for the error */
  constructor(name: string) {
    this.#name = name;
  }

  /** @throws ModelError when there are too many */
  add(key: unknown): void {
    this.#keys.add(key);
    if (this.#keys.size <= MOST_CALLS) return;
    const fact = `${this.#name} sent more than ${MOST_CALLS} function calls in one response`;
    throw new ModelError(`${fact}; nothing of it was executed.`);
  }

  /** Adds what a raw chunk begins, in the formats of OpenAI's chat and responses and Anthropic's messages. */
  addChunk(chunk: unknown): void {
    const choices = getField(chunk, 'choices');
    const calls = getField(getField(Array.isArray(choices) ? choices[0] : undefined, 'delta'), 'tool_calls');
    if (Array.isArray(calls)) for (const call of calls as readonly unknown[]) this.add(getKey(call, 'index', 'id'));
    if (getField(chunk, 'content_block') !== undefined) this.add(getField(chunk, 'index'));
    if (getField(chunk, 'type') === 'response.output_item.added') this.add(getField(chunk, 'output_index'));
  }
}

function getKey(value: unknown, ...names: readonly string[]): unknown {
  return names.map((name) => getField(value, name)).find((found) => found !== undefined);
}

/** Facts about a raw chunk that are needed to check the order. */
interface ChunkFacts {
  readonly hasContent: boolean;
  /** Reason of the service for the end of the response. */
  readonly end: string | undefined;
}

/**
 * Creates a check of the raw chunks of a stream: there must be one end, and no content after it.
 *
 * SDKs keep the last end that they receive, so a response cut off at its limit could be mistaken for a complete one.
 * Only the formats of OpenAI's chat and Anthropic's messages are checked.
 *
 * @returns a function that throws a ModelError for a chunk in the wrong position
 */
export function createOrderCheck(name: string): (chunk: unknown) => void {
  let last: string | undefined;
  const fail = (fact: string): never => {
    throw new ModelError(`${name} ${fact}; nothing of it was executed.`, { retryable: true });
  };
  return (chunk) => {
    const { hasContent, end } = readChatChunk(chunk) ?? readMessageChunk(chunk) ?? NO_FACTS;
    if (last !== undefined && hasContent) fail('said more after the end of its response');
    if (last !== undefined && end !== undefined && end !== last) fail('ended its response in two ways');
    last ??= end;
  };
}

const NO_FACTS: ChunkFacts = { hasContent: false, end: undefined };

/** Reads a chunk of OpenAI: `{ choices: [{ delta: { content: 'x' }, finish_reason: null }] }`. */
function readChatChunk(chunk: unknown): ChunkFacts | undefined {
  const choices = getField(chunk, 'choices');
  if (!Array.isArray(choices)) return undefined;
  const choice: unknown = choices[0];
  return {
    hasContent: hasValue(getField(getField(choice, 'delta'), 'content')),
    end: toNonEmpty(getField(choice, 'finish_reason')),
  };
}

/**
 * Reads a chunk of Anthropic: `{ type: 'content_block_delta', delta: { text: 'x' } }` or
 * `{ delta: { stop_reason: 'end_turn' } }`.
 */
function readMessageChunk(chunk: unknown): ChunkFacts | undefined {
  const delta = getField(chunk, 'delta');
  if (delta === undefined) return undefined;
  return { hasContent: hasValue(getField(delta, 'text')), end: toNonEmpty(getField(delta, 'stop_reason')) };
}

function getField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function hasValue(value: unknown): boolean {
  return toNonEmpty(value) !== undefined || (Array.isArray(value) && value.length > 0);
}

/** Returns a string that is not empty, because some services send an empty reason with every chunk. */
function toNonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
