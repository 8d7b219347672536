import { join, resolve } from 'node:path';
import { BaeError, ConfigurationError, type AgentEvent, type AgentOptions, type SessionLog } from '@bae/core';
import { describeLastSession } from '@bae/memory';
import { Store, type Entry, type SessionInfo, type StoreOptions } from '@bae/store';
import { holdLock, WorkspaceRoot, type HeldLock } from '@bae/workspace';
import type { CommandContext } from './command-line/command.ts';
import { getPathKind } from './config/disk.ts';
import type { Settings } from './config/settings.ts';
import { getFolderKey } from './user-key.ts';

/** Session with a stored log. */
export interface KeptSession {
  readonly parts: SessionParts;
  /**
   * Starts another session in the same place, or resumes one. This process holds it until the process ends.
   *
   * @param wanted `last`, or the beginning of an id; undefined for a new one
   * @throws ConfigurationError when there is no such session, or another process works on it
   */
  open(wanted?: string, options?: OpenOptions): Promise<SessionParts>;
  /**
   * Starts a session that continues from the current state of another one, which remains. Consent given there is not
   * inherited.
   *
   * @param label its name in events
   * @throws ConfigurationError when no session is kept
   */
  fork(id: string, label: string): Promise<SessionParts>;
  /** Returns the ids of the sessions that can be resumed, newest first. */
  ids(): readonly string[];
  /** Returns the newest prompts, answers and outputs of a session or, with a text, all that contain it, oldest first. */
  entries(id: string, text?: string): readonly Entry[];
  /** Returns all events of a session; undefined if none are kept. */
  events(id: string): readonly AgentEvent[] | undefined;
  close(): void;
}

export interface OpenOptions {
  /** Name of a new session in events. Default: `1` */
  readonly label?: string;
  /** Id of a session that is not the last one, because it is open. */
  readonly except?: string;
}

/** Storage of a session, and the session that it resumes. */
export interface SessionParts extends Pick<AgentOptions, 'log' | 'results' | 'resume'> {
  /** Summary of the last conversation in this folder, for the beginning of a new session. */
  readonly lastSession?: string;
}

/** Session that ends with its process. */
const NOT_KEPT: KeptSession = {
  parts: {},
  open: async (wanted) => {
    if (wanted === undefined) return {};
    throw new ConfigurationError('no session is kept here, so none can be resumed.', ['/new']);
  },
  fork: async () => {
    throw new ConfigurationError('no session is kept here, so none can be forked.', ['/new']);
  },
  ids: () => [],
  entries: () => [],
  events: () => undefined,
  close: () => undefined,
};

/** Returns the path of the database, given by `--db` or in the folder. */
export function locateDatabase(
  root: string,
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
): string {
  return options.db === undefined ? join(root, '.bae', 'bae.db') : resolve(terminal.cwd, options.db);
}

/** Opens the store of a folder with the user's key; undefined if it does not exist, because reading creates no file. */
export async function openKeptStore(
  root: string,
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
): Promise<Store | undefined> {
  const file = locateDatabase(root, { options, terminal });
  if (getPathKind(file) === 'nothing') return undefined;
  return Store.open(file, getStoreKeys(root, { options, terminal }));
}

/**
 * Returns the keys of the database of a folder. In its own database, sessions from before the folder was moved are known
 * by the key of its former path; one that is given may have sessions of other folders, which are not.
 */
export function getStoreKeys(
  root: string,
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
): Pick<StoreOptions, 'key' | 'keyOf'> {
  const keyOf = (cwd: string) => getFolderKey(terminal.env, cwd);
  return { key: keyOf(root), ...(options.db === undefined && { keyOf }) };
}

/** Returns the requested session to continue, as it was named; undefined for a new one. */
export function getWantedSession(options: CommandContext['options']): string | undefined {
  return options.resume ?? (options.continue ? 'last' : undefined);
}

/**
 * Starts a session in the database, or resumes one. If the database cannot be used and no option requires it, the
 * session is not kept, and a line reports this.
 *
 * @throws StoreError for an unusable database; ConfigurationError when there is no such session, or another process
 * works on it
 */
export async function keepSession(settings: Settings, context: CommandContext): Promise<KeptSession> {
  const { options, terminal } = context;
  const held = new HeldSessions();
  const wanted = getWantedSession(options);
  const isWanted = options.db !== undefined || wanted !== undefined;
  let store: Store;
  try {
    store = Store.open(locateDatabase(settings.root, context), getStoreKeys(settings.root, context));
  } catch (error) {
    if (isWanted || !BaeError.is(error)) throw error;
    terminal.err.write(`this session is not kept: ${error.message.split('\n', 1)[0]}\n`);
    return NOT_KEPT;
  }
  try {
    const take = async (id: string, isNew: boolean) => {
      await held.take(store.file, id);
      // Even if processes cannot see each other's locks, the earlier one can no longer write. A new session has none.
      const epoch = isNew ? 0 : store.takeOver(id);
      return { log: store.log(id, epoch), results: store.results(id, epoch) };
    };
    const open = async (other?: string, { label, except }: OpenOptions = {}): Promise<SessionParts> => {
      const resumed = other && findSession(store.sessions(MOST_SESSIONS), other, except).id;
      const id = resumed ?? store.createSession({ cwd: settings.root, ...(label !== undefined && { label }) });
      const parts = await take(id, resumed === undefined);
      return { ...parts, resume: resumed === undefined ? undefined : openSnapshot(store, id, terminal) };
    };
    const fork = async (of: string, label: string): Promise<SessionParts> => {
      const snapshot = store.snapshot(of);
      const id = store.createSession({ cwd: settings.root, label });
      const { log, results } = await take(id, true);
      const { messages, held, quoted = [], location, history, seen, isForeign = false } = snapshot;
      for (const text of quoted) log.record({ kind: 'quoted', text });
      // The messages of somebody else are recorded when they are sent, as what they are then: a quoted text.
      for (const message of isForeign ? [] : messages) log.record({ kind: 'message', message });
      for (const text of isForeign ? [] : held) log.record({ kind: 'held', text });
      log.record({ kind: 'location', location, history });
      for (const [key, value] of seen) log.record({ kind: 'seen', key, value });
      const resume = { ...snapshot, id, label, consents: [], unfinished: [], unsent: [] };
      return { log, results, resume };
    };
    const lastSession =
      wanted === undefined && !isForgetful(settings) ? await tellLastSession(store, settings.root) : '';
    const parts = { ...(await open(wanted)), lastSession };
    if (settings.keepSessions !== undefined) store.keepNewest(settings.keepSessions);
    const close = (): void => {
      held.release();
      store.close();
    };
    const ids = () => store.sessions().flatMap((session) => (isUnused(session) ? [] : [session.id]));
    const entries = (id: string, text = ''): readonly Entry[] => {
      const found = store.search(text, { limit: MOST_ENTRIES, ...(text === '' && { session: id }) });
      return found.toSorted((one, other) => one.id - other.id);
    };
    return { parts, open, fork, ids, entries, events: (id) => store.events(id), close };
  } catch (error) {
    held.release();
    store.close();
    throw error;
  }
}

async function tellLastSession(store: Store, root: string): Promise<string> {
  using workspace = new WorkspaceRoot(root);
  return await describeLastSession(store, workspace);
}

/** Sessions held by this process; no other process may work on them at the same time. */
class HeldSessions {
  readonly #locks = new Map<string, HeldLock>();

  /** @throws ConfigurationError when another process works on the session */
  async take(database: string, id: string): Promise<void> {
    if (this.#locks.has(id)) return;
    const now = new Date();
    // Not toLocaleTimeString, which reads the data of a language: that takes longer than to open the database.
    const parts = [now.getHours(), now.getMinutes(), now.getSeconds()];
    const since = parts.map((part) => `${part}`.padStart(2, '0')).join(':');
    const lock = await holdLock(`${database}.${id}`, `process ${process.pid}, since ${since}`);
    if ('heldBy' in lock) throw makeHeldError(id, lock.heldBy);
    this.#locks.set(id, lock);
  }

  release(): void {
    for (const lock of this.#locks.values()) lock.release();
    this.#locks.clear();
  }
}

function makeHeldError(id: string, holder: string): ConfigurationError {
  const pid = /^process (\d+)/.exec(holder)?.[1];
  const by = holder === '' ? 'another process' : `another bae (${holder})`;
  return new ConfigurationError(`${by} works on session ${id.slice(0, 13)}; two would overwrite each other.`, [
    'go on there',
    'bae ask "…" starts a session of its own',
    ...(pid === undefined ? [] : [`kill ${pid} ends the other one; then type this again`]),
  ]);
}

/** Returns true if the place of earlier sessions is disabled; the agent is then not told about them, either. */
function isForgetful({ disabled = [] }: Settings): boolean {
  return disabled.includes('memory');
}

/** Reads a session to continue, and reports if another user wrote it, because consent of others is not valid. */
function openSnapshot(
  store: Store,
  id: string,
  { err }: CommandContext['terminal'],
): NonNullable<AgentOptions['resume']> {
  const snapshot = store.snapshot(id);
  if (snapshot.isForeign === true)
    err.write(
      'this session was written by someone else, or before bae signed sessions: approvals given in it do not apply.\n',
    );
  return snapshot;
}

/** Maximum number of listed entries. */
const MOST_ENTRIES = 20;

/** Maximum number of sessions that are searched. */
export const MOST_SESSIONS = 1000;

/** Returns true for a session that was opened but never used. */
export function isUnused({ turns, messages, calls, entries }: SessionInfo): boolean {
  return turns + messages + calls + entries === 0;
}

/**
 * Finds a session by `last`, which is the newest with a conversation, or by the beginning of its id.
 *
 * @param except id of a session that is not the last one
 * @throws ConfigurationError for none or several
 */
export function findSession(sessions: readonly SessionInfo[], wanted: string, except?: string): SessionInfo {
  if (wanted === 'last' || sessions.length === 0) {
    const last = sessions.find(({ id, turns, messages }) => id !== except && turns + messages > 0);
    if (last !== undefined) return last;
    const other = except === undefined ? '' : ' other';
    throw new ConfigurationError(`there is no${other} session in this folder.`, ['bae ask "…" starts one']);
  }
  if (wanted === '')
    throw new ConfigurationError('name a session by the start of its id, or as last.', ['bae sessions']);
  const [found, ...more] = sessions.filter(({ id }) => id.startsWith(wanted));
  if (found !== undefined && more.length === 0) return found;
  const count = found === undefined ? 'no session begins' : `${more.length + 1} sessions begin`;
  const remedy = found === undefined ? '' : ' Give more of the id.';
  throw new ConfigurationError(`${count} with '${wanted}'.${remedy}`, ['bae sessions']);
}

type SessionRecord = Parameters<NonNullable<SessionLog['record']>>[0];

/**
 * Keeps only the decisions about calls of a session that has no conversation, for `bae audit`. The database is opened
 * with the first decision: a session that only reads needs none.
 */
export class DecisionLog implements SessionLog {
  readonly #root: string;
  readonly #open: () => Store;
  readonly #report: (problem: string) => void;
  #store: Store | undefined;
  #log: ReturnType<Store['log']> | undefined;
  #isBroken = false;

  constructor({ root }: Pick<Settings, 'root'>, context: Pick<CommandContext, 'options' | 'terminal'>) {
    this.#root = root;
    this.#open = () => Store.open(locateDatabase(root, context), getStoreKeys(root, context));
    this.#report = (problem) => context.terminal.err.write(`decisions are not kept: ${problem}\n`);
  }

  append(): void {
    // Events belong to conversations.
  }

  record(record: SessionRecord): void {
    if (record.kind !== 'approval' || this.#isBroken) return;
    try {
      this.#store ??= this.#open();
      this.#log ??= this.#store.log(this.#store.createSession({ cwd: this.#root }));
      this.#log.record(record);
    } catch (error) {
      if (!BaeError.is(error)) throw error;
      this.#isBroken = true;
      this.#report(error.message.split('\n', 1)[0]!);
    }
  }

  close(): void {
    this.#store?.close();
  }
}

/** Keeps the decisions of sessions that cannot be resumed. */
export function keepDecisions(settings: Pick<Settings, 'root'>, context: CommandContext): KeptSession {
  const logs: DecisionLog[] = [];
  const add = () => {
    const log = new DecisionLog(settings, context);
    logs.push(log);
    return { log };
  };
  return {
    ...NOT_KEPT,
    parts: add(),
    open: async (wanted) => (wanted === undefined ? add() : NOT_KEPT.open(wanted)),
    close: () => {
      for (const log of logs) log.close();
    },
  };
}
