import type { ToolEffect } from './tool-definition.ts';

/** A call that waits for consent. */
export interface ApprovalRequest {
  /** Random name of the session that makes the call. */
  readonly session: string;
  /** Dotted space the call would run in. */
  readonly space: string;
  readonly tool: string;
  readonly effect: ToolEffect;
  /** The call as written, without its body. */
  readonly tag: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the call is about, in one spelling if the tool knows one; else its primary argument, without a line range. */
  readonly target: string;
  /** Everything the call reaches, where that was planned: rules are compared with each, and with the target. */
  readonly touches?: readonly string[];
  /** Why consent is asked for although the tool's effect would not need it. */
  readonly reason?: string;
  /** Shows what would change; absent when the tool cannot tell. May reject with what the call would fail with. */
  readonly preview?: () => Promise<string>;
}

/** An answer that holds for more than the call it was given to, as plain JSON. */
export interface RememberedConsent {
  readonly space: string;
  /** Absent when the tool does not matter. */
  readonly tool?: string;
  /** The reason that a tool gave for asking by itself; absent for what its effect says. */
  readonly reason?: string;
  /** A target exactly, everything below a folder, or everything. */
  readonly scope: { readonly exactly: string } | { readonly below: string } | 'everything';
  readonly decision: 'allow' | 'deny';
  /** Why not, for the model. */
  readonly because?: string;
}

/**
 * The decision, and what the caller is told when it is a refusal. What is to be remembered is kept with the
 * session and handed back when the session goes on.
 */
export type ApprovalAnswer = ({ readonly allow: true } | { readonly allow: false; readonly reason: string }) & {
  readonly remember?: RememberedConsent;
};

/** Decides whether a call may run. Contract: never throws; asks nothing for calls it already knows. */
export interface Approver {
  /**
   * The refusal of a call that no answer could allow, because a rule denies it; undefined when it may be asked for.
   * The router calls it before a change is planned, so that errors of the plan reveal nothing of what is denied.
   */
  deny?(request: ApprovalRequest): ApprovalAnswer | undefined;
  approve(request: ApprovalRequest, signal: AbortSignal): ApprovalAnswer | Promise<ApprovalAnswer>;
  /** Takes back what was remembered in a session before a restart. */
  recall?(session: string, consents: readonly RememberedConsent[]): void;
}
