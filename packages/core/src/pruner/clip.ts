import { codePoints, firstUnits, fits } from '../text-size/units.ts';

/** Units kept free for the note at the end of a clipped line. */
const NOTE_RESERVE = 24;

/** A line of at most `max` units (never fewer than 24): its beginning, and how many characters went. */
export function clip(line: string, max: number): string {
  if (fits(line, max)) return line;
  const beginning = firstUnits(line, max - NOTE_RESERVE);
  return `${beginning}… [+${codePoints(line) - codePoints(beginning)} chars]`;
}
