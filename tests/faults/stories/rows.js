// Rows of a database, with its large integers: a table as a result, and its data for code.
import { DatabaseSync } from 'node:sqlite';
import { defineResourcespace, ResourceError, tool } from '@bae/core';
import { z } from 'zod';

export function spaces() {
  let database;
  return defineResourcespace({
    name: 'orders',
    description: 'Orders of a shop, as tables of a database.',
    onOpen: () => {
      database = new DatabaseSync(':memory:');
      database.exec('create table orders (id integer primary key, item text, price real)');
      const add = database.prepare('insert into orders (item, price) values (?, ?)');
      for (let number = 1; number <= 40; number++) add.run(`item ${number}`, number * 1.5);
      database.exec('pragma query_only = on');
    },
    dispose: () => {
      database?.close();
      database = undefined;
    },
    enter: () => `${database.prepare('select count(*) as n from orders').get().n} orders`,
    tools: {
      read: tool('The tables there are.', {}, () => 'orders(id, item, price)'),
      query: tool(
        'Rows that a query finds.',
        { sql: z.string().meta({ description: 'One SELECT', examples: ['select * from orders limit 2'] }) },
        ({ sql }) => {
          let rows;
          try {
            const statement = database.prepare(sql);
            statement.setReadBigInts(true);
            rows = statement.all().map((row) => ({ ...row }));
          } catch (error) {
            throw new ResourceError(`${error.message}.`, ['<query:select * from orders limit 2>']);
          }
          if (rows.length === 0) return { text: 'No rows.', rows: 0, whole: () => [] };
          return {
            text: `${rows.length} rows.`,
            rows: rows.length,
            whole: () => rows,
            attachments: [{ type: 'table', name: 'rows', rows }],
          };
        },
        { effect: 'read', output: z.array(z.record(z.string(), z.unknown())) },
      ),
    },
  });
}

export const samples = { missing: null };
