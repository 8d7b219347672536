import { StoreError, type SqlDatabase, type SqlQueries, type SqlValue } from '@bae/store';
import type { PoolClient } from 'pg';
import { makeNewerError, readBaeVersion, type Row } from '@bae/store/backend';
import { Connections, hidePassword, type ConnectionOptions } from './connections.ts';
import { Notifications } from './notifications.ts';
import { PostgresSessions, type SessionsOptions } from './postgres-sessions.ts';
import { SESSION_TABLES } from './session-tables.ts';

/** A database of bae on a PostgreSQL server. */
export interface Postgres {
  readonly sessions: PostgresSessions;
  readonly notifications: Notifications;
  /** Opens the tables of another package, and migrates them to their newest version. */
  openTables(tables: Tables): Promise<SqlDatabase>;
  /** Can be called more than once. */
  close(): Promise<void>;
}

/**
 * Connects to a database and migrates its tables to the newest version.
 *
 * @throws StoreError when it cannot be reached or used, or was created by a newer bae (it is left unchanged)
 */
export async function openPostgres(options: ConnectionOptions & SessionsOptions): Promise<Postgres> {
  const connections = new Connections(options);
  try {
    await migrateTables(connections, { name: 'sessions', steps: SESSION_TABLES });
  } catch (error) {
    await connections.close();
    throw explainToOperator(error, options.url);
  }
  const notifications = new Notifications(connections, options.url);
  return {
    sessions: new PostgresSessions(connections, options),
    notifications,
    async openTables(tables) {
      await migrateTables(connections, tables);
      return createSqlDatabase(connections, tables.schema);
    },
    async close() {
      await notifications.close();
      await connections.close();
    },
  };
}

/** Adds the address to an error, for the operator, who chose it. */
function explainToOperator(error: unknown, url: string): unknown {
  const { cause } = error as StoreError;
  if (cause === undefined) return error;
  const { message, code } = cause as { readonly message: string; readonly code?: string };
  const hints = ['check that the server is running and the address is right'];
  return new StoreError(`${hidePassword(url)}: ${message === '' ? String(code) : message}.`, hints, cause);
}

/** Tables of one part of bae, with their own version numbers. */
export interface Tables {
  readonly name: string;
  /** Schema of the tables, as letters, digits and `_`. Default: that of bae. */
  readonly schema?: string;
  /** Statements that migrate each version to the next: never changed, only added. */
  readonly steps: readonly string[];
}

/** Number of the advisory lock of bae: "bae" in ASCII. */
const LOCK = 0x626165;

/**
 * Migrates tables to the newest version in one transaction; if several processes try, one migrates and the others wait.
 *
 * @throws StoreError for tables of a later version, which are left unchanged
 */
export async function migrateTables(connections: Connections, { name, schema, steps }: Tables): Promise<void> {
  await connections.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await client.query('CREATE SCHEMA IF NOT EXISTS bae');
    if (schema !== undefined)
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}; SET LOCAL search_path = ${schema}`);
    await client.query('CREATE TABLE IF NOT EXISTS versions (name TEXT PRIMARY KEY, version BIGINT NOT NULL)');
    const { version, needs } = await readTablesVersion(client, name);
    if (version > steps.length)
      throw makeNewerError(
        { subject: `database: its tables of ${name} were`, version, known: steps.length, needs },
        'use another database: --database postgres://HOST/NAME',
      );
    if (version === steps.length) return;
    for (const step of steps.slice(version)) await client.query(step);
    await client.query('ALTER TABLE versions ADD COLUMN IF NOT EXISTS bae TEXT');
    await client.query(WRITE_VERSION, [name, steps.length, readBaeVersion()]);
  });
}

/** The version of bae is that which migrated the tables: a later one that changes nothing is not needed for them. */
const WRITE_VERSION = `
  INSERT INTO versions (name, version, bae) VALUES ($1, $2, $3)
  ON CONFLICT (name) DO UPDATE SET version = excluded.version, bae = excluded.bae`;
/** As JSON, because the table of an early bae does not have that column. */
const READ_VERSION = `SELECT version, to_jsonb(versions)->>'bae' AS bae FROM versions WHERE name = $1`;

async function readTablesVersion(client: PoolClient, name: string) {
  const { rows } = await client.query<{ version: number; bae: string | null }>(READ_VERSION, [name]);
  return { version: rows[0]?.version ?? 0, needs: rows[0]?.bae ?? undefined };
}

/** Runs one statement, on any connection or on that of a transaction. */
type Query = (
  sql: string,
  values: SqlValue[],
) => Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>;

/** Tables on a server, for `@bae/server` and other packages with their own tables. */
function createSqlDatabase(connections: Connections, schema?: string): SqlDatabase {
  const transaction = async <T>(work: (queries: SqlQueries) => Promise<T>): Promise<T> => {
    const end = await connections.transaction(async (client) => {
      let hasFailed = false;
      const query: Query = async (sql, values) => {
        try {
          return await client.query(sql, values);
        } catch (error) {
          hasFailed = true;
          throw error;
        }
      };
      try {
        if (schema !== undefined) await query(`SET LOCAL search_path = ${schema}`, []);
        return { value: await work(makeQueries(query)) };
      } catch (error) {
        if (hasFailed) throw error;
        // An error from the work itself is not a failure of the database, so the connection can be reused.
        await client.query('ROLLBACK');
        return { error };
      }
    });
    if ('error' in end) throw end.error;
    return end.value;
  };
  const query: Query = async (sql, values) => {
    if (schema === undefined) return connections.query(sql, values);
    return connections.transaction(async (client) => {
      await client.query(`SET LOCAL search_path = ${schema}`);
      return client.query(sql, values);
    });
  };
  return {
    ...makeQueries(query),
    transaction,
    // The caller that opened the connections closes them.
    close: async () => undefined,
  };
}

function makeQueries(query: Query): SqlQueries {
  const all = async (sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> =>
    (await query(sql, [...values])).rows as Row[];
  return {
    all,
    get: async (sql, ...values) => (await all(sql, ...values))[0],
    run: async (sql, ...values) => (await query(sql, [...values])).rowCount ?? 0,
  };
}
