import type { SqlDatabase, SqlQueries, SqlValue } from '@bae/store';
import type { Row } from '@bae/store/backend';
import type { Connections } from './connections.ts';

/** Runs one statement, on any connection or on that of a transaction. */
type Query = (
  sql: string,
  values: SqlValue[],
) => Promise<{ readonly rows: unknown[]; readonly rowCount: number | null }>;

/** Tables on a server, for `@bae/server` and other packages with their own tables. */
export function createSqlDatabase(connections: Connections, schema?: string): SqlDatabase {
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
