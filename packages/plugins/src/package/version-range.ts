const COMPARATOR = /^(\^|~|>=|<=|>|<|=)?v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?$/;

/** Versions from `from` on, before `to`. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Tells whether a version lies within a range: `^1`, `~1.2`, `1.x`, `1.2.3`, `>=1.1 <3`, `1 || 2`, `*`.
 *
 * @param version `1.2.3`; what is left out counts as 0
 * @returns undefined when the range cannot be read
 */
export function isInRange(version: string, range: string): boolean | undefined {
  const wanted = rank(version.split('.').map(Number));
  const alternatives = range.split('||').map(spansOf);
  if (alternatives.includes(undefined)) return undefined;
  return alternatives.some((spans) => spans!.every(({ from, to }) => wanted >= from && wanted < to));
}

function spansOf(range: string): readonly Span[] | undefined {
  const words = range
    .trim()
    .replaceAll(/([<>=~^])\s+/g, '$1')
    .split(/\s+/);
  const spans = words.map((word) => spanOf(word));
  return spans.includes(undefined) ? undefined : (spans as readonly Span[]);
}

function spanOf(comparator: string): Span | undefined {
  const match = COMPARATOR.exec(comparator);
  if (match === null) return undefined;
  const [, operator = '=', ...texts] = match;
  const end = texts.findIndex((text) => text === undefined || /[xX*]/.test(text));
  const parts = texts.slice(0, end < 0 ? texts.length : end).map(Number);
  const from = rank(parts);
  // The first version that is no longer meant by what was written, `1.3` for `1.2`.
  const after = next(parts, parts.length);
  switch (operator) {
    case '^':
      return { from, to: next(parts, caretPlaces(parts)) };
    case '~':
      return { from, to: next(parts, Math.min(parts.length, 2)) };
    case '>=':
      return { from, to: Infinity };
    case '>':
      return { from: after, to: Infinity };
    case '<':
      return { from: 0, to: from };
    case '<=':
      return { from: 0, to: after };
    default:
      return { from, to: after };
  }
}

/** How many places a caret keeps: up to the first that is not 0. */
function caretPlaces(parts: readonly number[]): number {
  const first = parts.findIndex((part) => part > 0);
  return first < 0 ? parts.length : first + 1;
}

/** The first version whose leading places are greater. */
function next(parts: readonly number[], places: number): number {
  if (places === 0) return Infinity;
  return rank([...parts.slice(0, places - 1), parts[places - 1]! + 1]);
}

function rank([major = 0, minor = 0, patch = 0]: readonly number[]): number {
  return major * 1e10 + minor * 1e5 + patch;
}
