import { likePattern } from './like-pattern.ts';
import type { Rows } from './task-database.ts';
import { hitsOf, idsNeeded, pageOf, type PageRange, type TaskPage } from './task-page.ts';

const TITLED = String.raw`SELECT id FROM task WHERE folded LIKE ? ESCAPE '\' ORDER BY place, id LIMIT ?`;
/** The longest title has 200 characters. */
const LONGEST = 1000;

/** Tasks whose title fits a pattern of `*` and `?`, in any case; a text without them may stand anywhere in it. */
export function globTasks(rows: Rows, pattern: string, range: PageRange): TaskPage {
  const whole = /[*?]/.test(pattern) ? pattern : `*${pattern}*`;
  if (whole.length > LONGEST) return pageOf(rows, { ids: [], count: 0 }, range);
  const ids = rows.all(TITLED, likePattern(whole), idsNeeded(range)).map((row) => Number(row['id']));
  return pageOf(rows, hitsOf(ids, range), range);
}
