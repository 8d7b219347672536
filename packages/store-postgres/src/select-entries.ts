import type { EntryFilter } from '@bae/store';
import { parseWordSearch } from '@bae/store/backend';

/** The conditions of a query for entries. */
export interface EntrySelection {
  readonly where: string;
  /** Values of the placeholders so far. */
  readonly values: readonly unknown[];
  /** Puts the best matches first; empty without words. */
  readonly best: string;
}

/** Selects the entries that pass a filter and have every word of a text. */
export function selectEntries({ session, cwd, channel, since, tag }: EntryFilter, text = ''): EntrySelection {
  const { query, patterns } = parseWordSearch(text);
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const words = query === '' ? undefined : `to_tsquery('simple', ${bind(query)})`;
  const conditions = [
    words === undefined ? undefined : `words @@ ${words}`,
    ...patterns.map((pattern) => `content ILIKE ${bind(pattern)}`),
    session === undefined ? undefined : `session = ${bind(session)}`,
    cwd === undefined ? undefined : `session IN (SELECT id FROM sessions WHERE cwd = ${bind(cwd)})`,
    channel === undefined ? undefined : `channel = ${bind(channel)}`,
    since === undefined ? undefined : `time >= ${bind(since.getTime())}`,
    tag === undefined ? undefined : `id IN (SELECT entry FROM tags${tag === true ? '' : ` WHERE tag = ${bind(tag)}`})`,
  ];
  return {
    where: ['TRUE', ...conditions.filter((condition) => condition !== undefined)].join(' AND '),
    values,
    best: words === undefined ? '' : `ts_rank(words, ${words}) DESC, `,
  };
}
