import type { ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';

/** One executed call and its answer. */
export interface CallReport {
  readonly id: string;
  readonly call: ToolCall;
  readonly result: ToolResult;
  /** One line for people: `[tasks] ◆ read(7) -> string (18 lines)`. */
  readonly summary: string;
}

/** One executed run block and its answer. */
export interface RunReport {
  readonly id: string;
  readonly code: string;
  readonly ok: boolean;
  /** What the model reads: what the block showed, within the cap, and what went wrong. */
  readonly output: string;
  /** Without the time in which somebody was asked. */
  readonly ms: number;
}

/** What became of one text: everything executed, and the message the model would get. */
export interface BatchReport {
  /** The message for the model; empty when there was nothing to execute and nothing to repair. */
  readonly feedback: string;
  readonly calls: readonly CallReport[];
  readonly runs: readonly RunReport[];
  readonly problems: readonly ParseProblem[];
  /** The text without calls, bodies and run blocks. */
  readonly prose: string;
  /** Dotted location afterwards: `home`, `source.meta`. */
  readonly location: string;
}
