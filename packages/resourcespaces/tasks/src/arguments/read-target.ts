import { findNearestName } from '@bae/core';
import { parseTag } from '../task-fields.ts';
import { ACTIVE, ACTIVE_TASKS, STATUSES, type Status, type TaskFilter } from '../task.ts';

/** The meaning of a text, or a description of the expected text as the end of a sentence. */
export type Parsed<T> = { readonly value: T } | { readonly expected: string };

export type ReadTarget =
  | { readonly kind: 'task' | 'history'; readonly id: number }
  | {
      readonly kind: 'list';
      readonly filter: TaskFilter;
      /** The filters as written in the call; empty for all active tasks. */
      readonly words: string;
    };

/** A key of a filter: its allowed values and their meanings. */
interface FilterKey {
  readonly expected: string;
  /** Returns undefined for an invalid value. */
  readonly read: (value: string) => Partial<TaskFilter> | undefined;
}

/** Maximum number of alternatives of one key: each needs a separate lookup in the index. */
const MOST_ALTERNATIVES = 8;
/** Fields that an edit can change. */
const FIELDS = ['title', 'status', 'priority', 'tags', 'parent', 'after', 'gated', 'metadata', 'version'];
const EDIT = /^#?([1-9]\d{0,14})[\s,]+[a-z_]+=/i;
const FIELD = /(?:^|[\s,])([a-z_]+)=/gi;
const TASK_OR_HISTORY = /^(history:\s*)?#?([1-9]\d{0,14})$/i;
const FILTER = /^([a-z_]+):(.*)$/i;
const NUMBERS = /^(\d{1,6}(?:\.\d{1,6}){0,2})(?:\.\*){0,2}$/;
export const TASK_ID = /^#?([1-9]\d{0,14})$/;

const KEYS: Readonly<Record<string, FilterKey>> = {
  status: {
    expected: `one or more of ${STATUSES.join(', ')}`,
    read: (value) => readAlternatives('statuses', value, parseStatus),
  },
  tag: {
    expected: 'tags, auth,ui for one of them, auth+ui for both',
    read: (value) => readAlternatives('tags', value, parseTagGroup),
  },
  priority: {
    expected: 'priorities like 1.* or 1.2.0',
    read: (value) => readAlternatives('priorities', value, (text) => NUMBERS.exec(text)?.[1]?.split('.').map(Number)),
  },
  parent: {
    expected: 'ids like 3',
    read: (value) =>
      readAlternatives('parents', value, (text) => (TASK_ID.test(text) ? Number(text.replace('#', '')) : undefined)),
  },
  ready: { expected: 'nothing', read: (value) => (value === '' ? { ready: true, statuses: ['open'] } : undefined) },
  stale: { expected: 'nothing', read: (value) => (value === '' ? { stale: true } : undefined) },
  all: { expected: 'nothing', read: (value) => (value === '' ? {} : undefined) },
};
const KEY_NAMES = Object.keys(KEYS);
/** Filters of one word, which are valid without a colon, and as a status. */
const BARE = /^(?:status:)?(ready|stale|all)$/i;

/** Reads `7`, `history:7`, or filters such as `status:open,blocked tag:auth+ui`. */
export function parseReadTarget(text: string): Parsed<ReadTarget> {
  const trimmed = text.trim();
  const [, history, id] = TASK_OR_HISTORY.exec(trimmed) ?? [];
  if (id !== undefined) return { value: { kind: history === undefined ? 'task' : 'history', id: Number(id) } };
  const words = trimmed
    .replaceAll(/\s*([,+])\s*/g, '$1')
    .split(/\s+/)
    .filter((word) => word !== '');
  const parsed = parseFilters(words);
  if ('expected' in parsed) return explainEdit(trimmed) ?? parsed;
  return { value: { kind: 'list', filter: parsed.value, words: words.join(' ') } };
}

/** Reads filters, all of which have to match. */
function parseFilters(words: readonly string[]): Parsed<TaskFilter> {
  const parts = new Map<string, Partial<TaskFilter>>();
  for (const given of words) {
    const word = completeFilter(given);
    const [, written = '', value = ''] = FILTER.exec(word) ?? [];
    const name = written.toLowerCase();
    if (!Object.hasOwn(KEYS, name)) {
      const keys = KEY_NAMES.map((key) => `${key}:`).join(' ');
      return { expected: `an id, or filters of ${keys}${suggestMeaning(name, KEY_NAMES)}` };
    }
    if (parts.has(name)) return { expected: `${name}: once, with alternatives joined by a comma` };
    const { expected, read } = KEYS[name]!;
    const part = read(value);
    if (part === undefined) return { expected: `${name}: followed by ${expected}${suggestStatus(name, value)}` };
    parts.set(name, part);
  }
  const statuses = parts.has('all') ? STATUSES : ACTIVE;
  return { value: Object.assign({ ...ACTIVE_TASKS, statuses }, ...parts.values()) as TaskFilter };
}

/** Completes a filter: `ready:` for `ready` and `status:ready`, and `status:done` for `done`. */
function completeFilter(word: string): string {
  return parseStatus(word) === undefined ? word.replace(BARE, '$1:') : `status:${word}`;
}

function suggestMeaning(name: string, candidates: readonly string[]): string {
  const near = findNearestName(name, candidates);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

function suggestStatus(name: string, value: string): string {
  const wrong = value.split(',').find((status) => parseStatus(status) === undefined) ?? '';
  return name === 'status' ? suggestMeaning(wrong, STATUSES) : '';
}

function readAlternatives<T>(
  key: keyof TaskFilter,
  value: string,
  parse: (text: string) => T | undefined,
): Partial<TaskFilter> | undefined {
  const values = value.split(',').map(parse);
  return values.length > MOST_ALTERNATIVES || values.includes(undefined) ? undefined : { [key]: values };
}

function parseStatus(text: string): Status | undefined {
  return STATUSES.find((status) => status === text.toLowerCase());
}

function parseTagGroup(text: string): readonly string[] | undefined {
  const tags = text.split('+').map(parseTag);
  return tags.length <= MOST_ALTERNATIVES && tags.every((tag) => tag !== undefined) ? tags : undefined;
}

/** Explains a read that was intended as an edit, but is a read because of an unknown field. */
function explainEdit(text: string): { readonly expected: string } | undefined {
  const [, id] = EDIT.exec(text) ?? [];
  if (id === undefined) return undefined;
  const names = [...text.matchAll(FIELD)].map(([, name = '']) => name.toLowerCase());
  if (names.includes('body')) return { expected: `an id alone; a body stands between the tags: <E:${id}>text</E>` };
  const wrong = names.find((name) => !FIELDS.includes(name));
  if (wrong === undefined) return { expected: `an id alone; a change is <E:${id} status=done>` };
  const near = findNearestName(wrong, FIELDS);
  const hint = near === undefined ? `there are ${FIELDS.join(', ')}` : `did you mean ${near}?`;
  return { expected: `an id alone, or a change of known fields: ${wrong} is none (${hint})` };
}
