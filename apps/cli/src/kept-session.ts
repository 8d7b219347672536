import { join, resolve } from 'node:path';
import { BaeError, ConfigurationError, type AgentEvent, type AgentOptions } from '@bae/core';
import type { SessionInfo, Store } from '@bae/store';
import type { CommandContext } from './command-line/command.ts';
import { getPathKind } from './config/disk.ts';
import type { Settings } from './config/settings.ts';

/** A session whose log is stored. */
export interface KeptSession {
  readonly parts: SessionParts;
  /**
   * Starts another session in the same place, or resumes one.
   *
   * @param wanted `last`, or the beginning of an id; undefined for a new one
   * @param label name of a new one in events. Default: `1`
   * @throws ConfigurationError when there is no such session
   */
  open(wanted?: string, label?: string): SessionParts;
  /**
   * Starts a session that goes on where another one is, beside it. What was allowed in that one is asked again.
   *
   * @param label its name in events
   * @throws ConfigurationError where no session is kept
   */
  fork(id: string, label: string): SessionParts;
  /** Everything that happened in a session; undefined when none is kept. */
  events(id: string): readonly AgentEvent[] | undefined;
  close(): void;
}

/** Where an agent keeps a session, and what it resumes. */
export interface SessionParts extends Pick<AgentOptions, 'log' | 'results' | 'resume'> {
  /** What was said last in this folder, for the beginning of a new session. */
  readonly lastSession?: string;
}

/** A session that ends with its process. */
export const NOT_KEPT: KeptSession = {
  parts: {},
  open: (wanted) => {
    if (wanted === undefined) return {};
    throw new ConfigurationError('no session is kept here, so that none can be resumed.', ['/new']);
  },
  fork: () => {
    throw new ConfigurationError('no session is kept here, so that none can be forked.', ['/new']);
  },
  events: () => undefined,
  close: () => undefined,
};

/** The path of the database: of `--db`, or of the folder. */
export function locateDatabase(
  root: string,
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
): string {
  return options.db === undefined ? join(root, '.bae', 'bae.db') : resolve(terminal.cwd, options.db);
}

/** The store of a folder, with the user's key; undefined where there is none: looking leaves no file behind. */
export async function openKeptStore(
  root: string,
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
): Promise<Store | undefined> {
  const file = locateDatabase(root, { options, terminal });
  if (getPathKind(file) === 'nothing') return undefined;
  const [{ Store: Sessions }, { getFolderKey }] = await Promise.all([import('@bae/store'), import('./user-key.ts')]);
  return Sessions.open(file, { key: getFolderKey(terminal.env, root) });
}

/** The session that is to be continued, as it was named; undefined for a new one. */
export function getWantedSession(options: CommandContext['options']): string | undefined {
  return options.resume ?? (options.continue ? 'last' : undefined);
}

/**
 * Starts a session in the database, or resumes one. When the database cannot be used and no option needs it, the
 * session is not kept, and a line reports that.
 *
 * @throws StoreError for an unusable database; ConfigurationError when there is no such session
 */
export async function keepSession(settings: Settings, context: CommandContext): Promise<KeptSession> {
  const { options, terminal } = context;
  const [{ Store }, { describeLastSession }] = await Promise.all([import('@bae/store'), import('@bae/memory')]);
  const wanted = getWantedSession(options);
  const isWanted = options.db !== undefined || wanted !== undefined;
  let store: Store;
  try {
    const { getFolderKey } = await import('./user-key.ts');
    store = Store.open(locateDatabase(settings.root, context), { key: getFolderKey(terminal.env, settings.root) });
  } catch (error) {
    if (isWanted || !BaeError.is(error)) throw error;
    terminal.err.write(`this session is not kept: ${error.message.split('\n', 1)[0]}\n`);
    return NOT_KEPT;
  }
  try {
    const open = (other?: string, label?: string): SessionParts => {
      const resumed = other && findSession(store.sessions(1000), other).id;
      const id = resumed ?? store.createSession({ cwd: settings.root, ...(label !== undefined && { label }) });
      const resume = resumed !== undefined && { resume: openSnapshot(store, id, terminal) };
      return { log: store.log(id), results: store.results(id), ...resume };
    };
    const fork = (of: string, label: string): SessionParts => {
      const { isForeign: _, ...snapshot } = store.snapshot(of);
      const id = store.createSession({ cwd: settings.root, label });
      const log = store.log(id);
      const { messages, held, location, history, seen } = snapshot;
      for (const message of messages) log.record({ kind: 'message', message });
      for (const text of held) log.record({ kind: 'held', text });
      log.record({ kind: 'location', location, history });
      for (const [key, value] of seen) log.record({ kind: 'seen', key, value });
      const resume = { ...snapshot, id, label, consents: [], unfinished: [], unsent: [] };
      return { log, results: store.results(id), resume };
    };
    const lastSession = wanted === undefined && !isForgetful(settings) ? describeLastSession(store) : '';
    const parts = { ...open(wanted), lastSession };
    if (settings.keepSessions !== undefined) store.keepNewest(settings.keepSessions);
    return { parts, open, fork, events: (id) => store.events(id), close: () => store.close() };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** True where the place of earlier sessions is left out: then they are not told of, either. */
function isForgetful({ disabled = [] }: Settings): boolean {
  return disabled.includes('memory');
}

/** Reads a session to go on with, and reports when it is not the user's own: consents of others do not count. */
function openSnapshot(
  store: Store,
  id: string,
  { err }: CommandContext['terminal'],
): NonNullable<AgentOptions['resume']> {
  const { isForeign = false, ...snapshot } = store.snapshot(id);
  if (isForeign)
    err.write(
      'this session was not written by your bae, or before it could prove that: nothing that was allowed in it counts.\n',
    );
  return snapshot;
}

/** Finds a session by `last` or the beginning of its id, newest first. @throws ConfigurationError for none or several */
export function findSession(sessions: readonly SessionInfo[], wanted: string): SessionInfo {
  const [latest] = sessions;
  if (latest === undefined)
    throw new ConfigurationError('there is no session to go on with.', ['bae ask "…" starts one']);
  if (wanted === 'last') return latest;
  const [found, ...more] = sessions.filter(({ id }) => id.startsWith(wanted));
  if (found !== undefined && more.length === 0) return found;
  const count = found === undefined ? 'no session begins' : `${more.length + 1} sessions begin`;
  const remedy = found === undefined ? '' : ' Give more of the id.';
  throw new ConfigurationError(`${count} with '${wanted}'.${remedy}`, ['bae sessions']);
}
