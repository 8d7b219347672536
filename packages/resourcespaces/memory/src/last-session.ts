import type { Entry, Store } from '@bae/store';
import type { WorkspaceRoot } from '@bae/workspace';
import { clip, describeChannel, renderDay } from './render-entries.ts';
import { WorkspaceSecrets } from './secrets.ts';

/** Maximum length of the extract from the last session, in characters. */
const MOST = 2000;
/** Maximum length of each prompt, answer and tagged entry, in characters. */
const LONGEST_ENTRY = 400;
/** Number of entries to read from the end of the session. */
const MOST_ENTRIES = 60;
/** Maximum number of sessions to check for one of the user's own in which something was answered. */
const MOST_SESSIONS = 20;

/**
 * Describes the last session in this folder, for the beginning of a conversation: its prompts, answers and tagged
 * entries, in at most 2,000 characters. If not all of them fit, the latest are kept. Only entries that the user's own
 * bae has written, and that have not been changed, are included. A session that ended before its first answer is passed
 * over: its prompt would read as a second task. Keys, and values of the files of the workspace that may hold passwords,
 * are masked.
 *
 * @returns an empty text if there is no such session
 */
export async function describeLastSession(store: Store, root: WorkspaceRoot): Promise<string> {
  const own = store.sessions(MOST_SESSIONS).filter(({ isOwn, entries }) => isOwn === true && entries > 0);
  for (const { id, started } of own) {
    const filter = { session: id, limit: MOST_ENTRIES };
    const list = (only: Parameters<Store['search']>[1]) =>
      store.search('', { ...filter, ...only }).filter(({ isOwn }) => isOwn === true);
    const tagged = list({ tag: true });
    const said = list({ channel: 'ai' });
    if (tagged.length > 0 || said.some(({ direction }) => direction === 'output'))
      return renderToldSession({ store, started, secrets: await WorkspaceSecrets.load(root) }, [...tagged, ...said]);
  }
  return '';
}

interface ToldSession {
  readonly store: Store;
  readonly started: Date;
  readonly secrets: WorkspaceSecrets;
}

function renderToldSession({ store, started, secrets }: ToldSession, entries: readonly Entry[]): string {
  const head = `[What was said here in the session of ${renderDay(started)}, for reference; more: @memory()]`;
  const foot = '[end of the last session]';
  let left = MOST - head.length - foot.length - 2;
  const kept = new Map<number, string>();
  for (const entry of entries) {
    if (kept.has(entry.id)) continue;
    const row = renderSaid({ ...entry, content: secrets.mask(entry.content) }, store.tagsOf(entry.id));
    left -= row.length + 1;
    if (left < 0) break;
    kept.set(entry.id, row);
  }
  const rows = Array.from(kept).toSorted(([a], [b]) => a - b);
  return [head, ...rows.map(([, row]) => row), foot].join('\n');
}

function renderSaid(entry: Entry, tags: readonly string[]): string {
  const about = tags.length === 0 ? '' : ` (${tags.join(', ')})`;
  return `${describeChannel(entry)}${about}> ${clip(entry.content, LONGEST_ENTRY)}`;
}
