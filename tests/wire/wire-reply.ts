/** How a server misbehaves while it gives a reply. */
export type WireFault =
  /** Answers with a status and the format's own error body. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Closes the connection before any answer. */
  | { readonly kind: 'no-answer' }
  /** Breaks the connection after so many bytes of the body. */
  | { readonly kind: 'cut'; readonly after: number }
  /** Ends the body in good order after so many bytes. */
  | { readonly kind: 'short'; readonly after: number }
  /** Sends so many bytes of the body and then nothing more. */
  | { readonly kind: 'stall'; readonly after: number }
  /** Replaces the data of one event, counted from 0, by JSON that is cut off. */
  | { readonly kind: 'corrupt'; readonly event: number }
  /** Reports an error of its own in the stream before the event, and goes on as if nothing had been. */
  | { readonly kind: 'error-event'; readonly event: number }
  /** Sends every byte on its own. */
  | { readonly kind: 'one-byte' }
  /** Calls the body something else than an event stream. */
  | { readonly kind: 'content-type'; readonly value: string }
  /** Sends these bytes instead of the body. */
  | { readonly kind: 'garbage'; readonly body: string };

/** One answer of a wire server. */
export interface WireReply {
  /** What the model says. */
  readonly text: string;
  /** Default: `stop`. */
  readonly finish?: 'stop' | 'length' | 'content-filter';
  /** Characters of one event. Default: 8. */
  readonly chunk?: number;
  readonly fault?: WireFault;
}

/** Tokens that every reply reports. */
export const WIRE_USAGE = { inputTokens: 120, outputTokens: 30, cachedTokens: 100 } as const;
