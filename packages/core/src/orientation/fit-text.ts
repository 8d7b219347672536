import { takeFirstUnits, isWithinUnits, countUnits } from '../text-size/units.ts';

const MARK = '…';

/**
 * The first of several versions of a text that fits, best first; if none does, the last one truncated.
 *
 * @param cap units the text may have
 */
export function chooseVersion(versions: Iterable<string>, cap: number): string {
  let last = '';
  for (const version of versions) {
    if (isWithinUnits(version, cap)) return version;
    last = version;
  }
  return truncate(last, cap);
}

/** A text, or its beginning and a mark if it has more than so many units. */
export function truncate(text: string, max: number): string {
  return isWithinUnits(text, max) ? text : `${takeFirstUnits(text, Math.max(0, max - countUnits(MARK)))}${MARK}`;
}

/** Parts of a display one below the other; empty ones leave no gap. */
export function joinParts(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}
