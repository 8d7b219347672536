/** What a usage error knows besides its sentence. */
export interface UsageErrorOptions {
  /** What was typed, and the names it may have been meant for: the source of "did you mean". */
  readonly unknown?: { readonly name: string; readonly candidates: readonly string[]; readonly prefix?: string };
  /** Command whose help explains more; none for bae as a whole. */
  readonly command?: string;
}

/** A command line that cannot be understood. Ends with exit code 2. */
export class UsageError extends Error {
  readonly unknown: UsageErrorOptions['unknown'];
  readonly command: string | undefined;

  constructor(message: string, options: UsageErrorOptions = {}) {
    super(message);
    this.name = 'UsageError';
    this.unknown = options.unknown;
    this.command = options.command;
  }
}
