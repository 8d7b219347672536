import type { ToolCall } from './tool-call.ts';
import type { ToolResult } from './tool-result.ts';
import type { ToolSpec } from './tool-definition.ts';

/** What became of one run block. */
export interface RunOutcome {
  readonly ok: boolean;
  /** Captured output and the shown value of the last expression; empty when there was neither. */
  readonly output: string;
  readonly errorType?: string;
  /** The end of `output` that says what went wrong: never cut, as what was printed before it may be. */
  readonly error?: string;
}

/** What code can call by name, as plain data. */
export interface RunScope {
  /** Dotted name of the place: what a function of its own belongs to wherever the session is when it is called. */
  readonly place?: string;
  /** Tools of the place the session is in: functions of their own. Parameters stand in the order of their arguments. */
  readonly tools: readonly ToolSpec[];
  /** Places by dotted name, `source.tests`: objects that have their tools and go there when they are called. */
  readonly spaces: readonly { readonly name: string; readonly tools: readonly ToolSpec[] }[];
}

/** A call that code makes. */
export interface CodeCall extends ToolCall {
  /** The place whose own function was called, by the name that its scope had. Default: where the session is. */
  readonly from?: string;
}

/** The block that a call is made for. */
export interface RunningBlock {
  /** Aborts when the block is stopped. */
  readonly signal: AbortSignal;
  /** Does work whose time does not count for the block, such as asking for consent. */
  without<T>(work: () => Promise<T>): Promise<T>;
}

/** What a run block may reach: calls of tools, nothing else. */
export interface RunOptions {
  readonly signal: AbortSignal;
  /** Name of the session; its blocks share their variables. Default: a session of its own. */
  readonly session?: string;
  /** What is in scope now; asked at the beginning and after every move. Default: nothing. */
  readonly scope?: () => RunScope;
  readonly dispatch: (call: CodeCall, block?: RunningBlock) => Promise<ToolResult>;
}

/** Executes the code of run blocks. Contract: never throws; failure is an outcome. */
export interface CodeRunner {
  run(code: string, options: RunOptions): Promise<RunOutcome>;
  /** Lets go of a session's variables. */
  forget?(session: string): Promise<void>;
}
