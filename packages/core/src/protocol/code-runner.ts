import type { ToolCall } from './tool-call.ts';
import type { ToolResult } from './tool-result.ts';
import type { ToolSpec } from './tool-definition.ts';

/** The result of one run block. */
export interface RunOutcome {
  readonly ok: boolean;
  /** Captured output and the printed value of the last expression; empty if there was neither. */
  readonly output: string;
  readonly errorType?: string;
  /** Error at the end of `output`; unlike the output before it, it is never shortened. */
  readonly error?: string;
}

/** The names that code can call, as plain data. */
export interface RunScope {
  /**
   * Dotted name of the place whose tools are plain functions, regardless of where the session is at the time of a call.
   */
  readonly place?: string;
  /** Tools of the current place, called as plain functions. Parameters are in the order of the arguments. */
  readonly tools: readonly ToolSpec[];
  /** Places by dotted name, `source.tests`: objects with their tools as methods; calling one enters the place. */
  readonly spaces: readonly { readonly name: string; readonly tools: readonly ToolSpec[] }[];
}

/** A call that code makes. */
export interface CodeCall extends ToolCall {
  /** The place whose function was called, by its name in the scope. Default: the current location. */
  readonly from?: string;
}

/** The block that a call is made for. */
export interface RunningBlock {
  /** Aborts when the block is stopped. */
  readonly signal: AbortSignal;
  /** Runs `work` with the block's time limit paused, such as asking for consent. */
  pauseDuring<T>(work: () => Promise<T>): Promise<T>;
}

/** Everything a run block can reach: calls of tools. */
export interface RunOptions {
  readonly signal: AbortSignal;
  /** Name of the session; its blocks share their variables. Default: a session of its own. */
  readonly session?: string;
  /** The names in scope; called at the start and after every move. Default: none. */
  readonly scope?: () => RunScope;
  readonly dispatch: (call: CodeCall, block?: RunningBlock) => Promise<ToolResult>;
}

/** Executes the code of run blocks. Contract: never throws; failure is an outcome. */
export interface CodeRunner {
  run(code: string, options: RunOptions): Promise<RunOutcome>;
  /** Releases a session's variables. */
  forget?(session: string): Promise<void>;
}
