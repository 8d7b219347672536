import type { Entry, Store } from '@bae/store';
import { clip, renderDay } from './render-entries.ts';

/** Maximum length of the extract from the last session, in characters. */
const MOST = 2000;
/** Maximum length of each prompt, answer and tagged entry, in characters. */
const LONGEST_ENTRY = 400;
/** Number of entries to read from the end of the session. */
const MOST_ENTRIES = 60;
/** Maximum number of sessions to check for one of the user's own that is not empty. */
const MOST_SESSIONS = 20;

/**
 * Describes the last session in this folder, for the beginning of a conversation: its prompts, answers and tagged
 * entries, in at most 2,000 characters. If not all of them fit, the latest are kept. Only entries that the user's own
 * bae has written, and that have not been changed, are included.
 *
 * @param except id of the session that begins
 * @returns an empty text if there is no such session
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
