import type { AgentEvent } from './agent-event.ts';
import type { ApprovalRecord, RememberedConsent } from './approver.ts';
import type { Message } from './model.ts';
import type { SpacePath } from './space-path.ts';
import type { FeedbackItem } from './tool-result.ts';

/** State besides the events that a session needs to resume after a crash. */
export type SessionRecord =
  /** A message was added to the conversation. */
  | { readonly kind: 'message'; readonly message: Message }
  /** A text is held back for the start of the next message. */
  | { readonly kind: 'held'; readonly text: string }
  /** The location or its history changed. */
  | { readonly kind: 'location'; readonly location: SpacePath; readonly history: readonly SpacePath[] }
  /** A resource was shown in its current state. */
  | { readonly kind: 'seen'; readonly key: string; readonly value: string }
  /** Consent or refusal was given for the rest of the session. */
  | { readonly kind: 'consent'; readonly consent: RememberedConsent }
  /** Consent and refusals given before hold no longer. */
  | { readonly kind: 'consents-forgotten' }
  /** Somebody decided whether a call may run. */
  | { readonly kind: 'approval'; readonly approval: ApprovalRecord };

/**
 * The storage of a session. Each event is appended, and the result awaited, before a view gets it; except those of what is
 * not over yet, `response-delta`, `call-progress` and `call-output`, since a later event has all of it.
 *
 * Contract: what `append` and `record` got is safe once they return (or their promise settles).
 */
export interface SessionLog {
  /** Name of the session; the agent gets the same. */
  readonly id?: string;
  append(event: AgentEvent): void | Promise<void>;
  record?(record: SessionRecord): void | Promise<void>;
}

/** A session as it was last recorded: what `createAgent({ resume })` continues. */
export interface SessionSnapshot {
  readonly id: string;
  readonly label: string;
  /** Number of the last turn. */
  readonly turn: number;
  /** Highest id given to a call or run block. */
  readonly lastId: number;
  /** The conversation, system prompt included. */
  readonly messages: readonly Message[];
  /** Texts that wait for the next message. */
  readonly held: readonly string[];
  readonly location: SpacePath;
  readonly history: readonly SpacePath[];
  readonly seen: ReadonlyMap<string, string>;
  /** Consent and refusals that hold for the rest of the session. */
  readonly consents?: readonly RememberedConsent[];
  /** Calls that had begun when the process ended: their outcome is unknown. */
  readonly unfinished: readonly {
    readonly id: string;
    readonly tag: string;
    readonly space: string;
    /** Name of the tool. Default: it is not known. */
    readonly verb?: string;
  }[];
  /** Results of calls that ended after the last message was recorded, in order: the model has not seen them. */
  readonly unsent: readonly FeedbackItem[];
}
