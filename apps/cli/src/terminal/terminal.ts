import type { Readable, Writable } from 'node:stream';
import type { StatusLine } from './status-line.ts';
import type { Output } from './output.ts';

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
  /** Tells a person what is waited for. */
  readonly status: StatusLine;
  /** Makes a folder the one in which the code of packages finds relative paths. `cwd` stays. @param folder absolute */
  enter(folder: string): void;
  /** Settles when everything written has left the process. */
  flush(): Promise<void>;
}
