import { FUZZY_MIN } from '../protocol/limits.ts';
import { similarity } from './similarity.ts';

/** Longer names than this are never compared: the comparison takes time in proportion to their product. */
const LONGEST = 200;

/**
 * The candidate most like a name, for "did you mean"; undefined when none is alike enough.
 *
 * Of equally like candidates the first wins, so order them by preference.
 *
 * @param min similarity from which a candidate counts, 0 to 1
 */
export function nearestName(name: string, candidates: Iterable<string>, min = FUZZY_MIN): string | undefined {
  if (name.length > LONGEST) return undefined;
  let best: string | undefined;
  let bestScore = 0;
  for (const candidate of candidates) {
    const longer = Math.max(name.length, candidate.length);
    const shorter = Math.min(name.length, candidate.length);
    if (candidate.length > LONGEST || shorter < longer * min) continue;
    const score = similarity(name, candidate);
    if (score >= min && score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}
