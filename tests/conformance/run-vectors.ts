import { isDeepStrictEqual } from 'node:util';
import { ADAPTERS } from './adapters/adapters.ts';
import type { Vector } from './vector.ts';

/** What became of one vector; `got` says what came instead when it failed. */
export interface VectorOutcome {
  readonly id: string;
  readonly fn: string;
  readonly passed: boolean;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Runs every vector; an unknown function and anything thrown count as a failure. */
export async function runVectors(vectors: readonly Vector[]): Promise<readonly VectorOutcome[]> {
  const outcomes: VectorOutcome[] = [];
  for (const vector of vectors) outcomes.push(await runVector(vector));
  return outcomes;
}

async function runVector({ id, fn, input, expected }: Vector): Promise<VectorOutcome> {
  const got = await answer({ id, fn, input, expected });
  return { id, fn, expected, got, passed: isDeepStrictEqual(got, expected) };
}

async function answer({ fn, input, expected }: Vector): Promise<unknown> {
  const adapter = Object.hasOwn(ADAPTERS, fn) ? ADAPTERS[fn] : undefined;
  if (adapter === undefined) return `unknown function '${fn}'; known: ${Object.keys(ADAPTERS).join(', ')}`;
  try {
    // Through JSON, because the vectors know no undefined values and no classes.
    return JSON.parse(JSON.stringify((await adapter(input as never, expected as never)) ?? null));
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}
