/** One stream of text for people or programs. */
export interface Output {
  /** True when a person is looking at it right now. */
  readonly isTerminal: boolean;
  /** True when colours are wanted here. */
  readonly color: boolean;
  /** Width in columns as it is now; 80 when unknown. */
  columns(): number;
  /** Height in lines as it is now; 24 when unknown. */
  rows(): number;
  write(text: string): void;
}
