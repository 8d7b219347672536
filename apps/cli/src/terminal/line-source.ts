/** The result of asking for a line. */
export type ReadLine =
  | { readonly kind: 'line'; readonly text: string }
  /** End of the input, or Ctrl-D. */
  | { readonly kind: 'end' }
  /** Ctrl-C at an empty prompt. */
  | { readonly kind: 'interrupt' };

/** Where lines come from: a keyboard, or a pipe. */
export interface LineSource {
  /** Asks for the next line. A pipe shows no prompt. */
  next(prompt: string): Promise<ReadLine>;
  /** True when the next line has arrived already: typed ahead, pasted, or in the pipe. */
  hasMore(): Promise<boolean>;
  /** True when the next line belongs to the same paste as the last one. */
  readonly isPasted: boolean;
  /** Puts lines back; they are read again, in order. */
  unread(lines: readonly string[]): void;
  close(): void;
}
