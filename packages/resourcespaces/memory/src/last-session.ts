import type { Entry, Store } from '@bae/store';
import { clip, renderDay } from './render-entries.ts';

/** Characters that the last session takes at the beginning of a new one. */
const MOST = 2000;
/** Characters of a prompt, of an answer, and of what was tagged. */
const LONGEST_ENTRY = 400;
/** Entries at the end of the session that are looked at. */
const MOST_ENTRIES = 60;
/** Sessions that are looked at for one of the user's own in which something was said. */
const MOST_SESSIONS = 20;

/**
 * What was said last in this folder, for the beginning of a conversation: prompts, answers and tagged entries of the
 * last session, the latest first to be kept where not all of it fits, in at most 2,000 characters. Only what the user's
 * own bae has written, and nobody has changed, is there.
 *
 * @param except id of the session that begins
 * @returns an empty text when there is nothing
 */
export function describeLastSession(store: Store, except?: string): string {
  const last = store
    .sessions(MOST_SESSIONS)
    .find(({ id, isOwn, entries }) => id !== except && isOwn === true && entries > 0);
  if (last === undefined) return '';
  const filter = { session: last.id };
  const tagged = store.search('', { ...filter, limit: MOST_ENTRIES, tag: true }).filter(({ isOwn }) => isOwn === true);
  const said = store
    .search('', { ...filter, channel: 'ai', limit: MOST_ENTRIES })
    .filter(({ isOwn }) => isOwn === true);
  const head = `[What was said here in the session of ${renderDay(last.started)}, for reference; more: @memory()]`;
  const foot = '[end of the last session]';
  let left = MOST - head.length - foot.length - 2;
  const kept = new Map<number, string>();
  for (const entry of [...tagged, ...said]) {
    const row = kept.has(entry.id) ? '' : renderSaid(entry, store.tagsOf(entry.id));
    if (row === '') continue;
    left -= row.length + 1;
    if (left < 0) break;
    kept.set(entry.id, row);
  }
  if (kept.size === 0) return '';
  const rows = Array.from(kept).toSorted(([a], [b]) => a - b);
  return [head, ...rows.map(([, row]) => row), foot].join('\n');
}

function renderSaid({ direction, channel, content }: Entry, tags: readonly string[]): string {
  const who = channel === 'ai' ? (direction === 'input' ? 'user' : 'ai') : channel;
  const about = tags.length === 0 ? who : `${who} (${tags.join(', ')})`;
  return `${about}> ${clip(content, LONGEST_ENTRY)}`;
}
