import type { ToolCall } from './tool-call.ts';
import type { ToolResult } from './tool-result.ts';

/** What became of one run block. */
export interface RunOutcome {
  readonly ok: boolean;
  /** Captured output and the shown value of the last expression; empty when there was neither. */
  readonly output: string;
  readonly errorType?: string;
}

/** What a run block may reach: calls of tools, nothing else. */
export interface RunOptions {
  readonly signal: AbortSignal;
  dispatch(call: ToolCall): Promise<ToolResult>;
}

/** Executes the code of run blocks. Contract: never throws; failure is an outcome. */
export interface CodeRunner {
  run(code: string, options: RunOptions): Promise<RunOutcome>;
}
