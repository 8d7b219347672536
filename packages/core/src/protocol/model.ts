import type { ModelError } from '../errors/bae-error.ts';

/** Properties that images, sounds and files have in common. */
export interface MediaContent {
  readonly type: 'image' | 'audio' | 'file';
  /** Media type, such as `image/png`. */
  readonly mediaType: string;
  /** File name. Default: none. */
  readonly name?: string;
}

/** An image, a sound or a file that is kept with the results of a session. */
export interface Media extends MediaContent {
  /** Handle, such as `result:12`. */
  readonly ref: string;
  readonly bytes: number;
  /** Base64; only present when sent to a model. */
  readonly data?: string;
}

/** One message of a conversation with a model. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
  /** Media of the results in the text; an adapter passes on the types that its model accepts. */
  readonly media?: readonly Media[];
}

/** Tokens of one exchange with a model. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens that the service had cached. */
  readonly cachedTokens: number;
}

/** Reasons for the end of a response; its calls are only executed after `stop`. */
export type EndReason = 'stop' | 'length' | 'content-filter' | 'error' | 'cancelled' | 'other';

/** One piece of a response. */
export type ModelPart =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'end'; readonly reason: EndReason }
  | { readonly type: 'error'; readonly error: ModelError };

/** Options of one request to a model. */
export interface ModelRequestOptions {
  readonly signal: AbortSignal;
  /** Called while the model works without output, so that the request does not time out. */
  readonly alive?: () => void;
}

/** Prices in US dollars per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  /** Price of tokens read from the provider's cache. Default: as `input`. */
  readonly cached?: number;
}

/**
 * Language model, whatever its transport: the only interface between bae and a provider.
 *
 * Contract: never throws and never rejects; a failure is an `error` part, after which nothing follows.
 * A complete response is closed by exactly one `end` part. When the signal aborts, the iteration ends soon.
 * From one call to the next, `messages` only grows.
 */
export interface Model {
  /** Name for people, such as `anthropic/claude-opus-5`. */
  readonly name: string;
  /** Maximum silence that is normal for this model, in milliseconds. Default: the agent's own limit. */
  readonly idleMs?: number;
  /** Prices of the model, if known. */
  readonly prices?: Prices;
  /** Context size of the model in tokens, if known. */
  readonly contextTokens?: number;
  respond(messages: readonly Message[], options: ModelRequestOptions): AsyncIterable<ModelPart>;
  /** Releases processes and connections. */
  dispose?(): void | Promise<void>;
}

declare const MODEL_TEXT: unique symbol;

/**
 * Text that may be parsed for calls: written by a model, or typed by a person.
 *
 * Tool output, file content and stored history are plain strings and therefore cannot be parsed.
 */
export type ModelText = string & { readonly [MODEL_TEXT]: true };

/**
 * Marks text as written by a model or a person, so that its tags are executed.
 *
 * Call it only where text enters from a model or a keyboard. Never pass tool output, file content or
 * stored history.
 */
export function asModelText(text: string): ModelText {
  return text as ModelText;
}
