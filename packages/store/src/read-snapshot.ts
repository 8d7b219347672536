import type { AgentEvent, AgentOptions } from '@bae/core';
import type { Database, Row } from './database.ts';
import { BODY } from './packed-body.ts';
import { isChained, isSignedEvent, isSignedSession, readSessionStart } from './record-chain.ts';
import type { SessionRecord } from './session-writer.ts';
import { makeUnknownSessionError } from './store-error.ts';

/** The last written state of a session, for `createAgent({ resume })`. */
export type SessionSnapshot = NonNullable<AgentOptions['resume']>;

const SESSION = 'SELECT * FROM sessions WHERE id = ?';
const RECORDS = `SELECT seq, ${BODY} AS body, mac FROM records WHERE session = ? ORDER BY seq`;
const CALLS_AFTER = `
  SELECT seq, ${BODY} AS body, mac FROM events
  WHERE session = ? AND seq > ? AND type IN ('call-start', 'call-end', 'run-start', 'run-end') ORDER BY seq`;
const SERVER_PROMPTS = `
  SELECT body FROM events WHERE session = ? AND type = 'call-end' AND body LIKE '%.prompts"%' ORDER BY seq`;
const IS_IN_TURN = `
  SELECT type = 'turn-start' AS yes FROM events
  WHERE session = ? AND type IN ('turn-start', 'turn-end') ORDER BY seq DESC LIMIT 1`;

/** The state that results from the records of a session. */
interface RecordedState extends Pick<
  SessionSnapshot,
  'messages' | 'held' | 'quoted' | 'location' | 'history' | 'seen' | 'consents'
> {
  /** Sequence numbers of the last message to the model, and of the last string held for the next one; 0 for none. */
  readonly sentAt: number;
  readonly heldAt: number;
  readonly isForeign: boolean;
}

/**
 * Reads the last written state of a session. With a key, a session that was not started and written with it is foreign:
 * its consents, its system messages and its record of seen resources are ignored. Of the calls of any other session,
 * those that were not written with the key are ignored.
 *
 * A call that had started and not ended is `unfinished` until the next message to the model is written, which
 * reports it. A call that ended is `unsent` until then, too, unless a held string reports it, or it was not part of
 * a turn.
 *
 * @throws StoreError when the session does not exist or cannot be read
 */
export function readSnapshot(database: Database, id: string, key?: Uint8Array): SessionSnapshot {
  const session = database.get(SESSION, id);
  if (session === undefined) throw makeUnknownSessionError(id);
  const recorded = readRecords({ session, rows: database.all(RECORDS, id), key });
  const calls = database
    .all(CALLS_AFTER, id, recorded.sentAt)
    .filter(
      ({ seq, body, mac }) =>
        key === undefined || isSignedEvent(key, { session: id, seq: Number(seq), body: String(body), mac }),
    );
  const isInTurn = database.get(IS_IN_TURN, id)?.['yes'] === 1;
  const snapshot = makeSnapshot(recorded, { session: { ...session, id }, calls, isInTurn });
  const quoted = new Set([...(snapshot.quoted ?? []), ...findServerPrompts(database, id, snapshot)]);
  return quoted.size === 0 ? snapshot : { ...snapshot, quoted: [...quoted] };
}

/** Finds the prompts of servers that a user asked with: earlier versions did not record that others wrote them. */
function findServerPrompts(database: Database, id: string, { messages }: SessionSnapshot): readonly string[] {
  const ends = database.all(SERVER_PROMPTS, id).map((row) => toEvent(row) as Extract<AgentEvent, { type: 'call-end' }>);
  const texts = ends.flatMap(({ space, ok, text }) => (ok && space.endsWith('.prompts') && text !== '' ? [text] : []));
  return texts.filter((text) => messages.some((one) => one.role === 'user' && one.text.includes(text)));
}

/** Reads the records of a session, which is foreign if it or one of them is without the code of a key. */
export function readRecords({ session, rows, key }: RecordRows): RecordedState {
  const isForeign = key !== undefined && !isOwnSession(key, session, rows);
  const state = replayRecords(rows);
  return { ...(isForeign ? takeWords(state) : state), isForeign };
}

/** Stored records of one session, in order. */
interface RecordRows {
  readonly session: Row;
  readonly rows: readonly Row[];
  readonly key?: Uint8Array | undefined;
}

/** Rows that a snapshot needs besides the records. */
interface SessionRows {
  readonly session: Row;
  /** Starts and ends of calls and run blocks after the last message to the model, in order. */
  readonly calls: readonly Row[];
  readonly isInTurn: boolean;
}

/** Creates the snapshot of a session from its stored data. */
export function makeSnapshot(recorded: RecordedState, { session, calls, isInTurn }: SessionRows): SessionSnapshot {
  const { sentAt: _, heldAt, isForeign, ...state } = recorded;
  const space = state.location.join('.') || 'home';
  const { unfinished } = sortCalls(calls.map(toEvent), space);
  const unreported = isInTurn ? calls.filter(({ seq }) => Number(seq) > heldAt) : [];
  return {
    id: String(session['id']),
    label: String(session['label']),
    turn: Number(session['last_turn']),
    lastId: Number(session['last_call']),
    ...state,
    unfinished: isForeign ? [] : unfinished,
    unsent: isForeign ? [] : sortCalls(unreported.map(toEvent), space).unsent,
    ...(isInTurn && { isBroken: true }),
    ...(isForeign && { isForeign }),
  };
}

function toEvent(row: Row): AgentEvent {
  return JSON.parse(String(row['body'])) as AgentEvent;
}

/** A decision about a call, with its time and session. */
export interface RecordedApproval {
  readonly session: string;
  readonly time: Date;
  readonly approval: Extract<SessionRecord, { readonly kind: 'approval' }>['approval'];
}

const APPROVALS = `
  SELECT session, time, ${BODY} AS body FROM records WHERE kind = 'approval' AND (?1 IS NULL OR session = ?1)
  ORDER BY session DESC, seq DESC LIMIT ?2`;

/** The latest decisions about calls, newest first, of one session or of all. */
export function readApprovals(
  database: Database,
  session: string | undefined,
  limit: number,
): readonly RecordedApproval[] {
  return database.all(APPROVALS, session ?? null, limit).map(toApproval);
}

export function toApproval(row: Row): RecordedApproval {
  const { approval } = JSON.parse(String(row['body'])) as Extract<SessionRecord, { readonly kind: 'approval' }>;
  return { session: String(row['session']), time: new Date(Number(row['time'])), approval };
}

/** Tests whether a session was started with a key, too: one without records would prove nothing. */
function isOwnSession(key: Uint8Array, session: Row, rows: readonly Row[]): boolean {
  const start = readSessionStart(session);
  return isSignedSession(key, { ...start, mac: session['mac'] }) && isProven(key, start.id, rows);
}

/**
 * Tests whether a session was started, and all its records written, with the key in this order, with none missing before
 * the last.
 */
export function isSessionProven(database: Database, session: string, key: Uint8Array): boolean {
  const row = database.get(SESSION, session);
  return row !== undefined && isOwnSession(key, row, database.all(RECORDS, session));
}

/** Tests whether records, in their order, have the codes of a key. */
export function isProven(key: Uint8Array, session: string, rows: readonly Row[]): boolean {
  let before = '';
  return rows.every(({ seq, body, mac }) => {
    if (typeof mac !== 'string') return false;
    const last = before;
    before = mac;
    return isChained(key, last, { session, seq: Number(seq), body: String(body), mac });
  });
}

/**
 * Keeps the text of the conversation as quoted text, which is no wish of the user, and removes everything that could
 * have an effect. Before the first message, that text is a summary.
 */
function takeWords<T extends Pick<RecordedState, 'messages' | 'seen' | 'consents' | 'held'>>(state: T): T {
  const messages = state.messages.filter(({ role }) => role !== 'system');
  const held = messages.length === 0 ? state.held : [];
  const quoted = [...messages.map(({ text }) => text), ...held].filter((text) => text !== '');
  return { ...state, messages, seen: new Map(), consents: [], held, quoted };
}

function replayRecords(rows: readonly Row[]): Omit<RecordedState, 'isForeign'> {
  let messages: SessionSnapshot['messages'][number][] = [];
  const seen = new Map<string, string>();
  const consents: NonNullable<SessionSnapshot['consents']>[number][] = [];
  let held: string[] = [];
  const quoted: string[] = [];
  let place: Pick<SessionSnapshot, 'location' | 'history'> = { location: [], history: [] };
  let sentAt = 0;
  let heldAt = 0;
  for (const row of rows) {
    const record = JSON.parse(String(row['body'])) as SessionRecord;
    if (record.kind === 'seen') seen.set(record.key, record.value);
    if (record.kind === 'consent') consents.push(record.consent);
    if (record.kind === 'consents-forgotten') consents.length = 0;
    if (record.kind === 'location') place = { location: record.location, history: record.history };
    if (record.kind === 'quoted') quoted.push(record.text);
    if (record.kind === 'held') {
      held.push(record.text);
      heldAt = Number(row['seq']);
    }
    if (record.kind === 'compacted') {
      messages = messages.filter(({ role }) => role === 'system');
      held = [record.text];
      sentAt = heldAt = Number(row['seq']);
    }
    if (record.kind !== 'message') continue;
    messages.push(record.message);
    if (record.message.role !== 'user') continue;
    held = [];
    sentAt = Number(row['seq']);
  }
  return { messages, seen, held, ...(quoted.length > 0 && { quoted }), consents, ...place, sentAt, heldAt };
}

type Unfinished = SessionSnapshot['unfinished'][number];
type Unsent = SessionSnapshot['unsent'][number];

/** A call or run block since the last message to the model; it has an outcome once it has ended. */
interface Call extends Unfinished {
  outcome?: Unsent;
}

/**
 * Divides the calls that the model does not know about into those with a known outcome and those without.
 *
 * A run block counts as a call `<run>`. When it has ended, its outcome covers the calls it made.
 *
 * @param events since the last message to the model, in order
 */
export function sortCalls(
  events: readonly AgentEvent[],
  space: string,
): { readonly unfinished: readonly Unfinished[]; readonly unsent: readonly Unsent[] } {
  const calls: Call[] = [];
  for (const event of events) {
    if (event.type === 'call-start') calls.push({ id: event.id, tag: event.tag, space: event.space, verb: event.verb });
    if (event.type === 'run-start') calls.push({ id: event.id, tag: '<run>', space });
    if (event.type !== 'call-end' && event.type !== 'run-end') continue;
    const index = calls.findIndex(({ id }) => id === event.id);
    if (index < 0) continue;
    const call = calls[index]!;
    call.outcome = readOutcome(event, call);
    if (event.type === 'run-end') calls.splice(index + 1);
  }
  return {
    unfinished: calls.filter(({ outcome }) => outcome === undefined),
    unsent: calls.flatMap(({ outcome }) => outcome ?? []),
  };
}

function readOutcome(event: Extract<AgentEvent, { type: 'call-end' | 'run-end' }>, { tag, space }: Unfinished): Unsent {
  if (event.type === 'run-end') return { tag, space, status: event.ok ? 'ok' : 'RunError', text: event.output };
  const { ok, failed, errorType = 'Error', where, text } = event;
  const status = ok ? (failed === true ? 'failed' : 'ok') : errorType;
  return { tag, space: event.space, status, ...(where !== undefined && { where }), text };
}
