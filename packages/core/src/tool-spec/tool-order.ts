import { VERBS } from '../protocol/verbs.ts';

const PLACES: ReadonlyMap<string, number> = new Map(VERBS.map((verb, place) => [verb, place]));

/** Tool names in the order they are always listed: read, write, edit, glob, grep, then by alphabet. */
export function inToolOrder(names: Iterable<string>): string[] {
  return Array.from(names).toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

function place(name: string): number {
  return PLACES.get(name) ?? VERBS.length;
}
