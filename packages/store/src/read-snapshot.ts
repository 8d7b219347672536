import type { AgentEvent } from '@bae/core';
import type { Database, Row } from './database.ts';
import { noSession } from './no-session.ts';
import { pendingCalls, type PendingCalls } from './pending-calls.ts';
import type { SessionRecord, SessionSnapshot } from './session-record.ts';

const SESSION = 'SELECT label, last_turn, last_call FROM sessions WHERE id = ?';
const RECORDS = 'SELECT seq, body FROM records WHERE session = ? ORDER BY seq';
const CALLS_AFTER = `
  SELECT seq, body FROM events
  WHERE session = ? AND seq > ? AND type IN ('call-start', 'call-end', 'run-start', 'run-end') ORDER BY seq`;
const IS_IN_TURN = `
  SELECT type = 'turn-start' AS yes FROM events
  WHERE session = ? AND type IN ('turn-start', 'turn-end') ORDER BY seq DESC LIMIT 1`;

/** What the records of a session add up to. */
interface Written extends Pick<SessionSnapshot, 'messages' | 'held' | 'location' | 'history' | 'seen' | 'consents'> {
  /** Places of the last message to the model, and of the last text that waits for the next one; 0 for none. */
  readonly told: number;
  readonly heldAt: number;
}

/**
 * A session as it was when it was last written down.
 *
 * A call that had begun and not ended is `unfinished`, until the next message to the model is written
 * down: that is the one that tells of it. A call that ended is `unsent` until then, too, unless a held
 * text tells of it, or it was no part of a turn.
 *
 * @throws StoreError when there is no such session, or it cannot be read
 */
export function readSnapshot(database: Database, id: string): SessionSnapshot {
  const session = database.get(SESSION, id);
  if (session === undefined) throw noSession(id);
  const { told, heldAt, ...written } = addUp(database.all(RECORDS, id));
  return {
    id,
    label: String(session['label']),
    turn: Number(session['last_turn']),
    lastId: Number(session['last_call']),
    ...written,
    ...pendingOf(database, { id, told, heldAt, space: written.location.join('.') || 'home' }),
  };
}

function addUp(rows: readonly Row[]): Written {
  const messages: SessionSnapshot['messages'][number][] = [];
  const seen = new Map<string, string>();
  const consents: NonNullable<SessionSnapshot['consents']>[number][] = [];
  let held: string[] = [];
  let place: Pick<SessionSnapshot, 'location' | 'history'> = { location: [], history: [] };
  let told = 0;
  let heldAt = 0;
  for (const row of rows) {
    const record = JSON.parse(String(row['body'])) as SessionRecord;
    if (record.kind === 'seen') seen.set(record.key, record.value);
    if (record.kind === 'consent') consents.push(record.consent);
    if (record.kind === 'location') place = { location: record.location, history: record.history };
    if (record.kind === 'held') {
      held.push(record.text);
      heldAt = Number(row['seq']);
    }
    if (record.kind !== 'message') continue;
    messages.push(record.message);
    if (record.message.role !== 'user') continue;
    held = [];
    told = Number(row['seq']);
  }
  return { messages, seen, held, consents, ...place, told, heldAt };
}

interface Position {
  readonly id: string;
  readonly told: number;
  readonly heldAt: number;
  readonly space: string;
}

function pendingOf(database: Database, { id, told, heldAt, space }: Position): PendingCalls {
  const { unfinished } = pendingCalls(callsAfter(database, id, told), space);
  const isInTurn = database.get(IS_IN_TURN, id)?.['yes'] === 1;
  if (!isInTurn) return { unfinished, unsent: [] };
  return { unfinished, unsent: pendingCalls(callsAfter(database, id, Math.max(told, heldAt)), space).unsent };
}

function callsAfter(database: Database, id: string, seq: number): readonly AgentEvent[] {
  return database.all(CALLS_AFTER, id, seq).map((row) => JSON.parse(String(row['body'])) as AgentEvent);
}
