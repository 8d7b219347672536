// A worker like `bae worker`, whose model writes as many notes as it is asked for. It writes down in a file of its own
// what it was told that was written, and its tool in a file of all workers what it does.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { approvalPolicy, createAgent, defineResourcespace, tool, type Message } from '@bae/core';
import { SERVER_TABLES, SqlServerStore, workOn, type OpenAgent } from '@bae/server';
import { openPostgres, WorkQueue } from '@bae/store-postgres';
import { ScriptedModel } from '@bae/testing';
import { z } from 'zod';

const [, , url = '', journal = '', notes = ''] = process.argv;
const write = (file: string, entry: object): void => appendFileSync(file, `${JSON.stringify(entry)}\n`);
const report = (): void => undefined;

const postgres = await openPostgres({ url });
const database = await postgres.openTables({ name: 'server', steps: SERVER_TABLES });

/** The store, which writes down what was acknowledged, by epoch. */
class JournalStore extends SqlServerStore {
  override async openLog(session: string, epoch: number) {
    const parts = await super.openLog(session, epoch);
    write(journal, { type: 'take', session, epoch, time: Date.now() });
    const { log } = parts;
    const kept = {
      append: async (event: Parameters<typeof log.append>[0]) => {
        await log.append(event);
        write(journal, { type: 'written', session, epoch, event });
      },
      record: async (record: Parameters<NonNullable<typeof log.record>>[0]) => log.record?.(record),
    };
    return { ...parts, log: { ...kept, id: session } };
  }
}

/** How many notes a prompt asks for, and its name. */
const TASK = /write (\d+) notes of (\w+)/g;

function respond(messages: readonly Message[]): string {
  const text = messages.map((message) => message.text).join('\n');
  const [, count = '0', name = ''] = [...text.matchAll(TASK)].at(-1) ?? [];
  const called = [...text.matchAll(new RegExp(`<W:${name}-(\\d+)>`, 'g'))].map(([, number]) => Number(number));
  const next = Math.max(0, ...called) + 1;
  return next > Number(count) ? `Wrote ${name}.` : `<W:${name}-${next}>\nnote\n</W>`;
}

const openAgent: OpenAgent = async (session, { wrapApprover, memory: _memory, ...parts }) => {
  const home = defineResourcespace({
    name: 'notes',
    description: 'Notes.',
    tools: {
      write: tool(
        'Writes a note.',
        { target: z.string(), text: z.string() },
        async ({ target }) => {
          write(notes, { type: 'begin', session: session.id, target, process: process.pid });
          await sleep(Math.random() * 60);
          write(notes, { type: 'end', session: session.id, target, process: process.pid });
          return 'written';
        },
        { effect: 'write', body: 'text' },
      ),
    },
  });
  const agent = createAgent({
    home,
    model: new ScriptedModel(Array.from({ length: 200 }, () => respond)),
    approver: wrapApprover(approvalPolicy({ otherwise: 'allow' })),
    ...parts,
  });
  return { agent, close: () => agent.close() };
};

const store = new JournalStore({ sessions: postgres.sessions, database });
const queue = await WorkQueue.open({ url, report });
await queue.work({
  most: 30,
  work: async (session, { drain, stop }) =>
    workOn(session, { store, notifier: postgres.notifications, openAgent, mostTries: 10_000 }, { leave: drain, stop }),
});
process.once('SIGTERM', () => {
  void queue
    .drain(AbortSignal.timeout(20_000))
    .then(() => queue.close())
    .then(() => postgres.close());
});
process.stdout.write('ready\n');
