import { StoreError, type SqlDatabase } from '@bae/store';
import { Connections, hidePassword, type ConnectionOptions } from './connections.ts';
import { migrateTables, type Tables } from './migrate-tables.ts';
import { Notifications } from './notifications.ts';
import { PostgresSessions, type SessionsOptions } from './postgres-sessions.ts';
import { SESSION_TABLES } from './session-tables.ts';
import { createSqlDatabase } from './sql-queries.ts';

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
