import { searchTerms, type Row } from '@bae/store';
import { likePattern } from './like-pattern.ts';
import type { Rows } from './task-database.ts';
import { hitsOf, idsNeeded, pageOf, type PageRange, type TaskPage } from './task-page.ts';
import { FIRST_FINISHED } from './task-place.ts';

/** Words of a search that are looked for in titles to put these first. */
const MOST_TELLING = 8;
const LONGEST_WORD = 200;

const INDEXES = ['task_words', 'task_stems'];
const IN_TITLE = String.raw`folded LIKE ? ESCAPE '\'`;
const ANYWHERE = String.raw`(task.title LIKE ? ESCAPE '\' OR task.body LIKE ? ESCAPE '\')`;

/**
 * Tasks that have every word of a text in title or body: active ones first, of these the ones with more of the
 * words in the title. Words match in any inflection, the last one as a beginning; very short ones and those of
 * scripts without spaces anywhere in a word. Every text is a valid search.
 *
 * Where there are more hits than are counted, the newest are looked at.
 */
export function searchTasks(rows: Rows, text: string, range: PageRange): TaskPage {
  const most = idsNeeded(range);
  const { match, patterns } = searchTerms(text);
  if (match === '') return found(rows, { ids: idsLike(rows, patterns, most), text, range });
  // Whole words are found without a look at all the beginnings; where they are enough, that saves most of the time.
  const whole = idsMatching(rows, { indexes: ['task_stems'], match: match.replace(/ \*$/, ''), patterns, most });
  const ids = whole.length < most ? idsMatching(rows, { indexes: INDEXES, match, patterns, most }) : whole;
  return found(rows, { ids, text, range });
}

interface Matching {
  readonly indexes: readonly string[];
  readonly match: string;
  readonly patterns: readonly string[];
  readonly most: number;
}

function idsMatching(rows: Rows, { indexes, match, patterns, most }: Matching): readonly number[] {
  const selects = indexes.map((index) =>
    selectFrom(
      index,
      patterns.map(() => ANYWHERE),
    ),
  );
  const values = selects.flatMap(() => [match, ...patterns.flatMap((pattern) => [pattern, pattern])]);
  return idsIn(rows.all(`${selects.join(' UNION ')} ORDER BY id DESC LIMIT ?`, ...values, most));
}

function idsLike(rows: Rows, patterns: readonly string[], most: number): readonly number[] {
  const where = ['TRUE', ...patterns.map(() => ANYWHERE)].join(' AND ');
  const values = patterns.flatMap((pattern) => [pattern, pattern]);
  return idsIn(rows.all(`SELECT id FROM task WHERE ${where} ORDER BY id DESC LIMIT ?`, ...values, most));
}

function found(
  rows: Rows,
  { ids, text, range }: { readonly ids: readonly number[]; readonly text: string; readonly range: PageRange },
): TaskPage {
  return pageOf(rows, hitsOf(sorted(rows, ids, text), range), range);
}

function selectFrom(index: string, conditions: readonly string[]): string {
  const join = conditions.length === 0 ? '' : `CROSS JOIN task ON task.id = ${index}.rowid`;
  return [`SELECT ${index}.rowid AS id FROM ${index} ${join} WHERE ${index} MATCH ?`, ...conditions].join(' AND ');
}

function sorted(rows: Rows, ids: readonly number[], text: string): readonly number[] {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  const patterns = words.slice(0, MOST_TELLING).map((word) => likePattern(`*${word.slice(0, LONGEST_WORD)}*`));
  const inTitle = ['0', ...patterns.map(() => `(${IN_TITLE})`)].join(' + ');
  const sql = `
    SELECT task.id AS id, ${inTitle} AS hits FROM json_each(?) AS hit JOIN task ON task.id = hit.value
    ORDER BY place >= '${FIRST_FINISHED}', hits DESC, place, task.id`;
  return idsIn(rows.all(sql, ...patterns, JSON.stringify(ids)));
}

function idsIn(found: readonly Row[]): readonly number[] {
  return found.map((row) => Number(row['id']));
}
