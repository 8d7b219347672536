import { ModelError } from '@bae/core';

/** What the rules of order need to know of one raw chunk. */
interface ChunkFacts {
  readonly saysSomething: boolean;
  /** Why the response ended, in the service's own words. */
  readonly end: string | undefined;
}

/**
 * Watches the raw chunks of a stream: there is one end, and nothing is said after it.
 *
 * SDKs keep the last end they hear of, so a response cut off at its limit could pass for a whole one.
 * Chunks of formats other than OpenAI's chat and Anthropic's messages are not looked at.
 */
export class StreamOrder {
  private end: string | undefined;

  /** @param name of the model, for errors */
  constructor(private readonly name: string) {}

  /** @throws ModelError when a chunk cannot come where it came */
  see(chunk: unknown): void {
    const { saysSomething, end } = chatFacts(chunk) ?? messageFacts(chunk) ?? NOTHING;
    if (this.end !== undefined && saysSomething) throw this.outOfOrder('said more after the end of its response');
    if (this.end !== undefined && end !== undefined && end !== this.end)
      throw this.outOfOrder('ended its response in two ways');
    this.end ??= end;
  }

  private outOfOrder(fact: string): ModelError {
    return new ModelError(`${this.name} ${fact}; nothing of it was executed.`, { retryable: true });
  }
}

const NOTHING: ChunkFacts = { saysSomething: false, end: undefined };

/** OpenAI's: `{ choices: [{ delta: { content: 'x' }, finish_reason: null }] }`. */
function chatFacts(chunk: unknown): ChunkFacts | undefined {
  const choices = fieldOf(chunk, 'choices');
  if (!Array.isArray(choices)) return undefined;
  const choice: unknown = choices[0];
  return {
    saysSomething: isText(fieldOf(fieldOf(choice, 'delta'), 'content')),
    end: textOf(fieldOf(choice, 'finish_reason')),
  };
}

/** Anthropic's: `{ type: 'content_block_delta', delta: { text: 'x' } }`, `{ delta: { stop_reason: 'end_turn' } }`. */
function messageFacts(chunk: unknown): ChunkFacts | undefined {
  const delta = fieldOf(chunk, 'delta');
  if (delta === undefined) return undefined;
  return { saysSomething: isText(fieldOf(delta, 'text')), end: textOf(fieldOf(delta, 'stop_reason')) };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function isText(value: unknown): boolean {
  return textOf(value) !== undefined || (Array.isArray(value) && value.length > 0);
}

/** Some services send an empty reason with every chunk. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
