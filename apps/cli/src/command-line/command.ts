import type { CliOptions } from './options.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface CommandContext {
  /** Absolute path of the folder to work in. */
  readonly root: string;
  /** Arguments after the command that are not options. */
  readonly positionals: readonly string[];
  readonly options: CliOptions;
  readonly terminal: Terminal;
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal;
}

/** Runs a command to its end and returns the exit code. */
export type RunCommand = (context: CommandContext) => Promise<number>;

/** Prints the result of a command: with `--json` as one JSON value, otherwise as lines. */
export function printResult(
  { options, terminal }: CommandContext,
  data: unknown,
  render: () => readonly string[],
): void {
  const lines = options.json ? [JSON.stringify(data)] : render();
  terminal.out.write(`${lines.join('\n')}\n`);
}

/** Command with its help and its implementation. */
export interface CommandEntry {
  /** Syntax after `bae`; empty for the shell. */
  readonly usage: string;
  readonly summary: string;
  /** Syntax after the name of each subcommand. */
  readonly subcommands?: Readonly<Record<string, string>>;
  /** Complete command lines. */
  readonly examples: readonly string[];
  /** Loads the code of the command. */
  load(): Promise<RunCommand>;
}
