import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AgentEvent } from '@bae/core';
import { Store } from '@bae/store';
import { mediansInTurn, type Measurement } from './measure.ts';

const ROUNDS = 31;
const STEPS = 50;
const TEXT = 'The store keeps what was said, with the words to search for it later. '.repeat(8);
/** In memory where that exists: waiting for a disk would hide everything else. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * Keeping a session, with signatures and compressed, costs about twice what its rows do when written by hand, and hardly
 * more than them without signatures and with texts that are too short to be compressed. In processor time, because the
 * machine may be busy.
 */
export async function storeSpeed(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(PARENT, 'bae-bench-'));
  const stores = [{ key: new Uint8Array(32).fill(7) }, {}].map((options, place) =>
    Store.open(join(folder, `own-${place}.db`), options),
  );
  const [signed, plain] = stores.map((store) => store.openSession(store.createSession()).log);
  const byHand = openByHand(join(folder, 'by-hand.db'));
  try {
    const { own, hand, short, shortHand } = await mediansInTurn(
      {
        own: appendTo(signed!, TEXT),
        hand: appendTo(byHand, TEXT),
        short: appendTo(plain!, 'Short.'),
        shortHand: appendTo(byHand, 'Short.'),
      },
      ROUNDS,
    );
    return [
      { name: 'an event in the store ÷ its rows by hand', value: own / hand, unit: 'x', limit: { atMost: 3 } },
      { name: 'unsigned and short ÷ its rows by hand', value: short / shortHand, unit: 'x', limit: { atMost: 1.5 } },
    ];
  } finally {
    byHand.close();
    for (const store of stores) store.close();
    rmSync(folder, { recursive: true });
  }
}

/** Returns a measurement of adding events. */
function appendTo(log: { append(event: AgentEvent): unknown }, notice: string): () => number {
  return () => processorTimeOf(() => listEvents(notice).forEach((event) => void log.append(event)));
}

function listEvents(notice: string): readonly AgentEvent[] {
  return Array.from({ length: STEPS }, (_, step): readonly AgentEvent[] => {
    const about = { label: '1', turn: step } as const;
    return [
      { ...about, type: 'answer', text: TEXT },
      { ...about, type: 'notice', code: 'retry', text: notice },
    ];
  }).flat();
}

/** Milliseconds of processor time that some work takes. */
function processorTimeOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The same tables, and the same rows in them, without signatures and compression. */
function openByHand(file: string) {
  const seed = Store.open(file);
  const session = seed.createSession();
  seed.close();
  const database = new DatabaseSync(file);
  database.function('unpack', { deterministic: true }, (bytes) => bytes);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  const advance = database.prepare('UPDATE sessions SET last_seq = last_seq + 1 WHERE id = ? RETURNING last_seq');
  const add = database.prepare(
    'INSERT INTO events (session, seq, time, type, body) VALUES (?, ?, ?, ?, ?) RETURNING id',
  );
  const addWords = database.prepare('INSERT INTO entry_words (rowid, content) VALUES (?, ?)');
  return {
    append(event: AgentEvent): void {
      database.exec('BEGIN IMMEDIATE');
      const seq = Number(advance.get(session)!['last_seq']);
      const { id } = add.get(session, seq, Date.now(), event.type, JSON.stringify(event))!;
      if (event.type === 'answer') addWords.run(id!, event.text);
      database.exec('COMMIT');
    },
    close: () => database.close(),
  };
}
