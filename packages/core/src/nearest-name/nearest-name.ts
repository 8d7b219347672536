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
    const score = measureSimilarity(name, candidate);
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
 */
export function measureSimilarity(left: string, right: string): number {
  const a = Array.from(left.toLowerCase());
  const b = Array.from(right.toLowerCase());
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 1 : 1 - distance(a, b) / longer;
}

function distance(a: readonly string[], b: readonly string[]): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let best = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + cost);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, beforeLast[column - 2]! + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}
