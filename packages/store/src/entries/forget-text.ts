import { createHash } from 'node:crypto';
import type { AgentEvent } from '@bae/core';
import { runTransaction, type Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { BODY, packBody } from '../packed-body.ts';
import { isSessionProven } from '../read-snapshot.ts';
import {
  chainRecord,
  isSignedEvent,
  isSignedResult,
  isSignedSession,
  readSessionStart,
  signEvent,
  signResult,
  signSession,
  type SessionKeys,
} from '../record-chain.ts';
import { toSearchable } from './search-text.ts';
import { makeEntry } from './session-entry.ts';
import { StoreError } from '../store-error.ts';

/** Numbers of masked items. */
export interface ForgetReport {
  /** Prompts, answers, calls and all other events. */
  readonly events: number;
  /** Messages to and from the model, and other data that is needed to resume a session. */
  readonly records: number;
  readonly results: number;
  /** Compressed bodies that still contain the text, which a search through the bytes of the file would not find. */
  readonly left: number;
}

/** Replacement for a forgotten text. */
const FORGOTTEN = '[…]';
/** Minimum length of a text to forget, in characters: a shorter one may be part of anything. */
const SHORTEST = 4;
/** Keys whose values are bae's own names. */
const NAMES = new Set(['type', 'kind', 'role', 'id', 'verb', 'outcome', 'decision', 'ref']);

/**
 * Removes a text from every event, record and result, and from the file of the database.
 *
 * @throws StoreError for a text of fewer than four characters
 */
export function forgetText(
  database: Database,
  text: string,
  { key, keys }: { readonly key: Uint8Array | undefined; readonly keys: SessionKeys },
): ForgetReport {
  if (text.trim().length < SHORTEST)
    throw new StoreError(`forget: expected at least ${SHORTEST} characters; got ${JSON.stringify(text)}.`, [
      'give more of the text',
    ]);
  prepareForgetting(database, text);
  const mask = createMask(text);
  const counts = runTransaction(database, () => {
    maskSessions(database, { mask, keys });
    return {
      events: maskEvents(database, { mask, keys }),
      records: maskRecords(database, { mask, key }),
      results: maskKeptResults(database, { mask, keys }),
    };
  });
  database.run('DELETE FROM tags WHERE holds(tag)');
  // Merge the index, so that no part of it contains the words any longer.
  database.execute("INSERT INTO entry_words (entry_words) VALUES ('optimize')");
  rewriteFile(database);
  const stillPacked = (table: string): number =>
    Number(database.get(`SELECT count(*) AS n FROM ${table} WHERE holds(unpack(packed))`)?.['n']);
  return { ...counts, left: stillPacked('events') + stillPacked('records') };
}

/**
 * Removes a text from a database with other tables, and from its file.
 *
 * @param columns names of the columns that contain JSON, by table
 * @returns the number of masked rows
 * @throws StoreError as `forgetText` and `openDatabase` do
 */
export function forgetInTables(
  file: string,
  text: string,
  columns: Readonly<Record<string, readonly string[]>>,
): number {
  const database = openDatabase(file);
  try {
    prepareForgetting(database, text);
    const mask = createMask(text);
    const count = runTransaction(database, () =>
      Object.entries(columns)
        .flatMap(([table, names]) => names.map((name) => maskColumn(database, { table, name, mask })))
        .reduce((sum, one) => sum + one, 0),
    );
    rewriteFile(database);
    return count;
  } finally {
    database.close();
  }
}

interface MaskedColumn {
  readonly table: string;
  readonly name: string;
  readonly mask: Forgetting['mask'];
}

function maskColumn(database: Database, { table, name, mask }: MaskedColumn): number {
  const rows = database.all(`SELECT rowid AS number, ${name} AS body FROM ${table} WHERE holds(${name})`);
  for (const row of rows) {
    const masked = JSON.stringify(mask(JSON.parse(String(row['body']))));
    database.run(`UPDATE ${table} SET ${name} = ? WHERE rowid = ?`, masked, row['number']!);
  }
  return rows.length;
}

function prepareForgetting(database: Database, text: string): void {
  database.execute('PRAGMA secure_delete = ON');
  database.defineTest('holds', createTextTest(text));
}

/** Rewrites the file, so that none of its pages contains what was removed. */
function rewriteFile(database: Database): void {
  database.execute('VACUUM');
  // Move everything from the write-ahead log into the file, and empty the log, if no other process is reading it.
  database.get('PRAGMA wal_checkpoint(TRUNCATE)');
}

interface Forgetting {
  readonly mask: (value: unknown) => unknown;
  readonly key?: Uint8Array | undefined;
}

/** For what stays signed with the key of the folder that a session began in. */
interface ForgettingWords extends Pick<Forgetting, 'mask'> {
  readonly keys: SessionKeys;
}

/** Returns a function that replaces a text in every string of a value, except bae's own names. */
function createMask(text: string): (value: unknown) => unknown {
  const pattern = createTextPattern(text);
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(pattern, FORGOTTEN);
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) =>
        NAMES.has(name) ? [name, one] : [name.replaceAll(pattern, FORGOTTEN), mask(one)],
      ),
    );
  };
  return mask;
}

/** Masks a body, and adds the hash of the original to it; undefined if nothing in it has to be masked. */
function maskBody(body: string, mask: Forgetting['mask']): string | undefined {
  const masked = mask(JSON.parse(body)) as { readonly forgotten?: readonly string[] };
  if (JSON.stringify(masked) === body) return undefined;
  const hash = createHash('sha256').update(body).digest('hex');
  return JSON.stringify({ ...masked, forgotten: [...(masked.forgotten ?? []), hash] });
}

function maskEvents(database: Database, { mask, keys }: ForgettingWords): number {
  let count = 0;
  for (const row of database.all(`SELECT id, session, seq, mac, ${BODY} AS body FROM events WHERE holds(${BODY})`)) {
    const [session, seq, body, id] = [String(row['session']), Number(row['seq']), String(row['body']), row['id']!];
    const masked = maskBody(body, mask);
    if (masked === undefined) continue;
    const key = keys.of(session)?.find((one) => isSignedEvent(one, { session, seq, body, mac: row['mac'] }));
    const mac = key === undefined ? null : signEvent(key, { session, seq, body: masked });
    const entry = makeEntry(JSON.parse(masked) as AgentEvent);
    const kept = entry === undefined ? packBody(masked) : { body: masked, packed: null };
    database.run('UPDATE events SET body = ?, packed = ?, mac = ? WHERE id = ?', kept.body, kept.packed, mac, id);
    if (entry !== undefined) {
      database.run('DELETE FROM entry_words WHERE rowid = ?', id);
      database.run('INSERT INTO entry_words (rowid, content) VALUES (?, ?)', id, toSearchable(entry.text).content);
    }
    count++;
  }
  return count;
}

const RECORDS = `SELECT seq, ${BODY} AS body FROM records WHERE session = ? ORDER BY seq`;
const MASK_RECORD = 'UPDATE records SET body = ?, packed = ? WHERE session = ? AND seq = ?';

/** Masks records, and recomputes the codes of a session if they were valid before. */
function maskRecords(database: Database, { mask, key }: Forgetting): number {
  const bySession = Map.groupBy(
    database.all(`SELECT session, seq, ${BODY} AS body FROM records WHERE holds(${BODY})`),
    (row) => String(row['session']),
  );
  let count = 0;
  for (const [session, rows] of bySession) {
    const isOwn = key !== undefined && isSessionProven(database, session, key);
    for (const { seq, body } of rows) {
      const masked = maskBody(String(body), mask);
      if (masked === undefined) continue;
      const kept = packBody(masked);
      database.run(MASK_RECORD, kept.body, kept.packed, session, seq!);
      count++;
    }
    if (isOwn) chainAgain(database, session, key);
  }
  return count;
}

function chainAgain(database: Database, session: string, key: Uint8Array): void {
  let before = '';
  for (const { seq, body } of database.all(RECORDS, session)) {
    before = chainRecord(key, before, { session, seq: Number(seq), body: String(body) });
    database.run('UPDATE records SET mac = ? WHERE session = ? AND seq = ?', before, session, seq!);
  }
}

function maskKeptResults(database: Database, { mask, keys }: ForgettingWords): number {
  const rows = database.all('SELECT * FROM results WHERE holds(body)');
  for (const row of rows) {
    const [session, seq, body] = [String(row['session']), Number(row['number']), String(row['body'])];
    const masked = JSON.stringify(mask(JSON.parse(body)));
    const key = keys.of(session)?.find((one) => isSignedResult(one, { session, seq, body, mac: row['mac'] }));
    const mac = key === undefined ? null : signResult(key, { session, seq, body: masked });
    database.run('UPDATE results SET body = ?, mac = ? WHERE session = ? AND number = ?', masked, mac, session, seq);
  }
  return rows.length;
}

/** Masks the titles of sessions and the data they were started with. */
function maskSessions(database: Database, { mask, keys }: ForgettingWords): void {
  for (const row of database.all('SELECT * FROM sessions')) {
    const start = readSessionStart(row);
    const meta = JSON.stringify(mask(JSON.parse(start.meta)));
    const masked = { ...start, label: String(mask(start.label)), cwd: String(mask(start.cwd)), meta };
    const key = keys.of(start.id)?.find((one) => isSignedSession(one, { ...start, mac: row['mac'] }));
    const mac = key === undefined ? null : signSession(key, masked);
    const prompt = row['prompt'] === null ? null : String(mask(String(row['prompt'])));
    const values = [masked.label, masked.cwd, meta, prompt, mac, start.id];
    database.run('UPDATE sessions SET label = ?, cwd = ?, meta = ?, prompt = ?, mac = ? WHERE id = ?', ...values);
  }
}

/**
 * Creates a pattern that finds a text regardless of case, in all alphabets, and of whether letters with marks are stored
 * as one character or as several: `Straße` also finds `STRASSE`.
 */
function createTextPattern(text: string): RegExp {
  const parts = text.normalize('NFC').match(/ss|./gisu) ?? [];
  return new RegExp(parts.map(createPart).join(''), 'giu');
}

/** Creates a function that tests whether a text contains another one, literally or as encoded in JSON. */
export function createTextTest(text: string): (content: string) => boolean {
  const patterns = [text, JSON.stringify(text).slice(1, -1)].map(createTextPattern);
  return (content) => patterns.some((pattern) => content.search(pattern) !== -1);
}

function createPart(part: string): string {
  const cases = [part, part.toLowerCase(), part.toUpperCase()];
  // The capitals of this letter are two ordinary letters.
  if (/^ss$/i.test(part)) cases.push('ß');
  const forms = new Set(cases.flatMap((one) => [one.normalize('NFC'), one.normalize('NFD')]));
  return `(?:${Array.from(forms, quoteForPattern).join('|')})`;
}

function quoteForPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
