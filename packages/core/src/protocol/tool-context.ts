import type { ToolCall } from './tool-call.ts';

/** First and last line, 1-based and inclusive; `null` reads "to the end". */
export type LineRange = readonly [start: number, end: number | null];

/** What the session remembers for tools, for as long as it lives. */
export interface SessionState {
  /** Random name of the session. */
  readonly id: string;
  /** SHA-256 of every resource as it was last shown to this session, by the resource's own key. */
  readonly seen: Map<string, string>;
}

/** What a tool is handed besides its arguments. */
export interface ToolContext {
  /** Aborts when the turn is cancelled or the call's time is up. */
  readonly signal: AbortSignal;
  /** The space the call runs in, dotted: `home`, `source.meta`. */
  readonly space: string;
  /** A tag of this space as it works where the call was made: `<R:7>`, from elsewhere `<tasks.R:7>`. */
  readonly tag: (tag: string) => string;
  /** Line range of the argument, when the tool declares `range`. */
  readonly range?: LineRange;
  /** With a range: the argument as it was sent, range included, for a name that happens to end like one. */
  readonly argument?: string;
  /** True when the body stood on lines of its own between the tags. */
  readonly block: boolean;
  /** True when code made the call: what it sends is data, and it gets answers as a whole. False for a tag. */
  readonly fromCode: boolean;
  /** The calls of the response that this call came in, itself included, in order: one list a response. */
  readonly batch: readonly ToolCall[];
  readonly session: SessionState;
  /**
   * Asks whoever decides for consent to something that the tool's effect does not say.
   *
   * @param reason what it is, as the end of a sentence: `it may hold secrets`
   * @param target what it is about, when that is not what the call as a whole is about
   * @throws ApprovalError when consent is refused
   */
  readonly requestApproval: (reason: string, target?: string) => Promise<void>;
}
