import { findNearestName } from '@bae/core';
import type { Parsed } from './parsed.ts';
import { ACTIVE, ACTIVE_TASKS, type TaskFilter } from '../task-filter.ts';
import { asTag } from '../task-tags.ts';
import { STATUSES, type Status } from '../task.ts';

/** One key of a filter: what its value may be, and what it means. */
interface Key {
  readonly expected: string;
  /** Undefined for a value that means nothing. */
  readonly read: (value: string) => Partial<TaskFilter> | undefined;
}

/** Alternatives of one key: each takes a look at the index of its own. */
const MOST_ALTERNATIVES = 8;
const WORD = /^([a-z_]+):(.*)$/i;
const NUMBERS = /^(\d{1,6}(?:\.\d{1,6}){0,2})(?:\.\*){0,2}$/;
const ID = /^#?([1-9]\d{0,14})$/;
const nothing = { expected: 'nothing' };

const KEYS: Readonly<Record<string, Key>> = {
  status: {
    expected: `one or more of ${STATUSES.join(', ')}`,
    read: (value) => named('statuses', alternatives(value, asStatus)),
  },
  tag: {
    expected: 'tags, auth,ui for one of them, auth+ui for both',
    read: (value) => named('tags', alternatives(value, asGroup)),
  },
  priority: {
    expected: 'priorities like 1.* or 1.2.0',
    read: (value) => named('priorities', alternatives(value, asNumbers)),
  },
  parent: { expected: 'ids like 3', read: (value) => named('parents', alternatives(value, asId)) },
  stale: { ...nothing, read: (value) => (value === '' ? { stale: true } : undefined) },
  all: { ...nothing, read: (value) => (value === '' ? {} : undefined) },
};

/** Reads filters such as `status:open,blocked` and `tag:auth+ui`: all of them have to hold. */
export function parseFilters(words: readonly string[]): Parsed<TaskFilter> {
  const parts = new Map<string, Partial<TaskFilter>>();
  for (const word of words) {
    const [, written = '', value = ''] = WORD.exec(word) ?? [];
    const name = written.toLowerCase();
    if (!Object.hasOwn(KEYS, name)) return { expected: `an id, or filters of ${keyList()}${meant(name, keyNames())}` };
    if (parts.has(name)) return { expected: `${name}: once, with alternatives joined by a comma` };
    const { expected, read } = KEYS[name]!;
    const part = read(value);
    if (part === undefined) return { expected: `${name}: followed by ${expected}${meantStatus(name, value)}` };
    parts.set(name, part);
  }
  const statuses = parts.has('all') ? STATUSES : ACTIVE;
  return { value: Object.assign({ ...ACTIVE_TASKS, statuses }, ...parts.values()) as TaskFilter };
}

function keyNames(): readonly string[] {
  return Object.keys(KEYS);
}

function keyList(): string {
  return keyNames()
    .map((name) => `${name}:`)
    .join(' ');
}

function meant(name: string, candidates: readonly string[]): string {
  const near = findNearestName(name, candidates);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

function meantStatus(name: string, value: string): string {
  const wrong = value.split(',').find((status) => asStatus(status) === undefined) ?? '';
  return name === 'status' ? meant(wrong, STATUSES) : '';
}

function named<K extends keyof TaskFilter>(key: K, value: TaskFilter[K] | undefined): Partial<TaskFilter> | undefined {
  return value === undefined ? undefined : { [key]: value };
}

function alternatives<T>(value: string, read: (text: string) => T | undefined): readonly T[] | undefined {
  const values = value.split(',').map(read);
  const known = values.filter((one) => one !== undefined);
  return known.length === values.length && values.length <= MOST_ALTERNATIVES ? known : undefined;
}

function asStatus(text: string): Status | undefined {
  return STATUSES.find((status) => status === text.toLowerCase());
}

function asGroup(text: string): readonly string[] | undefined {
  const tags = text.split('+').map(asTag);
  return tags.length <= MOST_ALTERNATIVES && tags.every((tag) => tag !== undefined) ? tags : undefined;
}

function asNumbers(text: string): readonly number[] | undefined {
  return NUMBERS.exec(text)?.[1]?.split('.').map(Number);
}

function asId(text: string): number | undefined {
  const id = ID.exec(text)?.[1];
  return id === undefined ? undefined : Number(id);
}
