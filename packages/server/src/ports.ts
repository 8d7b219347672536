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
import type { SessionMemory, SessionParts } from '@bae/store';

/** A right of the bearer of a token: effects of calls, and replies to questions about them. */
export type Right = Effect | 'approve';

/** A token as it is stored, without its secret. */
export interface Token {
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string;
  readonly created: Date;
  readonly expires?: Date | undefined;
  readonly revoked?: Date | undefined;
  /** Last use, precise to a day; undefined if it was never used. */
  readonly used?: Date | undefined;
  readonly may: readonly Right[];
  /** Names of spaces at home; `*` for all. */
  readonly spaces: readonly string[];
  /** Names of folders from the operator's list, and prefixes of repository addresses; `*` for all. */
  readonly folders: readonly string[];
  /** Names of other tokens whose sessions it may see, cancel, and with `approve` reply to. */
  readonly sessionsOf: readonly string[];
  readonly budget: Budget;
}

/** All properties of a new session. */
export interface NewServedSession {
  /** Name of a token. */
  readonly owner: string;
  readonly workspace: Workspace;
  readonly spaces: readonly string[];
  readonly may: readonly Effect[];
  readonly budget: Budget;
}

/** A prompt as it is stored. */
export interface QueuedPrompt extends Prompt {
  readonly text: string;
  /** Place in the log at the time when it was first taken; 0 before that. */
  readonly takenAt: number;
  /** Number of times that a worker took it. */
  readonly tries: number;
}

/** A prompt that is being worked on, and the epoch of its worker. */
export interface TakenPrompt extends QueuedPrompt {
  readonly epoch: number;
}

/** A question with its reply. */
export interface KeptQuestion {
  readonly question: Question;
  readonly session: string;
  /** Absent while it waits. */
  readonly reply?: Reply | undefined;
  /** True when nothing waits for its reply any longer. */
  readonly isClosed: boolean;
}

/** One line of the audit of the server: an action, and the token or operator that did it. */
export interface AuditEntry {
  readonly time: Date;
  /** Name of a token, or `operator`. */
  readonly by: string;
  readonly what: string;
  readonly session?: string | undefined;
  readonly detail?: string | undefined;
}

/**
 * All data of a server. When a method has returned, its data is stored safely. An unknown session is a StoreError,
 * unless `undefined` is a possible result.
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
  /** @throws FencedError when another worker has the session, as all methods with an epoch do */
  setState(session: string, state: SessionState, epoch: number): Promise<void>;

  /** Adds an event of the server or, with an epoch, of the worker of the session. Returns its place. */
  append(session: string, event: SessionEvent, epoch?: number): Promise<number>;
  /** Events after a place in the log, in order. */
  readEvents(session: string, after: number, limit: number): Promise<readonly LoggedEvent[]>;
  /** Place of the last entry of the log; 0 for none. */
  readEnd(session: string): Promise<number>;
  /** Returns the options of `createAgent` to keep and resume the session, for the worker that holds its epoch. */
  openLog(session: string, epoch: number): Promise<SessionParts>;
  /** Earlier sessions; those with the `cwd` have the same owner and workspace as a session. */
  openMemory(session: Session): { readonly store: SessionMemory; readonly cwd: string };

  /**
   * Puts a prompt into the queue of a session. The same key again is the same prompt.
   *
   * @throws ApiError for a key of another text
   */
  addPrompt(
    session: string,
    prompt: { readonly text: string; readonly key?: string | undefined },
  ): Promise<QueuedPrompt & { readonly isNew: boolean }>;
  countWaiting(session: string): Promise<number>;
  /**
   * Takes over the session, and with it the prompt that was being worked on when its worker ended, otherwise the oldest
   * waiting one. The next write of the previous worker throws a FencedError.
   */
  takePrompt(session: string): Promise<TakenPrompt | undefined>;
  /**
   * Ends a prompt. Until it is closed it can still be taken, with its outcome, so that its end gets into the log, too.
   */
  endPrompt(prompt: TakenPrompt, outcome: string): Promise<void>;
  closePrompt(prompt: TakenPrompt & { readonly outcome: string }): Promise<void>;
  readPrompt(id: string): Promise<QueuedPrompt | undefined>;
  /**
   * Ends waiting prompts, and asks the worker to stop the running one. The end of each gets into the log when the session
   * is worked on next. Returns the number of affected prompts.
   */
  requestCancel(session: string): Promise<number>;
  isCancelled(prompt: string): Promise<boolean>;
  /** Sessions with prompts that wait, or were being worked on. */
  listUnfinished(): Promise<readonly string[]>;
  /** Counts the sessions that wait for a worker, and those that are worked on, by any process. */
  countUnfinished(): Promise<{ readonly waiting: number; readonly running: number }>;

  addQuestion(session: string, question: Question): Promise<void>;
  readQuestion(id: string): Promise<KeptQuestion | undefined>;
  /** Questions that wait for a reply, oldest first. */
  listQuestions(session: string): Promise<readonly Question[]>;
  /** Questions that are not closed, oldest first: they wait for a reply, or for a worker to take it. */
  listOpenQuestions(session: string): Promise<readonly Question[]>;
  /** False when the question already has a reply, or is closed. */
  addReply(question: string, reply: Reply, by: string): Promise<boolean>;
  /** Accepts no reply from now on, and returns the one that it has. */
  closeQuestion(id: string, worker: Pick<TakenPrompt, 'session' | 'epoch'>): Promise<Reply | undefined>;

  addToken(token: Token): Promise<void>;
  findToken(id: string): Promise<Token | undefined>;
  listTokens(): Promise<readonly Token[]>;
  noteTokenUse(id: string, at: Date): Promise<void>;
  /** False when no token of that name is in use. */
  revokeToken(name: string, at: Date): Promise<boolean>;

  /** Adds to the spending of a session and its token. Returns both totals. */
  addSpending(session: string, spending: Spending): Promise<{ readonly session: Spending; readonly token: Spending }>;
  readSpending(session: string): Promise<{ readonly session: Spending; readonly token: Spending }>;

  addAudit(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  readAudit(limit: number): Promise<readonly AuditEntry[]>;

  /** Rejects when the store cannot be read. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Tells readers and workers that something about a session was committed; the log has the actual data. */
export interface Notifier {
  /** @param live an event that is not stored, for readers that are up to date */
  notify(session: string, live?: SessionEvent): void;
  /** Returns a function that stops watching. */
  watch(session: string, listener: (live?: SessionEvent) => void): () => void;
}

/** Arranges for prompts to be worked on. */
export interface Dispatcher {
  /** Queues a session in which a prompt waits. Can be called more than once for the same session. */
  dispatch(session: string): Promise<void>;
  /** Finishes the running calls, and leaves the rest to the next worker; when the signal aborts, stops at once. */
  drain(signal: AbortSignal): Promise<void>;
}
