import { FUZZY_MIN } from '../protocol/limits.ts';

/** Maximum length of a compared name: the time of a comparison grows with the product of the lengths. */
const LONGEST = 200;

/**
 * Returns the candidate most similar to a name, for "did you mean"; undefined if none is similar enough. The first of
 * equally similar candidates is returned, so order them by preference.
 *
 * @param min the minimum similarity of a candidate, 0 to 1
 */
export function findNearestName(name: string, candidates: Iterable<string>, min = FUZZY_MIN): string | undefined {
  if (name.length > LONGEST) return undefined;
  let best: string | undefined;
  let bestScore = 0;
  for (const candidate of candidates) {
    const longer = Math.max(name.length, candidate.length);
    const shorter = Math.min(name.length, candidate.length);
    if (candidate.length > LONGEST || shorter < longer * min) continue;
    const score = measureSimilarity(name, candidate, min);
    if (score >= min && score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

/**
 * Measures the similarity of two names from 0 to 1, ignoring case: 1 − distance ÷ longer length. The distance counts
 * insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
 *
 * @param min similarity below which the result may be 0, which takes less time. Default: 0
 */
export function measureSimilarity(left: string, right: string, min = 0): number {
  const [a, b] = [toCodePoints(left), toCodePoints(right)];
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 1;
  // Each character without a partner in the other name needs a step of its own.
  return countShared(a, b) < longer * min ? 0 : 1 - distance(a, b) / longer;
}

function toCodePoints(name: string): readonly number[] {
  return Array.from(name.toLowerCase(), (char) => char.codePointAt(0)!);
}

/** Counts the characters that two lists have in common, in any order. */
function countShared(a: readonly number[], b: readonly number[]): number {
  const left = new Map<number, number>();
  for (const code of a) left.set(code, (left.get(code) ?? 0) + 1);
  let shared = 0;
  for (const code of b) {
    const count = left.get(code) ?? 0;
    if (count > 0) shared++;
    left.set(code, count - 1);
  }
  return shared;
}

/** Measures the distance of two lists of code points. Written for speed, as a search compares hundreds of names. */
function distance(a: readonly number[], b: readonly number[]): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  let current = last.slice();
  for (let row = 1; row <= a.length; row++) {
    const [letter, before] = [a[row - 1]!, row > 1 ? a[row - 2]! : -1];
    let left = (current[0] = row);
    let corner = row - 1;
    for (let column = 1; column <= b.length; column++) {
      const above = last[column]!;
      const other = b[column - 1]!;
      let best = letter === other ? corner : corner + 1;
      if (left < best) best = left + 1;
      if (above < best) best = above + 1;
      const swapped = other === before && column > 1 && letter === b[column - 2];
      if (swapped && beforeLast[column - 2]! < best) best = beforeLast[column - 2]! + 1;
      current[column] = best;
      left = best;
      corner = above;
    }
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return last[b.length]!;
}
