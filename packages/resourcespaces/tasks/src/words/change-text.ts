import type { AuditEntry, FieldChange } from '../task.ts';
import { clip } from './task-words.ts';

/** Longest value of a change that is shown, in characters. */
const LONGEST_VALUE = 60;

/** `2026-11-20 11:52 agent status: open -> done`. @param longest characters of a value that are shown */
export function changeLine(entry: AuditEntry, longest = LONGEST_VALUE): string {
  return `${minuteOf(entry.time)} ${entry.who} ${changeText(entry, longest)}`;
}

/** `status: open -> done`; the text of a body on one line, and clipped. */
export function changeText({ field, old, new: value }: FieldChange, longest = LONGEST_VALUE): string {
  return old === undefined && field === 'created'
    ? `created: ${shown(value, longest)}`
    : `${field}: ${shown(old, longest)} -> ${shown(value, longest)}`;
}

/** `2026-11-20 11:52`, in UTC. */
export function minuteOf(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}

function shown(value: string | undefined, longest: number): string {
  if (value === undefined) return '(none)';
  return value === '' ? '(empty)' : clip(value.replaceAll(/\s+/gu, ' '), longest);
}
