/** Arguments of a call by parameter name. */
export type SampleArguments = Readonly<Record<string, unknown>>;

/** Call that works. */
export interface SampleCall {
  readonly tool: string;
  readonly args: SampleArguments;
}

/** Call that changes something, and how the change can be seen. */
export interface SampleChange {
  readonly args: SampleArguments;
  /** Argument with which `read` is then called. Default: the first argument. */
  readonly readAs?: string | number;
  /** Text that `read` then shows in addition to its earlier text. */
  readonly shows: string;
}

/** Patterns to search for. */
export interface SamplePatterns {
  readonly matches?: string;
  readonly misses?: string;
}

/**
 * Samples to try a space with. All are optional: without one, the kit finds something by itself, or says which sample
 * it needs.
 */
export interface SpaceSamples {
  readonly existing?: string | number;
  /** Target that `read` does not find; `null` if it finds everything. */
  readonly missing?: string | number | null;
  readonly glob?: SamplePatterns;
  readonly grep?: SamplePatterns;
  readonly write?: SampleChange;
  readonly edit?: SampleChange;
  /** Calls of the other tools, by name: `{ close: { id: 7 } }`. */
  readonly calls?: Readonly<Record<string, SampleArguments>>;
  /** Call that takes a long time, to be cancelled. */
  readonly slow?: SampleCall;
  /** Answers of the user to a tool's question, by field. Default: any answers that the question allows. */
  readonly answers?: Readonly<Record<string, string | number | boolean>>;
  /** Answer of the model to a tool's question. Default: a sentence. */
  readonly response?: string;
}
