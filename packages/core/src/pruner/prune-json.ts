import type { PrunedText } from '../protocol/tool-result.ts';
import { formatCount, isWithinUnits, takeFirstUnits, countCodePoints } from '../text-size/text-size.ts';
import { formatNotice, type PruneLimits } from './notice.ts';

interface Reduction {
  /** Maximum number of elements of an array. */
  readonly elements: number;
  /** Maximum number of keys of an object. */
  readonly keys: number;
  /** Maximum length of a string, in units. */
  readonly text: number;
  /** Number of levels of objects and arrays that are kept. */
  readonly depth: number;
}

/** Reductions from mild to severe: arrays and strings first, depth next, keys last. */
const REDUCTIONS: readonly Reduction[] = [
  ...[
    [100, 1000],
    [64, 400],
    [40, 400],
    [24, 400],
    [24, 200],
    [16, 200],
    [12, 200],
    [12, 120],
    [8, 120],
    [6, 120],
    [6, 80],
    [4, 80],
    [3, 60],
    [2, 60],
    [2, 40],
    [1, 40],
  ].map(([elements, text]) => ({ elements: elements!, text: text!, keys: Infinity, depth: Infinity })),
  ...[8, 6, 5, 4, 3, 2].map((depth) => ({ elements: 2, text: 40, keys: Infinity, depth })),
  ...[64, 32, 16, 8, 4, 2].map((keys) => ({ elements: 2, text: 40, keys, depth: 2 })),
  { elements: 1, text: 24, keys: 1, depth: 1 },
];

/**
 * Shortens a JSON text but keeps it valid JSON: arrays keep their first and last elements, with a string between them
 * that counts the others; long strings are shortened, and deep values become `{"…": "12 keys"}`. Keys keep their order.
 * The notice follows below.
 *
 * @param value the parsed text
 */
export function pruneJson(text: string, value: unknown, { cap, ref }: PruneLimits): PrunedText | undefined {
  const indent = /^[[{]\s*\n/.test(text.trimStart()) ? 1 : 0;
  const indicator = formatNotice(`${countCodePoints(text)} chars of JSON, shortened`, ref);
  for (const reduction of REDUCTIONS) {
    const json = JSON.stringify(reduce(value, reduction), null, indent);
    const pruned = `${json}\n${indicator}`;
    if (isWithinUnits(pruned, cap))
      return { text: pruned, report: { total: text.length, shown: json.length, indicator } };
  }
  return undefined;
}

function reduce(value: unknown, reduction: Reduction): unknown {
  if (typeof value === 'string') return clipString(value, reduction.text);
  if (typeof value !== 'object' || value === null) return value;
  const inner = { ...reduction, depth: reduction.depth - 1 };
  if (Array.isArray(value)) {
    if (reduction.depth <= 0 && value.length > 0) return [`… ${formatCount(value.length, 'element')}`];
    const { elements } = reduction;
    const reduceAll = (part: readonly unknown[]) => part.map((element) => reduce(element, inner));
    if (value.length <= elements + 1) return reduceAll(value);
    const tail = Math.floor(elements / 4) || (elements > 1 ? 1 : 0);
    const head = reduceAll(value.slice(0, elements - tail));
    return [...head, `… ${value.length - elements} more`, ...reduceAll(value.slice(value.length - tail))];
  }
  const entries = Object.entries(value);
  if (reduction.depth <= 0 && entries.length > 0) return { '…': formatCount(entries.length, 'key') };
  const kept: [string, unknown][] = entries
    .slice(0, reduction.keys)
    .map(([key, member]) => [clipString(key, reduction.text), reduce(member, inner)]);
  if (entries.length > kept.length) kept.push(['…', `${entries.length - kept.length} more keys`]);
  return Object.fromEntries(kept);
}

function clipString(text: string, max: number): string {
  if (isWithinUnits(text, max)) return text;
  const start = takeFirstUnits(text, max);
  return `${start}… [+${countCodePoints(text) - countCodePoints(start)} chars]`;
}
