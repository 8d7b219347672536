import { counted } from '@bae/workspace';
import type { Outline, SymbolKind } from '../language/outline.ts';

/** How many symbols of which kind a module has: `1 class, 5 functions`; `''` when it has none. */
export function countKinds({ symbols }: Outline): string {
  const counts = new Map<SymbolKind, number>();
  for (const { kind } of symbols) if (kind !== 'imports') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count]) => (kind === 'class' && count > 1 ? `${count} classes` : counted(count, kind)))
    .join(', ');
}
