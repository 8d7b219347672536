import { CAP_TOLERANCE, UNITS_PER_TOKEN } from '../protocol/limits.ts';
import { isWithinTokens } from './estimate-tokens.ts';
import { takeFirstUnits, isWithinUnits, countUnits } from './units.ts';

const MARK = '…';

/**
 * The first of several versions of a text that fits, best first; if none does, the last one truncated.
 *
 * @param cap units the text may have
 * @param fits default: has at most so many units
 */
export function chooseVersion(versions: Iterable<string>, cap: number, fits = isWithinUnits): string {
  let last = '';
  for (const version of versions) {
    if (fits(version, cap)) return version;
    last = version;
  }
  return truncateUnits(last, cap);
}

/** True for a text of at most so many units that is not cut for its tokens either, which may be more than units say. */
export function isWithinLimit(text: string, cap: number): boolean {
  return isWithinUnits(text, cap) && isWithinTokens(text, (cap / UNITS_PER_TOKEN) * CAP_TOLERANCE);
}

/** A text, or its beginning and a mark if it has more than so many units. */
export function truncateUnits(text: string, max: number): string {
  return isWithinUnits(text, max) ? text : `${takeFirstUnits(text, Math.max(0, max - countUnits(MARK)))}${MARK}`;
}

/** A number with its noun: `1 line`, `3 lines`, `2 matches`, `0 entries`. */
export function formatCount(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.replace(/([^aeiou])y$/, '$1ie')}${/(?:ch|s|x)$/.test(noun) ? 'es' : 's'}`;
}

/** The first of some names, and how many others there are: `a, b, +3 more`. */
export function joinFirst(names: readonly string[], most: number, more = ' more'): string {
  const hidden = names.length - most;
  return `${names.slice(0, most).join(', ')}${hidden > 0 ? `, +${hidden}${more}` : ''}`;
}

/** Parts of a display one below the other; empty ones leave no gap. */
export function joinParts(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}
