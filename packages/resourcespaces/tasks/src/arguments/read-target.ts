import { findNearestName } from '@bae/core';
import type { Parsed } from './parsed.ts';
import { parseFilters } from './parse-filters.ts';
import type { TaskFilter } from '../task-filter.ts';

/** What a read is about. */
export type ReadTarget =
  | { readonly kind: 'task'; readonly id: number }
  | { readonly kind: 'history'; readonly id: number }
  | {
      readonly kind: 'list';
      readonly filter: TaskFilter;
      /** The filters as they are written; empty for all active tasks. */
      readonly words: string;
    };

/** What an edit can change. */
const FIELDS = ['title', 'status', 'priority', 'tags', 'parent', 'after', 'gated', 'metadata', 'version'];
const EDIT = /^#?([1-9]\d{0,14})[\s,]+[a-z_]+=/i;
const NAME = /(?:^|[\s,])([a-z_]+)=/gi;
const ONE = /^(history:\s*)?#?([1-9]\d{0,14})$/i;

/** Reads `7`, `history:7`, or filters such as `status:open,blocked tag:auth+ui`. */
export function parseReadTarget(text: string): Parsed<ReadTarget> {
  const trimmed = text.trim();
  const [, history, id] = ONE.exec(trimmed) ?? [];
  if (id !== undefined) return { value: { kind: history === undefined ? 'task' : 'history', id: Number(id) } };
  const words = trimmed
    .replaceAll(/\s*([,+])\s*/g, '$1')
    .split(/\s+/)
    .filter((word) => word !== '');
  const parsed = parseFilters(words);
  if ('expected' in parsed) return misspelt(trimmed) ?? parsed;
  return { value: { kind: 'list', filter: parsed.value, words: words.join(' ') } };
}

/** A field that no task has makes a read of what was meant as an edit. */
function misspelt(text: string): { readonly expected: string } | undefined {
  const [, id] = EDIT.exec(text) ?? [];
  if (id === undefined) return undefined;
  const names = [...text.matchAll(NAME)].map(([, name = '']) => name.toLowerCase());
  if (names.includes('body')) return { expected: `an id alone; a body stands between the tags: <E:${id}>text</E>` };
  const wrong = names.find((name) => !FIELDS.includes(name));
  if (wrong === undefined) return { expected: `an id alone; a change is <E:${id} status=done>` };
  const near = findNearestName(wrong, FIELDS);
  const meant = near === undefined ? `there are ${FIELDS.join(', ')}` : `did you mean ${near}?`;
  return { expected: `an id alone, or a change of known fields: ${wrong} is none (${meant})` };
}
