import { type Move, dotted } from '../protocol/space-path.ts';

/** A move as one line: `Entering source`, `Left source -> entering tasks`, `Left source -> home`. */
export function renderMove({ from, to, moved }: Move): string {
  if (!moved) return `Already in ${dotted(to)}.`;
  if (from.length === 0) return `Entering ${dotted(to)}`;
  return to.length === 0 ? `Left ${dotted(from)} -> home` : `Left ${dotted(from)} -> entering ${dotted(to)}`;
}
