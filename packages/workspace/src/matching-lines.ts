/** Places of a line that stayed, in the old and in the new text, 0-based. */
export type LinePair = readonly [old: number, now: number];

/** Changed lines up to which the fewest are looked for; the time grows with their square. */
const MOST_CHANGES = 400;

/**
 * The lines that two texts have in common, in order: as many as can be, unless very much was changed. Then
 * only those at the beginning and at the end count.
 */
export function matchingLines(old: readonly string[], now: readonly string[]): readonly LinePair[] {
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const middle = between(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  return [
    ...Array.from({ length: head }, (_, index): LinePair => [index, index]),
    ...middle.map(([one, other]): LinePair => [one + head, other + head]),
    ...Array.from({ length: tail }, (_, index): LinePair => [old.length - tail + index, now.length - tail + index]),
  ];
}

/** How far each diagonal gets: the line of the old text, by how many lines that one is ahead of the new one. */
type Furthest = ReadonlyMap<number, number>;

/** The greedy algorithm of Myers: for every number of changes in turn, how far one gets with that many. */
function between(old: readonly string[], now: readonly string[]): readonly LinePair[] {
  const trace: Furthest[] = [new Map([[1, 0]])];
  for (let changes = 0; changes <= Math.min(old.length + now.length, MOST_CHANGES); changes++) {
    const before = trace[changes] as Furthest;
    const furthest = new Map<number, number>();
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const from = origin(diagonal, changes, before);
      let at = (before.get(from) as number) + (from < diagonal ? 1 : 0);
      while (at < old.length && at - diagonal < now.length && old[at] === now[at - diagonal]) at++;
      furthest.set(diagonal, at);
      if (at >= old.length && at - diagonal >= now.length) return walkBack(trace, old.length, now.length);
    }
    trace.push(furthest);
  }
  return [];
}

/** The diagonal that this one is reached from with one change: by a line added, or by one taken away. */
function origin(diagonal: number, changes: number, before: Furthest): number {
  const [removed = -1, added = -1] = [before.get(diagonal - 1), before.get(diagonal + 1)];
  return diagonal === -changes || (diagonal !== changes && removed < added) ? diagonal + 1 : diagonal - 1;
}

function walkBack(trace: readonly Furthest[], oldEnd: number, newEnd: number): readonly LinePair[] {
  const pairs: LinePair[] = [];
  let [old, now] = [oldEnd, newEnd];
  for (let changes = trace.length - 1; changes >= 0; changes--) {
    const before = trace[changes] as Furthest;
    const from = origin(old - now, changes, before);
    const oldStart = before.get(from) as number;
    const newStart = oldStart - from;
    while (old > oldStart && now > newStart) pairs.push([--old, --now]);
    [old, now] = [oldStart, newStart];
  }
  return pairs.toReversed();
}
