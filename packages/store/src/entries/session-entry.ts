import type { AgentEvent } from '@bae/core';
import type { Row } from '../database.ts';
import { isSignedEvent, signEvent } from '../record-chain.ts';
import { toSearchable } from './search-text.ts';

/** A prompt, an answer, or the output of a call or run block. */
export interface Entry {
  /** Number of the entry, across all sessions of the store. */
  readonly id: number;
  readonly session: string;
  readonly time: Date;
  /** `ai` for prompts and answers, `tool` for calls, `run` for run blocks. */
  readonly channel: EntryChannel;
  readonly direction: 'input' | 'output';
  /** At most 10,000 characters. */
  readonly content: string;
  /** Of a call, its `id`, `ok`, `space` and `ref`. Contains `truncated` and `original_length` if the content was cut. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** True if it was written with the user's key and has not been changed since; absent without a key. */
  readonly isOwn?: boolean;
}

export type EntryChannel = 'ai' | 'tool' | 'run';

/** Types of events that are entries, by channel. */
const TYPES: Readonly<Record<EntryChannel, readonly AgentEvent['type'][]>> = {
  ai: ['turn-start', 'answer'],
  tool: ['call-end'],
  run: ['run-end'],
};

/** Returns an SQL condition for the events that are entries, of one channel or of all. */
export function isEntrySql(channel?: EntryChannel): string {
  const types = channel === undefined ? Object.values(TYPES).flat() : TYPES[channel];
  return `type IN (${types.map((type) => `'${type}'`).join(', ')})`;
}

/** An entry without its number. */
interface NewEntry extends Pick<Entry, 'channel' | 'direction' | 'meta'> {
  readonly text: string;
}

/** Returns the entry of an event, which only prompts, answers, and the output of calls and run blocks have. */
export function makeEntry(event: AgentEvent): NewEntry | undefined {
  switch (event.type) {
    case 'turn-start':
      return { channel: 'ai', direction: 'input', text: event.prompt, meta: {} };
    case 'answer':
      return { channel: 'ai', direction: 'output', text: event.text, meta: {} };
    case 'call-end': {
      const { id, ok, space, ref } = event;
      const meta = { id, ok, space, ...(ref !== undefined && { ref }) };
      return { channel: 'tool', direction: 'output', text: `${event.tag}\n${event.text}`, meta };
    }
    case 'run-end': {
      const { id, ok } = event;
      return { channel: 'run', direction: 'output', text: `${event.code}\n${event.output}`, meta: { id, ok } };
    }
    default:
      return undefined;
  }
}

/** Reads an entry from the row of its event. @param keys those with which it may be signed, if that is to be checked */
export function readEntry(row: Row, keys?: readonly Uint8Array[]): Entry {
  const [session, seq, body] = [String(row['session']), Number(row['seq']), String(row['body'])];
  const { text, meta, ...entry } = makeEntry(JSON.parse(body) as AgentEvent)!;
  const { content, meta: cut } = toSearchable(text);
  return {
    id: Number(row['id']),
    session,
    time: new Date(Number(row['time'])),
    ...entry,
    content,
    meta: { ...meta, ...cut },
    ...(keys && { isOwn: keys.some((key) => isSignedEvent(key, { session, seq, body, mac: row['mac'] })) }),
  };
}

/** Reads an entry from a row that contains its text. */
export function toSearchEntry(row: Row, key: Uint8Array | undefined): Entry {
  const [session, direction, content, meta] = ['session', 'direction', 'content', 'meta'].map((name) =>
    String(row[name]),
  ) as [string, string, string, string];
  const channel = String(row['channel']) as EntryChannel;
  const body = JSON.stringify([channel, direction, content, meta]);
  return {
    id: Number(row['id']),
    session,
    time: new Date(Number(row['time'])),
    channel,
    direction: direction === 'input' ? 'input' : 'output',
    content,
    meta: JSON.parse(meta) as Entry['meta'],
    ...(key !== undefined && { isOwn: isSignedEvent(key, { session, seq: 0, body, mac: row['mac'] }) }),
  };
}

/** Computes the code of an entry that is stored without its event, wherever it is in its session. */
export function signEntry(key: Uint8Array, session: string, parts: readonly (string | null)[]): Uint8Array {
  return signEvent(key, { session, seq: 0, body: JSON.stringify(parts) });
}
