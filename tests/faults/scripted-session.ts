import { isDeepStrictEqual } from 'node:util';
import type { AgentEvent } from '@bae/core';
import { openDatabase, type Database, type Store } from '@bae/store';

/** What one step writes: an event, a message, or a result that is kept whole. */
type Step = { event: AgentEvent } | { message: { role: 'user'; text: string } } | { result: string };

/** The step of a number, from 1. Some fit one page of a database, some need several. */
function stepOf(number: number): Step {
  const text = `step ${number} ${'word '.repeat((number * 7919) % 900)}`;
  const call = { id: String(number), tag: '<R:a>', verb: 'read', space: 'home' };
  const origin = { label: '1', turn: number };
  switch (number % 5) {
    case 0:
      return { message: { role: 'user', text } };
    case 1:
      return { event: { ...origin, type: 'turn-start', prompt: text } };
    case 2:
      return { event: { ...origin, type: 'call-start', ...call, arguments: { arg: text } } };
    case 3:
      return { result: text };
    default:
      return { event: { ...origin, type: 'call-end', ...call, ok: true, summary: 'read', ms: 1, text } };
  }
}

/** Writes down one step of a session; it is on disk afterwards. */
export function writeStep(store: Store, session: string, number: number): void {
  const step = stepOf(number);
  if ('event' in step) store.log(session).append(step.event);
  else if ('message' in step) store.log(session).record({ kind: 'message', message: step.message });
  else store.results(session).keep(step.result);
}

/**
 * How many steps of a session were written down.
 *
 * @throws Error when one before the last is missing, or is not what was written
 */
export function stepsIn(store: Store, session: string): number {
  const events = [...store.events(session)];
  const messages = [...store.snapshot(session).messages];
  const results = store.results(session);
  const kept = results.handles().map((handle) => results.get(handle) ?? '');
  const total = events.length + messages.length + kept.length;
  for (let number = 1; number <= total; number++) {
    const step = stepOf(number);
    const found = 'event' in step ? events.shift() : 'message' in step ? messages.shift() : kept.shift();
    if (!isDeepStrictEqual([found], Object.values(step))) throw new Error(`step ${number} of ${total} is not there`);
  }
  return total;
}

/** Queries that find something only in a database that was half written. */
const HALF_WRITTEN: Readonly<Record<string, string>> = {
  'places without an event or record': `
    SELECT id FROM sessions WHERE last_seq <>
      (SELECT count(*) FROM events WHERE session = sessions.id) + (SELECT count(*) FROM records WHERE session = sessions.id)`,
  'a wrong number of messages': `
    SELECT id FROM sessions WHERE messages <> (SELECT count(*) FROM records WHERE session = sessions.id AND kind = 'message')`,
  'events that cannot be found': `
    SELECT count(*) AS found, (SELECT count(*) FROM events WHERE type IN ('turn-start', 'answer', 'call-end', 'run-end')) AS meant
    FROM entry_words HAVING found <> meant`,
  'a wrong number of entries': `
    SELECT id FROM sessions WHERE entries <> (
      SELECT count(*) FROM events WHERE session = sessions.id AND type IN ('turn-start', 'answer', 'call-end', 'run-end'))`,
};

/** What is wrong with a database; nothing, as a rule. */
export function faultsOf(file: string): readonly string[] {
  const database = openDatabase(file);
  try {
    const half = Object.entries(HALF_WRITTEN).filter(([, sql]) => database.all(sql).length > 0);
    const checked = Object.values(database.get('PRAGMA integrity_check') ?? {}).map(String);
    return [...half.map(([name]) => name), ...checked.filter((text) => text !== 'ok'), ...faultsOfIndex(database)];
  } finally {
    database.close();
  }
}

function faultsOfIndex(database: Database): readonly string[] {
  try {
    database.execute("INSERT INTO entry_words (entry_words, rank) VALUES ('integrity-check', 1)");
    return [];
  } catch (error) {
    return [`the index of words: ${String(error)}`];
  }
}
