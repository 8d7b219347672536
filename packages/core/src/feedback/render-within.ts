import { firstUnits, fits, units } from '../text-size/units.ts';

const MARK = '…';

/**
 * The first of several versions of a text that fits, best first; if none does, the beginning of the last.
 *
 * @param cap units the text may have
 */
export function renderWithin(versions: Iterable<string>, cap: number): string {
  let last = '';
  for (const version of versions) {
    if (fits(version, cap)) return version;
    last = version;
  }
  return clipped(last, cap);
}

/** A text, or its beginning and a mark if it has more than so many units. */
export function clipped(text: string, max: number): string {
  return fits(text, max) ? text : `${firstUnits(text, Math.max(0, max - units(MARK)))}${MARK}`;
}

/** Parts of a display one below the other; empty ones leave no gap. */
export function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}
