import type {
  Budget,
  Effect,
  LoggedEvent,
  Prompt,
  Question,
  Reply,
  Session,
  SessionEvent,
  SessionState,
  Spending,
  Workspace,
} from '@bae/client';
import type { SessionParts } from '@bae/store';

/** What a token lets its bearer do: effects of calls, and replies to questions about them. */
export type Right = Effect | 'approve';

/** A token as it is kept; its secret is not. */
export interface Token {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string;
  readonly created: Date;
  readonly expires?: Date | undefined;
  readonly revoked?: Date | undefined;
  readonly may: readonly Right[];
  /** Names of spaces at home; `*` for all. */
  readonly spaces: readonly string[];
  /** Names of folders of the operator's list, and beginnings of addresses of repositories; `*` for all. */
  readonly folders: readonly string[];
  /** Names of other tokens whose sessions it may see, cancel, and with `approve` reply to. */
  readonly sessionsOf: readonly string[];
  readonly budget: Budget;
}

/** What a session is made with, complete. */
export interface NewServedSession {
  /** Name of a token. */
  readonly owner: string;
  readonly workspace: Workspace;
  readonly spaces: readonly string[];
  readonly may: readonly Effect[];
  readonly budget: Budget;
}

/** A prompt as it is kept. */
export interface QueuedPrompt extends Prompt {
  readonly text: string;
  /** Place in the log when it was first taken; 0 before that. */
  readonly takenAt: number;
  /** How often a worker took it. */
  readonly tries: number;
}

/** A prompt that is worked on, and the epoch of whoever works on it. */
export interface TakenPrompt extends QueuedPrompt {
  readonly epoch: number;
}

/** A question with its reply. */
export interface KeptQuestion {
  readonly question: Question;
  readonly session: string;
  /** Absent while it waits. */
  readonly reply?: Reply | undefined;
  /** Nobody waits for its reply any more. */
  readonly isClosed: boolean;
}

/** One line of the audit: who did what with the server. */
export interface AuditEntry {
  readonly time: Date;
  /** Name of a token, or `operator`. */
  readonly by: string;
  readonly what: string;
  readonly session?: string | undefined;
  readonly detail?: string | undefined;
}

/**
 * Everything that a server keeps. What a method has returned is safe; an unknown session is a StoreError, except where
 * `undefined` is a result.
 */
export interface ServerStore {
  createSession(session: NewServedSession): Promise<Session>;
  readSession(id: string): Promise<Session | undefined>;
  /** Newest first. @param filter `before`: the id of the last one seen */
  listSessions(filter: {
    readonly owners: readonly string[];
    readonly limit: number;
    readonly before?: string | undefined;
  }): Promise<readonly Session[]>;
  setState(session: string, state: SessionState): Promise<void>;

  /** Adds an event of the server, or with an epoch of whoever works on the session. Returns its place. */
  append(session: string, event: SessionEvent, epoch?: number): Promise<number>;
  /** Events after a place in the log, in order. */
  readEvents(session: string, after: number, limit: number): Promise<readonly LoggedEvent[]>;
  /** Place of the last entry of the log; 0 for none. */
  readEnd(session: string): Promise<number>;
  /** What `createAgent` takes to keep and to resume the session, for whoever holds its epoch. */
  openLog(session: string, epoch: number): Promise<SessionParts>;

  /** Puts a prompt into the queue of a session. The same key again is the same prompt. */
  addPrompt(
    session: string,
    prompt: { readonly text: string; readonly key?: string | undefined },
  ): Promise<QueuedPrompt & { readonly isNew: boolean }>;
  countWaiting(session: string): Promise<number>;
  /**
   * Takes the session over, and with it the prompt that was being worked on when its worker ended, else the oldest one
   * that waits. Whoever worked on the session before gets a FencedError at the next thing that it writes.
   */
  takePrompt(session: string): Promise<TakenPrompt | undefined>;
  /** Ends a prompt. It can still be taken, with its outcome, until it is closed: its end is to be in the log, too. */
  endPrompt(prompt: TakenPrompt, outcome: string): Promise<void>;
  closePrompt(prompt: TakenPrompt & { readonly outcome: string }): Promise<void>;
  readPrompt(id: string): Promise<QueuedPrompt | undefined>;
  /** Ends what waits, and asks the worker to stop what runs. Returns how many prompts that concerns. */
  requestCancel(session: string): Promise<number>;
  isCancelled(prompt: string): Promise<boolean>;
  /** Sessions with prompts that wait, or were being worked on. */
  listUnfinished(): Promise<readonly string[]>;

  addQuestion(session: string, question: Question): Promise<void>;
  readQuestion(id: string): Promise<KeptQuestion | undefined>;
  /** Those that wait for a reply, oldest first. */
  listQuestions(session: string): Promise<readonly Question[]>;
  /** False when the question has a reply already, or is closed. */
  addReply(question: string, reply: Reply, by: string): Promise<boolean>;
  closeQuestion(id: string): Promise<void>;

  addToken(token: Token): Promise<void>;
  findToken(id: string): Promise<Token | undefined>;
  listTokens(): Promise<readonly Token[]>;
  /** False when there is none of that name that is in use. */
  revokeToken(name: string, at: Date): Promise<boolean>;

  /** Adds to what a session and its token have used. Returns both sums. */
  addSpending(session: string, spending: Spending): Promise<{ readonly session: Spending; readonly token: Spending }>;
  readSpending(session: string): Promise<{ readonly session: Spending; readonly token: Spending }>;

  addAudit(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  readAudit(limit: number): Promise<readonly AuditEntry[]>;

  /** Rejects when the store cannot be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Tells readers and workers that something about a session was committed; the log is the truth. */
export interface Notifier {
  /** @param live an event that is not kept, for readers that are up to date */
  notify(session: string, live?: SessionEvent): void;
  /** Returns the function that ends it. */
  watch(session: string, listener: (live?: SessionEvent) => void): () => void;
}

/** Sees to it that prompts are worked on. */
export interface Dispatcher {
  /** A prompt waits in the session. Can be called more than once for the same one. */
  dispatch(session: string): Promise<void>;
  /** Finishes the calls that run, and leaves the rest to the next worker; when the signal aborts, stops at once. */
  drain(signal: AbortSignal): Promise<void>;
}
