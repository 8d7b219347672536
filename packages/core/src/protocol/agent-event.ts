import type { Usage } from './model.ts';
import type { ToolResult } from './tool-result.ts';

/** The ways in which a turn can end. */
export type TurnOutcome = 'answered' | 'limit' | 'aborted' | 'failed';

/** Totals of one turn. */
export interface TurnTotals extends Usage {
  readonly sends: number;
  readonly calls: number;
  readonly runs: number;
  /** Cost in US dollars; absent if the prices of the model are not known. */
  readonly cost?: number;
  readonly ms: number;
}

type NoticeCode =
  | 'run-skipped'
  | 'limit'
  | 'parse-problem'
  | 'retry'
  | 'masked'
  | 'compacted'
  | 'near-miss'
  | 'space-gone'
  | 'error';

/** One executed run block and its output. */
export interface RunReport {
  readonly id: string;
  readonly code: string;
  readonly ok: boolean;
  /** Text that the model reads: the output of the block, shortened to the cap, and its error. */
  readonly output: string;
  /** Duration in milliseconds, without the time spent waiting for consent. */
  readonly ms: number;
}

interface EventCall {
  readonly id: string;
  readonly tag: string;
  readonly verb: string;
  readonly space: string;
}

/** An event before the session has added its label and turn. */
export type AgentEventBody =
  | { readonly type: 'turn-start'; readonly prompt: string }
  | { readonly type: 'response-delta'; readonly text: string }
  | {
      readonly type: 'response-end';
      readonly text: string;
      /** True when another response follows, because something in this one was executed or returned feedback. */
      readonly executable: boolean;
      readonly usage: Usage;
      /** Share of the model's context that the conversation fills, 0 to 1, as estimated or reported. */
      readonly context: number;
    }
  | (EventCall & { readonly type: 'call-start'; readonly arguments: Readonly<Record<string, unknown>> })
  | (EventCall &
      Pick<ToolResult, 'ok' | 'failed' | 'text' | 'errorType' | 'files' | 'rows' | 'where' | 'ref' | 'media' | 'ms'> & {
        readonly type: 'call-end';
        /** One-line summary for people: `[tasks] ◆ read(7) -> string (18 lines)`. */
        readonly summary: string;
        readonly pruned?: boolean;
        /** Stack trace of an unexpected error, without keys, for debug views. */
        readonly stack?: string;
      })
  | (EventCall & {
      readonly type: 'call-progress';
      readonly done: number;
      readonly total?: number;
      readonly text?: string;
    })
  | (EventCall & { readonly type: 'call-output'; readonly text: string })
  | {
      readonly type: 'hook';
      readonly hook: string;
      readonly part: 'beforeCall' | 'afterCall' | 'beforeSend';
      readonly outcome: 'unchanged' | 'changed' | 'refused' | 'failed';
      readonly ms: number;
      /** Reason for the failure. */
      readonly text?: string;
    }
  | { readonly type: 'run-start'; readonly id: string; readonly code: string }
  | (RunReport & { readonly type: 'run-end' })
  | { readonly type: 'space-enter'; readonly from: string; readonly to: string }
  | { readonly type: 'notice'; readonly code: NoticeCode; readonly text: string }
  | { readonly type: 'answer'; readonly text: string }
  | {
      readonly type: 'turn-end';
      readonly outcome: TurnOutcome;
      readonly totals: TurnTotals;
      /** What had arrived of a response when the turn was cancelled or failed, if anything. Nothing in it was executed. */
      readonly unfinished?: string;
    };

/**
 * Everything that happens in a session, as plain JSON, in order. Every `x-start` is followed by exactly one `x-end`,
 * nested like brackets; an end event contains the whole payload, so that a view may ignore the events before it.
 * Reference: docs/reference/events.md.
 */
export type AgentEvent = AgentEventBody & {
  readonly label: string;
  /** Number of the turn, from 1; 0 outside a turn. */
  readonly turn: number;
};
