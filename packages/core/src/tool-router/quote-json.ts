import { findNearestName } from '../nearest-name/nearest-name.ts';
import { truncateUnits } from '../text-size/text-size.ts';
import { unicodePattern } from '../tool-spec/plain-text.ts';

const LONGEST_VALUE = 84;
/** Number of choices above which they are counted instead of listed. */
const MOST_CHOICES = 20;

const PLAIN_NAME = unicodePattern(String.raw`^[\p{L}\p{N}_$][\p{L}\p{N}_$.-]{0,59}$`);

/** Formats a value for an error: JSON on one line, truncated. */
export function quoteJson(value: unknown): string {
  return truncateUnits(encodeJson(value), LONGEST_VALUE);
}

/** Formats a parameter's name, as JSON if it is not a plain word, so that it cannot break the line. */
export function quoteName(name: string): string {
  return PLAIN_NAME().test(name) ? name : quoteJson(name);
}

/** Joins choices: `open, in_progress, done`. */
export function joinChoices(choices: readonly unknown[]): string {
  const listed = choices.slice(0, MOST_CHOICES).map(String).join(', ');
  const more = choices.length - MOST_CHOICES;
  return more > 0 ? `${listed}, … (${more} more)` : listed;
}

/** Returns ` (did you mean path?)`; empty if no name is similar enough. */
export function suggestNearest(name: string, names: readonly string[]): string {
  const nearest = findNearestName(name, names);
  return nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
}

function encodeJson(value: unknown): string {
  if (typeof value === 'number') return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === 'bigint' ? String(value) : 'a value that is not JSON';
  }
}
