import type { ToolDefinition } from '@bae/core';
import { exampleArguments, firstParam } from './example-arguments.ts';
import type { OpenSpace } from './open-space.ts';
import type { SampleArguments, SampleChange } from './space-samples.ts';

/** A body with what gets lost most easily: blank lines, indents, angle brackets, characters beyond ASCII. */
const BODY = 'First line: Grüße, 世界\n\n  indented <b>bold</b> & more\nLast line';
/** A change that can be tried: a sample, or one made up from the signature. */
export interface Change extends SampleChange {
  readonly readAs: string | number;
  /** False when the author gave no sample of it. */
  readonly sampled: boolean;
}

/** How something new can be written; undefined when only the author knows. */
export function writeChange({ definition, samples }: OpenSpace): Change | undefined {
  const { write } = definition.tools;
  if (write === undefined) return undefined;
  if (samples.write !== undefined) return sampledChange(samples.write, write);
  // What leaves the machine is the author's to try.
  if (write.effect === 'external') return undefined;
  const first = firstParam(write);
  const body = write.spec.params.find((param) => param.body === true);
  const target = exampleArguments(write)[first?.name ?? ''];
  if (first === undefined || body === undefined || typeof target !== 'string') return undefined;
  const args = { ...exampleArguments(write), [body.name]: BODY };
  return { args, readAs: target, shows: BODY, sampled: false };
}

/** A change as its author gave it. */
export function sampledChange(change: SampleChange, tool: ToolDefinition): Change {
  return { ...change, readAs: change.readAs ?? primary(change.args, tool), sampled: true };
}

function primary(args: SampleArguments, tool: ToolDefinition): string | number {
  return args[firstParam(tool)?.name ?? ''] as string | number;
}
