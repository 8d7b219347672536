import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ConfigurationError } from '@bae/core';
import {
  LocalNotifier,
  LocalWork,
  openFileStore,
  SERVER_TABLES,
  SharedWork,
  SqlServerStore,
  type Dispatcher,
  type Notifier,
  type ServerStore,
  type Workshop,
  type Workspaces,
} from '@bae/server';
import { openDatabase, type Database, type SqlDatabase } from '@bae/store';
import { tasksTables } from '@bae/tasks';
import type { CommandContext } from '../command-line/command.ts';
import { getFolderKey } from '../user-key.ts';

/** Work on sessions, in this process or in any that shares the database. */
export interface Work extends Dispatcher {
  /** Begins to work in this process, starting with work left by an earlier one. */
  begin(): Promise<void>;
}

interface WorkParts extends Omit<Workshop, 'store' | 'notifier'> {
  /** Maximum number of sessions that are worked on at the same time. */
  readonly most: number;
  readonly report: (error: unknown) => void;
  /** Says why this process cannot work on a session. */
  readonly findObstacle: Workspaces['findObstacle'];
}

/** Storage of a server's data, and the delivery of prompts to workers. */
export interface Backend {
  readonly store: ServerStore;
  readonly notifier: Notifier;
  /** True if servers and workers are separate processes. */
  readonly isShared: boolean;
  readonly openWork: (parts: WorkParts) => Promise<Work>;
  /** Opens the tasks of a workspace; absent if they are in its folder. */
  readonly openTasks?: (list: string) => Promise<SqlDatabase>;
  close(): Promise<void>;
}

/**
 * Returns the address of the shared database, from `--database` or `BAE_DATABASE`; undefined if files of this machine
 * are used.
 */
export function getDatabaseUrl({
  options,
  terminal,
}: Pick<CommandContext, 'options' | 'terminal'>): string | undefined {
  return options.database ?? (terminal.env['BAE_DATABASE'] || undefined);
}

/** Opens storage in files of a folder, with work in this process. */
export function openFileBackend(data: string, { terminal }: Pick<CommandContext, 'terminal'>): Backend {
  const store = openFileStore(data, { key: getFolderKey(terminal.env, data) });
  const notifier = new LocalNotifier();
  let claim: Database | undefined;
  return {
    store,
    notifier,
    isShared: false,
    async openWork(parts) {
      claim = claimWork(data);
      const work = new LocalWork({ store, notifier, ...parts });
      return Object.assign(work, { begin: () => work.resume() });
    },
    async close() {
      await store.close();
      claim?.close();
    },
  };
}

/** Time for an earlier server of the same folder to end, in milliseconds. */
const CLAIM_MS = 2000;

/**
 * Claims the sessions of a folder for this process until the result is closed, or the process ends in any way.
 *
 * @throws ConfigurationError while another process works on them: each would take every session over from the other
 */
function claimWork(data: string): Database {
  const claim = openDatabase(join(data, 'work.db'), { busyMs: CLAIM_MS });
  try {
    claim.execute('BEGIN EXCLUSIVE');
    return claim;
  } catch (error) {
    claim.close();
    throw new ConfigurationError(
      `another bae serve works on the sessions in ${data}.`,
      [
        'end it first',
        'use a folder of its own: bae serve --data FOLDER',
        'share a database: bae serve --database URL',
      ],
      error,
    );
  }
}

/**
 * Opens storage in PostgreSQL, which servers and workers share.
 *
 * @param options retryMs: maximum wait for a database that is restarting, in milliseconds; 15 seconds by default
 * @throws ConfigurationError when the package for it is not installed; StoreError when the database cannot be used
 */
export async function openSharedBackend(
  url: string,
  context: Pick<CommandContext, 'terminal'>,
  { retryMs }: { readonly retryMs?: number } = {},
): Promise<Backend> {
  const { openPostgres, WorkQueue } = await importPostgres();
  const key = readDatabaseKey(context);
  const postgres = await openPostgres({ url, ...(key && { key }), ...(retryMs !== undefined && { retryMs }) });
  const database = await postgres.openTables({ name: 'server', steps: SERVER_TABLES });
  const store = new SqlServerStore({ sessions: postgres.sessions, database });
  const notifier = postgres.notifications;
  let queue: Awaited<ReturnType<typeof WorkQueue.open>> | undefined;
  const lists = new Map<string, Promise<SqlDatabase>>();
  return {
    store,
    notifier,
    isShared: true,
    openTasks(list) {
      const opened = lists.get(list) ?? postgres.openTables(tasksTables(list));
      lists.set(list, opened);
      // A failed opening is tried again.
      opened.catch(() => lists.delete(list));
      return opened;
    },
    async openWork({ most, report, ...parts }) {
      const opened = await WorkQueue.open({ url, report });
      queue = opened;
      return {
        dispatch: (session) => opened.dispatch(session),
        drain: (signal) => opened.drain(signal),
        async begin() {
          for (const session of await store.listUnfinished()) await opened.dispatch(session);
          const dispatch = (session: string): Promise<void> => opened.dispatch(session);
          const shared = new SharedWork({ store, notifier, dispatch, report, ...parts });
          await opened.work({
            most,
            work: async (session, { drain, stop }) => shared.work(session, { leave: drain, stop }),
          });
        },
      };
    },
    async close() {
      await queue?.close();
      await postgres.close();
    },
  };
}

/**
 * Opens the tasks that served sessions of a workspace share.
 *
 * @param of name of a folder, or `TOKEN:git:REPOSITORY`
 * @throws as `openSharedBackend` does
 */
export async function openServedTasks(url: string, of: string) {
  const { openPostgres } = await importPostgres();
  const postgres = await openPostgres({ url, most: 1 });
  try {
    const database = await postgres.openTables(tasksTables(of.includes(':') ? of : nameFolderTasks(of)));
    return { database, close: () => postgres.close() };
  } catch (error) {
    await postgres.close();
    throw error;
  }
}

/** Returns the name of the tasks of a folder, which all its sessions share. */
export function nameFolderTasks(folder: string): string {
  return `folder:${folder}`;
}

async function importPostgres(): Promise<typeof import('@bae/store-postgres')> {
  try {
    return await import('@bae/store-postgres');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ConfigurationError(
      '--database needs the package @bae/store-postgres, which is not installed.',
      ['npm install @bae/store-postgres'],
      error,
    );
  }
}

/** Minimum length of the secret, in characters. */
const SHORTEST = 32;

/** Reads the secret that proves that these servers and workers wrote a session; undefined if there is none. */
function readDatabaseKey({ terminal }: Pick<CommandContext, 'terminal'>): Uint8Array | undefined {
  const text = terminal.env['BAE_DATABASE_KEY'] ?? '';
  if (text === '') return undefined;
  if (text.length >= SHORTEST) return createHash('sha256').update(text).digest();
  throw new ConfigurationError(`BAE_DATABASE_KEY: expected at least ${SHORTEST} characters; got ${text.length}.`, [
    'export BAE_DATABASE_KEY=$(openssl rand -hex 32)',
  ]);
}
