import { nearestName } from '@bae/core';
import { shownSetting } from './shown-setting.ts';

const FIELDS = ['use', 'as', 'under', 'options'];

const EXPECTED = 'the name of a package like "tickets", or {"use": "tickets", "as": "support"}; in code also a space';

/**
 * What is wrong with a list of spaces, as far as that can be told without looking for them.
 *
 * @returns one line for each thing, beginning with its place: `spaces[1].as`
 */
export function explainEntries(spaces: unknown): readonly string[] {
  if (!Array.isArray(spaces)) return [];
  return (spaces as readonly unknown[]).flatMap((entry, index) => explainEntry(entry, `spaces[${index}]`));
}

function explainEntry(entry: unknown, place: string): readonly string[] {
  if (isSpace(entry) || isName(entry)) return [];
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return [`${place}: expected ${EXPECTED}; got ${shownSetting(entry)}.`];
  const fields = Object.entries(entry);
  const unknown = fields.filter(([field]) => !FIELDS.includes(field)).map(([field]) => unknownField(field, place));
  const { use, as, under, options } = entry as Readonly<Record<string, unknown>>;
  return [
    ...unknown,
    ...(isSpace(use) || isName(use) ? [] : [`${place}.use: expected ${EXPECTED}; got ${shownSetting(use)}.`]),
    ...nameLines(as, `${place}.as`, 'a name like "support"'),
    ...nameLines(under, `${place}.under`, 'the name of a space or place like "work"'),
    ...(options === undefined || (typeof options === 'object' && options !== null && !Array.isArray(options))
      ? []
      : [`${place}.options: expected an object; got ${shownSetting(options)}.`]),
  ];
}

function nameLines(value: unknown, place: string, expected: string): readonly string[] {
  return value === undefined || isName(value) ? [] : [`${place}: expected ${expected}; got ${shownSetting(value)}.`];
}

function unknownField(field: string, place: string): string {
  const nearest = nearestName(field, FIELDS);
  return `${place}.${field}: no such field. ${nearest === undefined ? `There are ${FIELDS.join(', ')}.` : `Did you mean ${nearest}?`}`;
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isSpace(value: unknown): boolean {
  return typeof value === 'function' || (typeof value === 'object' && value !== null && 'enter' in value);
}
