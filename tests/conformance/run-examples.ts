import { isDeepStrictEqual } from 'node:util';
import { ADAPTERS } from './adapters/adapters.ts';
import type { Example } from './example.ts';

/** What became of one example; `got` says what came instead when it failed. */
export interface ExampleOutcome {
  readonly id: string;
  readonly fn: string;
  readonly passed: boolean;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Runs every example; an unknown function and anything thrown count as a failure. */
export async function runExamples(examples: readonly Example[]): Promise<readonly ExampleOutcome[]> {
  const outcomes: ExampleOutcome[] = [];
  for (const example of examples) outcomes.push(await runExample(example));
  return outcomes;
}

async function runExample({ id, fn, input, expected }: Example): Promise<ExampleOutcome> {
  const got = await answer({ id, fn, input, expected });
  return { id, fn, expected, got, passed: isDeepStrictEqual(got, expected) };
}

async function answer({ fn, input, expected }: Example): Promise<unknown> {
  const adapter = Object.hasOwn(ADAPTERS, fn) ? ADAPTERS[fn] : undefined;
  if (adapter === undefined) return `unknown function '${fn}'; known: ${Object.keys(ADAPTERS).join(', ')}`;
  try {
    // Through JSON, because the examples know no undefined values and no classes.
    return JSON.parse(JSON.stringify((await adapter(input as never, expected as never)) ?? null));
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}
