import type { AgentEvent, AgentOptions } from '@bae/core';
import type { RecordedApproval } from './read-snapshot.ts';
import type { SearchOptions } from './entries/search-entries.ts';
import type { Entry } from './entries/session-entry.ts';

/** A value, or a promise of it: SQLite works in this process and returns values, a server promises. */
export type Awaitable<T> = T | Promise<T>;

/** What a session is started with. */
export interface NewSession {
  /** Name in events. Default: `1`. */
  readonly label?: string;
  /** Folder it works in. Default: empty. */
  readonly cwd?: string;
  /** Anything else, as plain JSON. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A session as one line of a list. */
export interface SessionInfo {
  readonly id: string;
  readonly label: string;
  readonly started: Date;
  readonly cwd: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly turns: number;
  readonly messages: number;
  /** Calls and run blocks. */
  readonly calls: number;
  /** Beginning of the first prompt, in one line of at most 60 characters; absent before there is one. */
  readonly prompt?: string;
  /** Whether it was started with the user's key; absent where that is not known. */
  readonly isOwn?: boolean;
}

/** An event of an agent, or of whoever serves it: plain JSON. */
export interface LogEvent {
  readonly type: string;
}

/** An event and its place. Events and what else is kept of a session share one sequence without gaps. */
export interface LoggedEvent {
  readonly seq: number;
  readonly time: Date;
  /** Epoch under which it was written; absent when its writer held none. */
  readonly epoch?: number;
  readonly event: AgentEvent;
}

/** What `createAgent` takes to keep a session, and to continue it. */
export type SessionParts = Required<Pick<AgentOptions, 'log' | 'results'>> & Pick<AgentOptions, 'resume'>;

/**
 * The sessions of a file or of a server: what happened in them, how they go on, and a search through them.
 *
 * Data is safe when a method has returned. Who works on a session holds its *epoch*: a number that `takeOver` raises.
 * What is written with an epoch is written in one transaction that checks it; when somebody else has taken over since,
 * nothing is written, and the method throws a `FencedError`. Every method throws a `StoreError` for a session that is
 * not there, and for a store that cannot be read or written.
 */
export interface SessionStore {
  /** Starts a session and returns its id; ids sort by age. */
  createSession(session?: NewSession): Awaitable<string>;
  /** The newest sessions, newest first. Default: 20. */
  sessions(limit?: number): Awaitable<readonly SessionInfo[]>;
  /** Takes a session over: returns its new epoch, and every holder of an earlier one can write no more. */
  takeOver(session: string): Awaitable<number>;
  /** The session as it was last written, and where to write on; `resume` is absent before its first message. */
  openSession(session: string, epoch?: number): Awaitable<SessionParts>;
  /** Appends an event and returns its place. */
  append(session: string, event: LogEvent, epoch?: number): Awaitable<number>;
  /** Events after a place, in order; at most `limit`. */
  eventsAfter(session: string, after: number, limit: number): Awaitable<readonly LoggedEvent[]>;
  /** Place of the last thing that was written; 0 for none. */
  endOf(session: string): Awaitable<number>;
  /** The latest decisions about calls, newest first, of one session or of all. Default: 100. */
  approvals(options?: { readonly session?: string; readonly limit?: number }): Awaitable<readonly RecordedApproval[]>;
  /** True when a session was written with the store's key alone; undefined without a key. */
  isProven(session: string): Awaitable<boolean | undefined>;
  /** Prompts, answers and outputs of a session in their order. Default: the first 40. */
  entries(session: string, options?: { readonly from?: number; readonly limit?: number }): Awaitable<readonly Entry[]>;
  entry(id: number): Awaitable<Entry | undefined>;
  /** How many entries there are, by session. */
  countEntries(): Awaitable<ReadonlyMap<string, number>>;
  /** Finds prompts, answers and outputs with every word of a text, best first; without words, the latest. */
  search(text: string, options?: SearchOptions): Awaitable<readonly Entry[]>;
  /** Can be called more than once. */
  close(): Awaitable<void>;
}
