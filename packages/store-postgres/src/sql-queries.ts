import type { SqlDatabase, SqlQueries, SqlValue } from '@bae/store';
import type { Row } from '@bae/store/backend';
import type { Connections } from './connections.ts';

/** Runs one statement, on any connection or on that of a transaction. */
type Query = (
  sql: string,
  values: SqlValue[],
) => Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>;

/** Tables on a server, for `@bae/server` and others with tables of their own. */
export function createSqlDatabase(connections: Connections): SqlDatabase {
  return {
    ...makeQueries((sql, values) => connections.query(sql, values)),
    transaction: (work) =>
      connections.transaction((client) => work(makeQueries((sql, values) => client.query(sql, values)))),
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
