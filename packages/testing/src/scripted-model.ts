import { ModelError, type Message, type Model, type ModelPart, type ModelRequestOptions } from '@bae/core';

/** Exact parts, for faults and odd endings; nothing is added to them. */
interface ScriptedParts {
  readonly parts: readonly ModelPart[];
}

/** What a scripted model says: a text, exact parts, or something that depends on what it was sent. */
export type ScriptedResponse =
  | string
  | ScriptedParts
  | ((messages: readonly Message[]) => string | ScriptedParts | Promise<string | ScriptedParts>);

/** How a scripted model presents itself. */
export interface ScriptedModelOptions {
  /** Default: `scripted`. */
  readonly name?: string;
  /** Characters of one text-delta. Default: the whole text in one. */
  readonly chunk?: number;
}

/** Taken for one token in the usage that a scripted model reports. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * A model that says what it was told to, in order, and remembers what it was sent.
 *
 * A text ends with a normal stop. When the script has run out, a send is answered with an error that
 * says so.
 */
export class ScriptedModel implements Model {
  readonly name: string;
  private readonly chunk: number;
  private readonly recorded: (readonly Message[])[] = [];

  constructor(
    private readonly script: readonly ScriptedResponse[],
    options: ScriptedModelOptions = {},
  ) {
    this.name = options.name ?? 'scripted';
    this.chunk = options.chunk ?? Number.POSITIVE_INFINITY;
  }

  /** The messages of every send so far, as frozen copies. */
  get sends(): readonly (readonly Message[])[] {
    return this.recorded;
  }

  async *respond(messages: readonly Message[], { signal }: ModelRequestOptions): AsyncGenerator<ModelPart, void> {
    const copy = Object.freeze(messages.map((message) => Object.freeze({ ...message })));
    const response = this.script[this.recorded.length];
    this.recorded.push(copy);
    let parts: readonly ModelPart[] = [];
    try {
      parts = await untilAborted(this.partsOf(response, copy), signal);
    } catch (error) {
      if (!signal.aborted) parts = [{ type: 'error', error: asModelError(error) }];
    }
    for (const part of parts) {
      if (signal.aborted) break;
      yield part;
      if (part.type === 'end' || part.type === 'error') return;
    }
    if (signal.aborted) yield { type: 'end', reason: 'cancelled' };
  }

  /**
   * Checks that the whole script was used, and nothing beyond it was asked for.
   *
   * @throws Error otherwise
   */
  expectDone(): void {
    const sends = this.recorded.length;
    const responses = this.script.length;
    if (sends === responses) return;
    const next = this.script[sends];
    const unused = typeof next === 'string' ? ` The next one is ${JSON.stringify(next)}.` : '';
    throw new Error(`the script has ${responses} responses, and the model was asked ${sends} times.${unused}`);
  }

  private async partsOf(
    response: ScriptedResponse | undefined,
    messages: readonly Message[],
  ): Promise<readonly ModelPart[]> {
    if (response === undefined) throw this.ranOut(messages);
    const said = typeof response === 'function' ? await response(messages) : response;
    return typeof said === 'string' ? this.partsOfText(said, messages) : said.parts;
  }

  private partsOfText(text: string, messages: readonly Message[]): readonly ModelPart[] {
    const sent = messages.reduce((length, message) => length + message.text.length, 0);
    const usage = { inputTokens: tokens(sent), outputTokens: tokens(text.length), cachedTokens: 0 };
    const deltas = pieces(text, this.chunk).map((piece): ModelPart => ({ type: 'text-delta', text: piece }));
    return [...deltas, { type: 'usage', usage }, { type: 'end', reason: 'stop' }];
  }

  private ranOut(messages: readonly Message[]): ModelError {
    const last = JSON.stringify(messages.at(-1)?.text ?? '');
    return new ModelError(
      `the script has no response for send ${this.recorded.length}; it has ${this.script.length}. The last message was ${last}.`,
    );
  }
}

function tokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function pieces(text: string, size: number): readonly string[] {
  if (text === '') return [];
  if (size >= text.length) return [text];
  const characters = Array.from(text);
  const step = Math.max(1, Math.floor(size));
  const count = Math.ceil(characters.length / step);
  return Array.from({ length: count }, (_, index) => characters.slice(index * step, (index + 1) * step).join(''));
}

function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  return new ModelError(`the script failed: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => reject(signal.reason as Error);
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });
}
