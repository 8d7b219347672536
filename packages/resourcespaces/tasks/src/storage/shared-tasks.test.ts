import type { SqlDatabase, SqlQueries } from '@bae/store';
import { expect, it } from 'vitest';
import { TaskClient } from '../task-client.ts';

it('asks in the SQL that PostgreSQL 15 has: each subquery in FROM has a name', async () => {
  const statements: string[] = [];
  const queries: SqlQueries = {
    all: async (sql) => {
      statements.push(sql);
      return sql.includes('AS ids') ? [{ ids: '[]' }] : [];
    },
    get: async () => undefined,
    run: async () => 0,
  };
  const database: SqlDatabase = { ...queries, transaction: (work) => work(queries), close: async () => undefined };
  const client = new TaskClient({ database, caller: 'agent' });
  await client.call('read', { target: '' });
  await client.call('grep', { text: 'login' });
  await client.call('glob', { pattern: '*' });
  const subqueries = statements.filter((sql) => /FROM\s*\(/.test(sql));
  expect(subqueries.length).toBeGreaterThan(3);
  for (const sql of subqueries) expect(sql.trim()).toMatch(/\) AS \w+(?: JOIN [^()]+)?$/);
});
