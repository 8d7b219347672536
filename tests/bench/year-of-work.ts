import { createHmac } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from '@bae/core';
import { openDatabase, runTransaction, Store, type Database } from '@bae/store';
import { packBody } from '@bae/store/backend';

/** A word that is in one entry of 10,000. */
export const RARE_WORD = 'needlework';

/** Turns numbers into numbers that look random, the same ones in each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The files of this repository, as a session about it reads them. */
function readSources(): readonly { readonly path: string; readonly lines: readonly string[] }[] {
  const root = join(import.meta.dirname, '../..');
  const paths = globSync(['{packages,apps}/**/src/**/*.ts', 'docs/**/*.md'], {
    cwd: root,
    exclude: ['**/node_modules/**'],
  });
  return paths.toSorted().map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n') }));
}

/** What sessions are about: parts of files as they are read, searched and written, and prose about them. */
function createWriter(random: () => number) {
  const files = readSources();
  const proseLines = files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ lines }) => lines.filter((line) => line.length > 60));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const prose = (lines: number): string => Array.from({ length: lines }, () => pick(proseLines)).join(' ');
  const part = (lines: number) => {
    const file = pick(files);
    const first = Math.floor(random() * Math.max(1, file.lines.length - lines));
    return { path: file.path, first, lines: file.lines.slice(first, first + lines) };
  };
  const read = () => {
    const { path, first, lines } = part(10 + Math.floor(random() * 35));
    const text = lines.map((line, index) => `${first + index + 1}|${line}`).join('\n');
    return { verb: 'read', tag: `<R:${path}:${first + 1}-${first + lines.length}>`, body: '', text };
  };
  const search = () => {
    const rows = Array.from({ length: 2 + Math.floor(random() * 20) }, () => part(1));
    const text = rows.map(({ path, first, lines }) => `${path}:${first + 1}: ${lines[0]!.trim()}`).join('\n');
    return { verb: 'grep', tag: `<Grep:${pick(proseLines).split(' ')[2]}>`, body: '', text };
  };
  const edit = () => {
    const { path, first, lines } = part(4 + Math.floor(random() * 12));
    const body = lines.join('\n');
    const text = `Replaced lines ${first}-${first + 5} (6 -> ${lines.length} lines) in ${path}\n${body.slice(0, 500)}`;
    return { verb: 'edit', tag: `<E:${path}:${first}-${first + 5}>`, body, text };
  };
  return { prose, act: () => (random() < 0.5 ? read() : random() < 0.5 ? search() : edit()) };
}

type Writer = ReturnType<typeof createWriter>;

/** A turn of an agent, as its log has it: a prompt, calls with their results, an answer. */
function* writeTurn(
  turn: number,
  { prose, act }: Writer,
  random: () => number,
): Generator<{ event: AgentEvent; message?: string }> {
  const signed = { label: '1', turn } as const;
  const prompt = prose(1);
  yield { event: { ...signed, type: 'turn-start', prompt }, message: `[Location: home]\n${prompt}` };
  const usage = { inputTokens: 2000, outputTokens: 100, cachedTokens: 1500 };
  for (let call = 1; call <= CALLS; call++) {
    const { verb, tag, body, text: found } = act();
    const text = random() < 0.0001 ? `${found} ${RARE_WORD}` : found;
    const response = `${prose(1)}\n${body === '' ? tag : `${tag}\n${body}\n</E>`}`;
    yield {
      event: { ...signed, type: 'response-end', text: response, executable: true, usage, context: 0.1 },
      message: response,
    };
    const about = { ...signed, id: String(turn * 1000 + call), tag, verb, space: 'home' };
    yield {
      event: { ...about, type: 'call-start', arguments: { target: tag.slice(3, -1), ...(body !== '' && { body }) } },
    };
    const summary = `[home] ◆ ${verb}(${tag.slice(3, -1)}) -> string (${text.split('\n').length} lines)`;
    const message = `[Location: home]\n[Tool output 9f2c41]\n#1 9f2c41 ${tag} [home] ok\n${text}\n[end 9f2c41]`;
    yield { event: { ...about, type: 'call-end', ok: true, text, ms: 3, summary }, message };
  }
  const answer = prose(4);
  yield {
    event: { ...signed, type: 'response-end', text: answer, executable: false, usage, context: 0.1 },
    message: answer,
  };
  yield { event: { ...signed, type: 'answer', text: answer } };
  const totals = { ...usage, sends: CALLS + 1, calls: CALLS, runs: 0, ms: 20_000 };
  yield { event: { ...signed, type: 'turn-end', outcome: 'answered', totals } };
}

/** A database with the sessions of a year, each of so many turns of ten entries. */
export interface YearOfWork extends Disposable {
  readonly folder: string;
  /** Where the user has the key: BAE_HOME. */
  readonly home: string;
  readonly key: Uint8Array;
  /** Of all events, in bytes. */
  readonly bodies: number;
  /** Of the file. */
  readonly size: number;
  readonly entries: number;
}

const CALLS = 8;
const HOUR = 3_600_000;
const YEAR_START = Date.parse('2025-11-24T08:00:00Z');

/** Makes the database of a folder; by SQL, because as many transactions would take an hour. */
export function makeYearOfWork(sessions: number, turns: number): YearOfWork {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-bench-year-')));
  const file = join(folder, '.bae', 'bae.db');
  const home = join(folder, 'user');
  const secret = new Uint8Array(32).fill(7);
  mkdirSync(home);
  writeFileSync(join(home, 'session.key'), `${Buffer.from(secret).toString('hex')}\n`);
  const key = createHmac('sha256', secret).update(folder).digest();
  let time = YEAR_START;
  const store = Store.open(file, { key, now: () => new Date(time) });
  const ids = Array.from({ length: sessions }, () => {
    time += (365 * 24 * HOUR) / sessions;
    return store.createSession({ cwd: folder });
  });
  store.close();
  const database = openDatabase(file);
  database.execute('PRAGMA synchronous = OFF');
  const random = createRandom(1);
  const writer = createWriter(random);
  let bodies = 0;
  for (const [index, id] of ids.entries()) {
    time = YEAR_START + ((index + 1) * 365 * 24 * HOUR) / sessions;
    bodies += runTransaction(database, () => fillSession(database, { id, turns, time, writer, key }, random));
  }
  database.execute('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return {
    folder,
    home,
    key,
    bodies,
    size: statSync(file).size,
    entries: sessions * turns * (CALLS + 2),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface SessionPlan {
  readonly id: string;
  readonly turns: number;
  readonly time: number;
  readonly writer: Writer;
  readonly key: Uint8Array;
}

/** Writes a session as the store does. @returns bytes of its events */
function fillSession(database: Database, { id, turns, time, writer, key }: SessionPlan, random: () => number): number {
  let [seq, bytes, before, title, messages] = [0, 0, '', '', 0];
  for (let turn = 1; turn <= turns; turn++) {
    for (const { event, message } of writeTurn(turn, writer, random)) {
      const body = JSON.stringify(event);
      bytes += Buffer.byteLength(body);
      const mac = sign(key, ['event', id, ++seq, body]).subarray(0, 16);
      const text = textOf(event);
      const kept = text === undefined ? packBody(body) : { body, packed: null };
      const row = database.get(ADD_EVENT, id, seq, time + seq * 100, event.type, kept.body, kept.packed, mac);
      if (text !== undefined) database.run('INSERT INTO entry_words (rowid, content) VALUES (?, ?)', row!['id']!, text);
      if (event.type === 'turn-start') title ||= event.prompt.slice(0, 60);
      if (message === undefined) continue;
      const record = JSON.stringify({ kind: 'message', message: { role: 'user', text: message } });
      before = sign(key, [before, id, ++seq, record]).toString('hex');
      const keptRecord = packBody(record);
      database.run(ADD_RECORD, id, seq, time, keptRecord.body, keptRecord.packed, before);
      messages++;
    }
  }
  database.run(FINISH, seq, turns, turns * 1000, messages, turns * (CALLS + 2), title, id);
  return bytes;
}

function sign(key: Uint8Array, parts: readonly unknown[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}

const ADD_EVENT =
  'INSERT INTO events (session, seq, time, type, body, packed, mac) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id';
const ADD_RECORD = `
  INSERT INTO records (session, seq, time, kind, body, packed, mac) VALUES (?, ?, ?, 'message', ?, ?, ?)`;
const FINISH = `
  UPDATE sessions SET last_seq = ?, last_turn = ?, last_call = ?, messages = ?, entries = ?, prompt = ? WHERE id = ?`;

function textOf(event: AgentEvent): string | undefined {
  if (event.type === 'turn-start') return event.prompt;
  if (event.type === 'answer') return event.text;
  return event.type === 'call-end' ? `${event.tag}\n${event.text}` : undefined;
}
