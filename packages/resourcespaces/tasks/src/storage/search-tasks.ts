import { parseSearch } from '@bae/store';
import type { PageRange, TaskMention } from '../task.ts';
import { countNeededIds, loadPage, readIds, readMentions, type TaskPage } from './read-tasks.ts';
import { FIRST_FINISHED, find, type Work } from './task-place.ts';

/** Maximum number of search words that are looked up in titles for sorting. */
const MOST_SORTED_BY = 8;
const LONGEST_WORD = 200;
/** Maximum length of a pattern; the longest title has 200 characters. */
const LONGEST_PATTERN = 1000;

const INDEXES = ['task_words', 'task_stems'];
const IN_TITLE = String.raw`folded LIKE ? ESCAPE '\'`;
const ANYWHERE = String.raw`(task.title LIKE ? ESCAPE '\' OR task.body LIKE ? ESCAPE '\')`;
const BY_TITLE = `SELECT id FROM task WHERE ${IN_TITLE} ORDER BY place, id LIMIT ?`;
const TITLED = `SELECT id, status, title FROM task WHERE ${IN_TITLE} ORDER BY folded <> ?, place, id LIMIT ?`;
const SOME = 'SELECT id, status, title FROM task ORDER BY place, id LIMIT ?';

/** A full-text search. */
interface SearchQuery extends ReturnType<typeof parseSearch> {
  readonly most: number;
}

/**
 * Finds tasks whose title matches a pattern of `*` and `?`, ignoring case; a text without them matches anywhere in the
 * title.
 */
export function* globTasks(pattern: string, range: PageRange): Work<TaskPage> {
  const whole = /[*?]/.test(pattern) ? pattern : `*${pattern}*`;
  const isPossible = whole.length <= LONGEST_PATTERN;
  const ids = isPossible ? yield* readIds(BY_TITLE, toLikePattern(whole), countNeededIds(range)) : [];
  return yield* loadPage(ids, range);
}

/**
 * Finds tasks whose title begins with a text, ignoring case: those that are called exactly so first, then in list
 * order.
 */
export function* findTitled(beginning: string, most: number): Work<readonly TaskMention[]> {
  const folded = beginning.toLowerCase();
  return yield* readMentions(TITLED, `${escapeLike(folded)}%`, folded, most);
}

/** Returns the first tasks in list order, whatever their status. */
export function* findFirstTasks(most: number): Work<readonly TaskMention[]> {
  return yield* readMentions(SOME, most);
}

/**
 * Finds tasks that contain every word of a text in title or body: active ones first, and among these the ones with more
 * of the words in the title. Words match in any inflection, the last one as a prefix; very short ones and those of
 * scripts without spaces match anywhere in a word. Every text is a valid search.
 *
 * If there are more hits than are counted, only the newest are sorted.
 */
export function* searchTasks(text: string, range: PageRange): Work<TaskPage> {
  return yield* loadPage(yield* sortHits(yield* find(text, countNeededIds(range)), text), range);
}

/** Performs `find` for a file. */
export function* findHits(text: string, most: number): Work<readonly number[]> {
  const query = { ...parseSearch(text), most };
  const { match, patterns } = query;
  if (match === '') {
    const where = ['TRUE', ...patterns.map(() => ANYWHERE)].join(' AND ');
    return yield* readIds(`SELECT id FROM task WHERE ${where} ORDER BY id DESC LIMIT ?`, ...repeat(patterns), most);
  }
  // Whole words are found without reading all the prefixes; if they are sufficient, that saves most of the time.
  const whole = yield* matchIndexes(['task_stems'], { ...query, match: match.replace(/ \*$/, '') });
  return whole.length < most ? yield* matchIndexes(INDEXES, query) : whole;
}

function* matchIndexes(indexes: readonly string[], query: SearchQuery): Work<readonly number[]> {
  const { match, patterns, most } = query;
  const conditions = patterns.map(() => ` AND ${ANYWHERE}`).join('');
  const selects = indexes.map((index) => {
    const join = patterns.length === 0 ? '' : `CROSS JOIN task ON task.id = ${index}.rowid`;
    return `SELECT ${index}.rowid AS id FROM ${index} ${join} WHERE ${index} MATCH ?${conditions}`;
  });
  const values = indexes.flatMap(() => [match, ...repeat(patterns)]);
  return yield* readIds(`${selects.join(' UNION ')} ORDER BY id DESC LIMIT ?`, ...values, most);
}

/** Repeats each pattern: once for the title, once for the body. */
function repeat(patterns: readonly string[]): readonly string[] {
  return patterns.flatMap((pattern) => [pattern, pattern]);
}

function* sortHits(ids: readonly number[], text: string): Work<readonly number[]> {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  const patterns = words.slice(0, MOST_SORTED_BY).map((word) => toLikePattern(`*${word.slice(0, LONGEST_WORD)}*`));
  const inTitle = ['0', ...patterns.map(() => `CASE WHEN ${IN_TITLE} THEN 1 ELSE 0 END`)].join(' + ');
  const sql = `
    SELECT task.id AS id, ${inTitle} AS hits FROM json_each(?) AS hit JOIN task ON task.id = hit.value
    ORDER BY place >= '${FIRST_FINISHED}', hits DESC, place, task.id`;
  return yield* readIds(sql, ...patterns, JSON.stringify(ids));
}

/** Translates a pattern with `*` and `?` for lower-case text to SQL's LIKE, escaped with backslashes. */
function toLikePattern(pattern: string): string {
  return escapeLike(pattern.toLowerCase()).replaceAll(/\*+/g, '%').replaceAll('?', '_');
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
