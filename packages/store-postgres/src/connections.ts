import { setTimeout as sleep } from 'node:timers/promises';
import { BaeError } from '@bae/core';
import { StoreError } from '@bae/store';
import pg from 'pg';

/** Options for connecting to a database on a server. */
export interface ConnectionOptions {
  /** `postgres://user:password@host:port/database`; missing parts are read from `PGHOST`, `PGPASSWORD` and so on. */
  readonly url: string;
  /** Maximum number of connections at a time. Default: 10. */
  readonly most?: number;
  /** Maximum wait for a server that cannot be reached, in milliseconds. Default: 15000. */
  readonly patienceMs?: number;
  /** Maximum wait for a server that could be reached before, in milliseconds. Default: `patienceMs`. */
  readonly retryMs?: number;
}

type Work<T> = (client: pg.PoolClient) => Promise<T>;

/** Schema for everything that bae stores. */
const SCHEMA = 'bae';
const MOST = 10;
const PATIENCE_MS = 15_000;
const PAUSE_MS = 200;
const CONNECT_MS = 5000;
/** Time after which a connection whose other end disappeared silently is given up, in milliseconds. */
const QUERY_MS = 30_000;
/**
 * Time after which the server rolls back a transaction whose other end says nothing, in milliseconds. Otherwise a worker
 * that is frozen or cut off would keep the rows of its session locked. Shorter than the time after which the queue counts
 * a worker as dead, so that the next one need not wait.
 */
const SILENCE_MS = 8000;

/**
 * Connections to one database, opened when needed. Errors become StoreErrors; models may read them, so they do not contain
 * the address, which is in their cause.
 */
export class Connections {
  readonly #pool: pg.Pool;
  #patienceMs: number;
  readonly #retryMs: number;
  #isClosed = false;

  constructor({ url, most = MOST, patienceMs = PATIENCE_MS, retryMs = patienceMs }: ConnectionOptions) {
    this.#patienceMs = patienceMs;
    this.#retryMs = retryMs;
    this.#pool = new pg.Pool({ ...readConnectionOptions(url), max: most });
    // If a connection breaks while it is not in use, the next query opens a new one.
    this.#pool.on('error', () => undefined);
  }

  /** Does work with one connection. If the connection breaks, it is not repeated, because its progress is unknown. */
  async use<T>(work: Work<T>): Promise<T> {
    const client = await this.#connect();
    let failure: Error | undefined;
    const note = (error: Error): void => void (failure = error);
    client.on('error', note);
    try {
      return await work(client);
    } catch (error) {
      // After a connection error or a timeout, the connection may return answers to earlier queries.
      if (!BaeError.is(error) && !isSqlError(error)) failure ??= error as Error;
      throw toDatabaseError(error);
    } finally {
      client.off('error', note);
      client.release(failure);
    }
  }

  /** Does work in one transaction: either all of it is stored, or none of it. */
  transaction<T>(work: Work<T>): Promise<T> {
    return this.use(async (client) => {
      await client.query('BEGIN');
      try {
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  async query(sql: string, values: readonly unknown[] = []): Promise<pg.QueryResult<Record<string, unknown>>> {
    return this.use((client) => client.query<Record<string, unknown>>(sql, [...values]));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#pool.end();
  }

  /** Connects, waiting for a server that is starting or restarting. */
  async #connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + this.#patienceMs;
    for (;;) {
      try {
        const client = await this.#pool.connect();
        this.#patienceMs = this.#retryMs;
        return client;
      } catch (error) {
        if (this.#isClosed || !isUnreachable(error) || performance.now() > deadline)
          throw new StoreError('the database cannot be reached now.', ['try again in a few seconds'], error);
        await sleep(PAUSE_MS);
      }
    }
  }
}

/** Reads the connection options for `pg`; also used for a connection outside of the pool. */
export function readConnectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: checkUrl(url),
    application_name: 'bae',
    options: `-c search_path=${SCHEMA} -c idle_in_transaction_session_timeout=${SILENCE_MS}`,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    types: {
      getTypeParser: (id, format) => (id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format)),
    },
  };
}

function checkUrl(url: string): string {
  const isAddress = /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url);
  if (isAddress) return url;
  throw new StoreError(`database: expected postgres://USER@HOST/NAME; got ${JSON.stringify(hidePassword(url))}.`, [
    '--database postgres://bae@localhost/bae',
  ]);
}

/** Hides the password in an address, for messages. */
export function hidePassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:/@]*):[^@]*@/, '$1:…@').replaceAll(/(password=)[^&]*/g, '$1…');
}

/** Tests for an error that the server reports about a statement, after which the connection still works. */
function isSqlError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  // Classes 57P and 08, and a transaction that was idle for too long: the server ends the connection.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !/^(?:57P|08|25P03)/.test(code);
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT', '57P01', '57P02', '57P03']);

/** Tests for an error after which the server may become reachable a little later. */
function isUnreachable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  return (code !== undefined && UNREACHABLE.has(code)) || /timeout|terminated/i.test(message);
}

function toDatabaseError(error: unknown): Error {
  if (BaeError.is(error)) return error;
  const { message } = error as Error;
  return isSqlError(error)
    ? new StoreError(`the database refused a statement: ${message}.`, ['tell whoever runs the database'], error)
    : new StoreError('the connection to the database broke.', ['try again in a few seconds'], error);
}
