/** The result of asking for a line. */
export type ReadLine =
  | { readonly kind: 'line'; readonly text: string }
  /** The input is over, or a person pressed Ctrl-D. */
  | { readonly kind: 'end' }
  /** A person pressed Ctrl-C at an empty prompt. */
  | { readonly kind: 'interrupt' };

/** Where lines come from: a keyboard, or a pipe. */
export interface LineSource {
  /** Asks for the next line. A pipe shows no prompt. */
  next(prompt: string): Promise<ReadLine>;
  /**
   * True when the next line is there already: typed ahead, pasted, or in the pipe. A program that waits for an answer
   * before it sends more is not waited for.
   */
  hasMore(): Promise<boolean>;
  /** True when something came together with the last line, so that they are one text: the rest of a paste. */
  readonly isPasted: boolean;
  /** Gives back lines that were read too early; they come again, in order. */
  unread(lines: readonly string[]): void;
  close(): void;
}
