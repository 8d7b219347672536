import type { CliOptions } from './parse-arguments.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface CommandContext {
  /** What follows the command and is no option. */
  readonly positionals: readonly string[];
  readonly options: CliOptions;
  readonly terminal: Terminal;
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal;
}

/** Runs a command to its end and returns the exit code. */
export type RunCommand = (context: CommandContext) => Promise<number>;

/** A command as help shows it, and how to load what it does. */
export interface CommandEntry {
  /** What follows `bae`; empty for the shell. */
  readonly usage: string;
  readonly summary: string;
  /** What follows the names of its own commands, when it has some. */
  readonly subcommands?: Readonly<Record<string, string>>;
  /** Whole command lines. */
  readonly examples: readonly string[];
  /** Loads nothing until the command is really wanted. */
  load(): Promise<RunCommand>;
}
