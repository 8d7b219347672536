import type { Readable, Writable } from 'node:stream';

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

/** Everything bae reads from and prints to. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder bae was started in. */
  readonly cwd: string;
  readonly input: Readable;
  /** True when input comes from a keyboard. */
  readonly inputIsTerminal: boolean;
  /** True when a person can be asked: input and output are a terminal. */
  readonly interactive: boolean;
  readonly out: Output;
  readonly err: Output;
  /** What a line editor draws on. */
  readonly screen: Writable;
  /** Makes a folder the one in which the code of packages finds relative paths. `cwd` stays. @param folder absolute */
  enter(folder: string): void;
  /** Settles when everything written has left the process. */
  flush(): Promise<void>;
}
