import type { SampleCall } from './space-samples.ts';

/** The first line of a text as a sentence of its own. */
export function quoteFirstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return /[.!?:]$/.test(line) ? line : `${line}.`;
}

/** An error as a sentence. */
export function quoteError(error: unknown): string {
  return quoteFirstLine(error instanceof Error && error.name === 'Error' ? error.message : String(error));
}

/** A call: `grep("TODO")`. */
export function quoteSample({ tool, args }: SampleCall): string {
  const values = Object.values(args).map((value) => JSON.stringify(value));
  return `${tool}(${values.join(', ')})`;
}

/** Any value, also one that JSON cannot hold. */
export function quoteAnything(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
