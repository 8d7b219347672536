import { ParameterError } from '@bae/core';
import type { Entry, SessionInfo } from '@bae/store';

/** Number of characters of an id that identify a session. */
export const ID = 13;
const LONGEST_ROW = 110;
/** Number of characters shown before a match. */
const BEFORE_MATCH = 24;
const LONGEST_TITLE = 60;

/** `12 entries`, `1 entry`. */
export function countEntries(count: number): string {
  return `${count} ${count === 1 ? 'entry' : 'entries'}`;
}

export function renderDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** @throws ParameterError for what is no day like `2026-11-21` */
export function checkDay(name: string, text: string): void {
  const time = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(time.getTime()) || renderDay(time) !== text)
    throw new ParameterError(`${name}: expected a day like 2026-11-21; got ${JSON.stringify(text)}.`);
}

export function renderMinute(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}

/** `019ab3c4-5e6f  2026-11-19 21:04  42 entries  "fix the login"`. */
export function renderSessionRow({ id, started, entries }: SessionInfo, first: Entry | undefined): string {
  const title = first === undefined ? '' : clip(first.content, LONGEST_TITLE);
  return `${id.slice(0, ID)}  ${renderMinute(started)}  ${countEntries(entries)}  ${JSON.stringify(title)}`;
}

/** `#381 21:05 user> fix the login bug`. */
export function renderEntryRow(entry: Entry): string {
  return clip(`#${entry.id} ${entry.time.toISOString().slice(11, 16)} ${describeChannel(entry)}> ${entry.content}`);
}

/** `#381 019ab3c4-5e6f user> …fix the [login] bug`, with the first of the search words marked. */
export function renderFoundEntry(entry: Entry, query: string): string {
  const text = entry.content.replaceAll(/\s+/g, ' ').trim();
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const lower = text.toLowerCase();
  const found = words.map((word) => ({ at: lower.indexOf(word), length: word.length })).filter(({ at }) => at !== -1);
  const [first] = found.toSorted((a, b) => a.at - b.at);
  const head = `#${entry.id} ${entry.session.slice(0, ID)} ${describeChannel(entry)}> `;
  if (first === undefined) return clip(`${head}${text}`);
  const start = Math.max(0, first.at - BEFORE_MATCH);
  const end = first.at + first.length;
  const shown = `${text.slice(start, first.at)}[${text.slice(first.at, end)}]${text.slice(end)}`;
  return clip(`${head}${start > 0 ? '…' : ''}${shown}`);
}

/** Returns the author of an entry: `user`, `ai`, `tool` or `run`. */
export function describeChannel({ channel, direction }: Entry): string {
  if (channel !== 'ai') return channel;
  return direction === 'input' ? 'user' : 'ai';
}

/** Tests whether an entry is a call that looked up earlier sessions, or searched everything: it repeats what was said. */
export function isLookup({ channel, meta: { space } }: Entry): boolean {
  return channel === 'tool' && typeof space === 'string' && /^(?:memory|search)(?:\.|$)/.test(space);
}

/** Returns a text as one line, with an ellipsis if it is cut. */
export function clip(text: string, most = LONGEST_ROW): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line;
}
