/** Arguments of a call by parameter name. */
export type SampleArguments = Readonly<Record<string, unknown>>;

/** One call that works. */
export interface SampleCall {
  readonly tool: string;
  readonly args: SampleArguments;
}

/** A call that changes something, and how that can be seen. */
export interface SampleChange {
  readonly args: SampleArguments;
  /** What `read` is then called with. Default: the first argument. */
  readonly readAs?: string | number;
  /** What `read` then shows, besides what it showed before. */
  readonly shows: string;
}

/** Patterns to search for. */
export interface SamplePatterns {
  readonly matches?: string;
  readonly misses?: string;
}

/**
 * What a space can be tried with. Everything may be left out: then the kit finds something by itself, or says
 * which sample it needs.
 */
export interface SpaceSamples {
  readonly existing?: string | number;
  /** Something that `read` does not find; `null` where it finds everything. */
  readonly missing?: string | number | null;
  readonly glob?: SamplePatterns;
  readonly grep?: SamplePatterns;
  readonly write?: SampleChange;
  readonly edit?: SampleChange;
  /** Calls of the other tools, by name: `{ close: { id: 7 } }`. */
  readonly calls?: Readonly<Record<string, SampleArguments>>;
  /** A call that takes long, to be cancelled. */
  readonly slow?: SampleCall;
  /** What the user answers when a tool asks, by field. Default: whatever the question allows. */
  readonly answers?: Readonly<Record<string, string | number | boolean>>;
  /** What the model answers when a tool asks it. Default: a sentence. */
  readonly response?: string;
}
