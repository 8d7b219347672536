import type { TextFormat } from '@bae/core';
import { prune as pruneText } from '@bae/core/pipeline';

/** A piece of a generated text: itself, a line repeated with its number in it, or a run of one character. */
type Part =
  | string
  | { readonly repeat: string; readonly count: number }
  | { readonly char: string; readonly count: number };

interface Input {
  readonly gen: readonly Part[];
  readonly format?: TextFormat;
}

/** What an example says of the pruned text: only what is there is checked. */
interface Expected {
  readonly unchanged?: boolean;
  readonly first?: string;
  readonly indicator?: string;
  readonly contains?: readonly string[];
  readonly notContains?: readonly string[];
  readonly maxCost?: number;
}

/** @throws Error when pruning the pruned text changes it */
export function prune({ gen, format }: Input, expected: Expected): unknown {
  const text = gen.map(partText).join('\n');
  const options = format === undefined ? {} : { format };
  const pruned = pruneText(text, options).text;
  if (pruneText(pruned, options).text !== pruned) throw new Error('pruning twice is not the same as pruning once');
  return answerTo(expected, text, pruned);
}

function answerTo(expected: Expected, text: string, pruned: string): Expected {
  const { contains, notContains, maxCost } = expected;
  const lines = pruned.split('\n');
  return {
    ...('unchanged' in expected && { unchanged: pruned === text }),
    ...('first' in expected && { first: lines[0]! }),
    ...('indicator' in expected && { indicator: lines.at(-1)! }),
    ...(contains !== undefined && { contains: contains.filter((piece) => pruned.includes(piece)) }),
    ...(notContains !== undefined && { notContains: notContains.filter((piece) => !pruned.includes(piece)) }),
    ...(maxCost !== undefined && { maxCost: Math.max(maxCost, cost(pruned)) }),
  };
}

function partText(part: Part): string {
  if (typeof part === 'string') return part;
  if ('char' in part) return part.char.repeat(part.count);
  return Array.from({ length: part.count }, (_, index) => part.repeat.replaceAll('{i}', String(index))).join('\n');
}

/** Counted here once more, so that a wrong count in the pruner cannot hide itself. */
function cost(text: string): number {
  let total = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    total += point < 0x80 ? 1 : point < 0x800 ? 2 : 4;
  }
  return total;
}
