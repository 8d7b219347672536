import { StoreError } from '@bae/store';
import type { PoolClient } from 'pg';
import type { Connections } from './connections.ts';

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
    const version = await readTablesVersion(client, name);
    if (version > steps.length)
      throw new StoreError(
        `database: its ${name} were made by a newer bae (their version is ${version}, this bae knows ${steps.length}), and were left unchanged.`,
        ['update bae', 'use another database: --database postgres://HOST/NAME'],
      );
    for (const step of steps.slice(version)) await client.query(step);
    await client.query(
      'INSERT INTO versions VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET version = excluded.version',
      [name, steps.length],
    );
  });
}

async function readTablesVersion(client: PoolClient, name: string): Promise<number> {
  const { rows } = await client.query<{ version: number }>('SELECT version FROM versions WHERE name = $1', [name]);
  return rows[0]?.version ?? 0;
}
