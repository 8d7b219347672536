import type { AgentEvent, AgentOptions } from '@bae/core';
import type { RecordedApproval } from './read-snapshot.ts';
import type { EntryFilter, EntrySearchOptions } from './entries/search-entries.ts';
import type { Entry } from './entries/session-entry.ts';

/** A value or a promise of it: SQLite runs in this process and returns values, a server returns promises. */
export type Awaitable<T> = T | Promise<T>;

/** Properties of a new session. */
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
  /** Prompts, answers and outputs. */
  readonly entries: number;
  /** Start of the first prompt, in one line of at most 60 characters; absent if there is no prompt yet. */
  readonly prompt?: string;
  /** True when it was started with the user's key; absent when that is not known. */
  readonly isOwn?: boolean;
}

/** An event of an agent or of its server, as plain JSON. */
export interface LogEvent {
  readonly type: string;
}

/** An event and its place. Events and the other records of a session share one sequence without gaps. */
export interface LoggedEvent {
  readonly seq: number;
  readonly time: Date;
  /** Epoch under which it was written; absent when its writer held none. */
  readonly epoch?: number;
  readonly event: AgentEvent;
}

/** The options of `createAgent` that keep a session and continue it. */
export type SessionParts = Pick<AgentOptions, 'resume'> & {
  readonly [Name in 'log' | 'results']: NonNullable<AgentOptions[Name]>;
};

/** Changes to the tags of an entry. */
export interface TagChange {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** Earlier sessions, and a search through their entries. */
export interface SessionMemory {
  /** The newest sessions, of one folder or all, newest first. Default: 20. */
  sessions(limit?: number, cwd?: string): Awaitable<readonly SessionInfo[]>;
  /** Entries in order, of one session or all that are selected, starting at a position. Default: the first 40. */
  entries(
    session: string | EntryFilter,
    page?: { readonly from?: number; readonly limit?: number },
  ): Awaitable<readonly Entry[]>;
  entry(id: number): Awaitable<Entry | undefined>;
  /** The numbers of the entries before and after one in its session. */
  neighbours(entry: Entry): Awaitable<{ readonly previous?: number; readonly next?: number }>;
  /** Finds prompts, answers and outputs with every word of a text, best first; without words, the latest. */
  search(text: string, options?: EntrySearchOptions): Awaitable<readonly Entry[]>;
  /**
   * Counts the entries that a search finds, up to `limit` (10,000); undefined if that would mean reading every text.
   */
  countMatches(text: string, options?: EntrySearchOptions): Awaitable<number | undefined>;
  /** Every tag with the number of its entries, in one folder or all. */
  tags(cwd?: string): Awaitable<ReadonlyMap<string, number>>;
  tagsOf(entry: number): Awaitable<readonly string[]>;
  /** Adds tags to an entry and removes tags from it. Nothing else in an entry can be changed. */
  tag(entry: number, change: TagChange): Awaitable<void>;
  /** A whole result that was kept; undefined when there is none, or it is not signed with the key of the store. */
  keptResult(session: string, ref: string): Awaitable<string | undefined>;
  /** Can be called more than once. */
  close(): Awaitable<void>;
}

/**
 * The sessions in a file or on a server: their events, the data to resume them, and a search through them.
 *
 * Data is stored safely when a method has returned. The worker of a session holds its *epoch*: a number that `takeOver`
 * raises. A write with an epoch checks it in the same transaction; if another worker has taken over since, nothing is
 * written, and the method throws a `FencedError`. Every method throws a `StoreError` if the session does not exist, or
 * if the store cannot be read or written.
 */
export interface SessionStore extends SessionMemory {
  /** Starts a session and returns its id; ids sort by age. */
  createSession(session?: NewSession): Awaitable<string>;
  /** Takes over a session and returns its new epoch; holders of an earlier epoch can no longer write. */
  takeOver(session: string): Awaitable<number>;
  /** The last written state of the session, and its log and results; `resume` is absent before its first message. */
  openSession(session: string, epoch?: number): Awaitable<SessionParts>;
  /** Appends an event and returns its place. */
  append(session: string, event: LogEvent, epoch?: number): Awaitable<number>;
  /** Events after a place, in order; at most `limit`. */
  eventsAfter(session: string, after: number, limit: number): Awaitable<readonly LoggedEvent[]>;
  /** Place of the last write; 0 for none. */
  endOf(session: string): Awaitable<number>;
  /** The latest decisions about calls, newest first, of one session or of all. Default: 100. */
  approvals(options?: { readonly session?: string; readonly limit?: number }): Awaitable<readonly RecordedApproval[]>;
  /** True when everything in a session was written with the key of the store; undefined without a key. */
  isProven(session: string): Awaitable<boolean | undefined>;
}
