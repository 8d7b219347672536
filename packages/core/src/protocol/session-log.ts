import type { AgentEvent } from './agent-event.ts';
import type { RememberedConsent } from './approver.ts';
import type { Message } from './model.ts';
import type { SpacePath } from './space-path.ts';

/** Something besides the events that a session needs to go on after a crash. */
export type SessionRecord =
  /** A message joined the conversation: it was sent, or it was the answer. */
  | { readonly kind: 'message'; readonly message: Message }
  /** A text waits for the beginning of the next message. */
  | { readonly kind: 'held'; readonly text: string }
  /** The session stands somewhere else, or remembers other places to go back to. */
  | { readonly kind: 'location'; readonly location: SpacePath; readonly history: readonly SpacePath[] }
  /** A resource was shown as it is now. */
  | { readonly kind: 'seen'; readonly key: string; readonly value: string }
  /** An answer was given for the rest of the session. */
  | { readonly kind: 'consent'; readonly consent: RememberedConsent };

/**
 * Where a session is kept. An event is handed to it, and awaited, before anyone sees it.
 *
 * Contract: what `append` and `record` were given is safe once they return (or their promise settles).
 */
export interface SessionLog {
  /** Name of the session it keeps: that of the agent, too. */
  readonly id?: string;
  append(event: AgentEvent): void | Promise<void>;
  record?(record: SessionRecord): void | Promise<void>;
}

/** A call that had begun when the process ended, and of which nobody knows what became. */
interface UnfinishedCall {
  readonly id: string;
  readonly tag: string;
  readonly space: string;
}

/** A call that was answered before the process ended, in an answer that the model has not been sent. */
interface UnsentAnswer {
  readonly tag: string;
  readonly space: string;
  /** `ok`, or the class name of the error. */
  readonly status: string;
  readonly text: string;
}

/** A session as it was when it was last written down: what `createAgent({ resume })` goes on from. */
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
  /** What was answered for the rest of the session. */
  readonly consents?: readonly RememberedConsent[];
  readonly unfinished: readonly UnfinishedCall[];
  /** Calls that ended after the last message was recorded, in order. */
  readonly unsent: readonly UnsentAnswer[];
}
