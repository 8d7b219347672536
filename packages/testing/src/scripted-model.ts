import {
  ModelError,
  type Message,
  type Model,
  type ModelPart,
  type ModelRequestOptions,
  waitUnlessAborted,
} from '@bae/core';

/** Exact parts, for faults and unusual endings; nothing is added to them. */
interface ScriptedParts {
  readonly parts: readonly ModelPart[];
}

/** Scripted response: a text, exact parts, or a function of the messages that were sent. */
export type ScriptedResponse =
  | string
  | ScriptedParts
  | ((messages: readonly Message[]) => string | ScriptedParts | Promise<string | ScriptedParts>);

/** Settings of a scripted model. */
export interface ScriptedModelOptions {
  /** Name of the model. Default: `scripted`. */
  readonly name?: string;
  /** Length of one text-delta, in characters. Default: the whole text in one. */
  readonly chunk?: number;
}

const CHARACTERS_PER_TOKEN = 4;

/**
 * Model that returns scripted responses in order, and records the messages it was sent. A text ends with a normal stop.
 * If no response is left, the response is an error that says so.
 */
export class ScriptedModel implements Model {
  readonly name: string;
  readonly #script: readonly ScriptedResponse[];
  readonly #chunk: number;
  readonly #sends: (readonly Message[])[] = [];

  constructor(
    script: readonly ScriptedResponse[],
    { name = 'scripted', chunk = Number.POSITIVE_INFINITY }: ScriptedModelOptions = {},
  ) {
    this.#script = script;
    this.name = name;
    this.#chunk = chunk;
  }

  /** Messages of every send so far, as frozen copies. */
  get sends(): readonly (readonly Message[])[] {
    return this.#sends;
  }

  async *respond(messages: readonly Message[], { signal }: ModelRequestOptions): AsyncGenerator<ModelPart, void> {
    const copy = Object.freeze(messages.map((message) => Object.freeze({ ...message })));
    const response = this.#script[this.#sends.length];
    this.#sends.push(copy);
    let parts: readonly ModelPart[] = [];
    try {
      parts = await waitUnlessAborted(this.#makeParts(response, copy), signal);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const fault =
        error instanceof ModelError ? error : new ModelError(`the script failed: ${reason}`, { cause: error });
      if (!signal.aborted) parts = [{ type: 'error', error: fault }];
    }
    for (const part of parts) {
      if (signal.aborted) break;
      yield part;
      if (part.type === 'end' || part.type === 'error') return;
    }
    if (signal.aborted) yield { type: 'end', reason: 'cancelled' };
  }

  /** @throws Error unless every response was used, and no more were requested */
  expectDone(): void {
    const sends = this.#sends.length;
    const responses = this.#script.length;
    if (sends === responses) return;
    const next = this.#script[sends];
    const unused = typeof next === 'string' ? ` The next one is ${JSON.stringify(next)}.` : '';
    throw new Error(`the script has ${responses} responses, and ${sends} were requested.${unused}`);
  }

  async #makeParts(
    response: ScriptedResponse | undefined,
    messages: readonly Message[],
  ): Promise<readonly ModelPart[]> {
    if (response === undefined) {
      const last = JSON.stringify(messages.at(-1)?.text ?? '');
      throw new ModelError(
        `the script has no response for send ${this.#sends.length}; it has ${this.#script.length}. The last message was ${last}.`,
      );
    }
    const content = typeof response === 'function' ? await response(messages) : response;
    return typeof content === 'string' ? this.#splitText(content, messages) : content.parts;
  }

  #splitText(text: string, messages: readonly Message[]): readonly ModelPart[] {
    const sent = messages.reduce((length, message) => length + message.text.length, 0);
    const usage = { inputTokens: countTokens(sent), outputTokens: countTokens(text.length), cachedTokens: 0 };
    const deltas = splitPieces(text, this.#chunk).map((piece): ModelPart => ({ type: 'text-delta', text: piece }));
    return [...deltas, { type: 'usage', usage }, { type: 'end', reason: 'stop' }];
  }
}

function countTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function splitPieces(text: string, size: number): readonly string[] {
  if (text === '') return [];
  if (size >= text.length) return [text];
  const characters = Array.from(text);
  const step = Math.max(1, Math.floor(size));
  const count = Math.ceil(characters.length / step);
  return Array.from({ length: count }, (_, index) => characters.slice(index * step, (index + 1) * step).join(''));
}
