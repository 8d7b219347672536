/** The arguments of a call as they were written. */
export interface SentArguments {
  /** The text after the tag's colon, or the value a run block passed. */
  readonly arg?: string | number | boolean | undefined;
  readonly kwargs?: Readonly<Record<string, unknown>> | undefined;
  /** The text between open and close tag. */
  readonly body?: string | undefined;
}
