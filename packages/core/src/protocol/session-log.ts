import type { AgentEvent } from './agent-event.ts';
import type { ApprovalRecord, RememberedConsent } from './approver.ts';
import type { Message } from './model.ts';
import type { SpacePath } from './space-path.ts';
import type { FeedbackItem } from './tool-result.ts';

/** State besides the events that a session needs to resume after a crash. */
export type SessionRecord =
  /** A message was added to the conversation. */
  | { readonly kind: 'message'; readonly message: Message }
  /** Text was held back for the start of the next message. */
  | { readonly kind: 'held'; readonly text: string }
  /** A part of the next prompt that the user did not write, such as an attached file. */
  | { readonly kind: 'quoted'; readonly text: string }
  /** The conversation was replaced by a text, which is held for the start of the next message. */
  | { readonly kind: 'compacted'; readonly text: string }
  /** The location or its history changed. */
  | { readonly kind: 'location'; readonly location: SpacePath; readonly history: readonly SpacePath[] }
  /** A resource was shown in its current state. */
  | { readonly kind: 'seen'; readonly key: string; readonly value: string }
  /** Consent or refusal was given for the rest of the session. */
  | { readonly kind: 'consent'; readonly consent: RememberedConsent }
  /** Earlier consents and refusals no longer apply. */
  | { readonly kind: 'consents-forgotten' }
  /** It was decided whether a call may run. */
  | { readonly kind: 'approval'; readonly approval: ApprovalRecord };

/**
 * Storage of a session. Each event is appended, and the result awaited, before a view gets it. The exceptions are the
 * interim events `response-delta`, `call-progress` and `call-output`: a later event contains all of their content.
 * Contract: the arguments of `append` and `record` are stored safely once they return (or their promise settles).
 */
export interface SessionLog {
  /** Name of the session; the agent uses the same name. */
  readonly id?: string;
  append(event: AgentEvent): void | Promise<void>;
  record?(record: SessionRecord): void | Promise<void>;
}

/** The last recorded state of a session, which `createAgent({ resume })` continues. */
export interface SessionSnapshot {
  readonly id: string;
  readonly label: string;
  /** Number of the last turn. */
  readonly turn: number;
  /** Highest id given to a call or run block. */
  readonly lastId: number;
  /**
   * True for a session that somebody else wrote: the model gets its messages as a quoted text, and none as its own or as
   * words of the user. Default: false.
   */
  readonly isForeign?: boolean;
  /** The conversation, including the system prompt. */
  readonly messages: readonly Message[];
  /** Strings that wait for the next message. */
  readonly held: readonly string[];
  /** Parts of the messages that the user did not write, and that are no results either. Default: none. */
  readonly quoted?: readonly string[];
  readonly location: SpacePath;
  readonly history: readonly SpacePath[];
  readonly seen: ReadonlyMap<string, string>;
  /** Consents and refusals that apply to the rest of the session. */
  readonly consents?: readonly RememberedConsent[];
  /** Calls that had begun when the process ended: their outcome is unknown. */
  readonly unfinished: readonly {
    readonly id: string;
    readonly tag: string;
    readonly space: string;
    /** Name of the tool. Default: unknown. */
    readonly verb?: string;
  }[];
  /** Results of calls that ended after the last message was recorded, in order: the model has not seen them. */
  readonly unsent: readonly FeedbackItem[];
  /** True when the process ended during the last turn. The next message to the model says so. Default: false. */
  readonly isBroken?: boolean;
}
