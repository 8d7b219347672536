import type { AgentEvent, SessionLog } from '@bae/core';
import type { Database } from './database.ts';
import { entryOfEvent } from './entry-of-event.ts';
import { noSession } from './no-session.ts';
import { searchableText } from './searchable-text.ts';
import { promptLine } from './session-info.ts';
import type { SessionRecord } from './session-record.ts';
import { transaction } from './transaction.ts';

/** What one more event or record changes in the row of its session. */
interface Progress {
  readonly turn?: number;
  readonly call?: number;
  readonly messages?: 1;
  readonly prompt?: string;
}

const ADVANCE = `
  UPDATE sessions SET
    last_seq = last_seq + 1, last_turn = max(last_turn, ?), last_call = max(last_call, ?),
    messages = messages + ?, prompt = coalesce(prompt, ?)
  WHERE id = ? RETURNING last_seq`;
const ADD_EVENT = 'INSERT INTO events (session, seq, time, type, body) VALUES (?, ?, ?, ?, ?)';
const ADD_RECORD = 'INSERT INTO records (session, seq, time, kind, body) VALUES (?, ?, ?, ?, ?)';
const ADD_ENTRY = `
  INSERT INTO entries (session, time, mode, channel, direction, content, meta) VALUES (?, ?, 'ai', ?, ?, ?, ?)`;

/** Writes down one session; what it was given is on disk when it returns. */
export class SessionWriter implements SessionLog {
  constructor(
    private readonly database: Database,
    readonly id: string,
    private readonly now: () => Date,
  ) {}

  append(event: AgentEvent): void {
    const time = this.now().getTime();
    transaction(this.database, () => {
      const seq = this.advance(progressOf(event));
      this.database.run(ADD_EVENT, this.id, seq, time, event.type, JSON.stringify(event));
      this.addEntry(event, time);
    });
  }

  record(record: SessionRecord): void {
    const time = this.now().getTime();
    transaction(this.database, () => {
      const seq = this.advance(record.kind === 'message' ? { messages: 1 } : {});
      this.database.run(ADD_RECORD, this.id, seq, time, record.kind, JSON.stringify(record));
    });
  }

  /** The place of the next event or record. */
  private advance({ turn = 0, call = 0, messages, prompt }: Progress): number {
    const row = this.database.get(ADVANCE, turn, call, messages ?? 0, prompt ?? null, this.id);
    if (row === undefined) throw noSession(this.id);
    return Number(row['last_seq']);
  }

  private addEntry(event: AgentEvent, time: number): void {
    const entry = entryOfEvent(event);
    if (entry === undefined) return;
    const { content, meta } = searchableText(entry.text);
    const all = JSON.stringify({ ...entry.meta, ...meta });
    this.database.run(ADD_ENTRY, this.id, time, entry.channel, entry.direction, content, all);
  }
}

function progressOf(event: AgentEvent): Progress {
  const { turn } = event;
  if (event.type === 'turn-start') return { turn, prompt: promptLine(event.prompt) };
  if (event.type !== 'call-start' && event.type !== 'run-start') return { turn };
  const call = Number(event.id);
  return Number.isSafeInteger(call) ? { turn, call } : { turn };
}
