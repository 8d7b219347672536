import { firstParam } from './example-arguments.ts';
import { existingTarget } from './existing-target.ts';
import type { OpenSpace } from './open-space.ts';
import type { SampleCall } from './space-samples.ts';

/** A pattern that nothing can match. */
export const NO_MATCH = 'zqx-nothing-is-called-this-zqx';

const WORD = /\p{L}{4,}/gu;

/** A search that finds something; undefined when none is known. */
export async function matchingCall(open: OpenSpace, tool: 'glob' | 'grep'): Promise<SampleCall | undefined> {
  const given = open.samples[tool]?.matches;
  const patterns = given === undefined ? await likelyPatterns(open, tool) : [given];
  for (const pattern of patterns) {
    const call = searchFor(open, tool, pattern);
    if (given !== undefined || (await finds(open, call))) return call;
  }
  return undefined;
}

/** A search that finds nothing. */
export function fruitlessCall(open: OpenSpace, tool: 'glob' | 'grep'): SampleCall {
  return searchFor(open, tool, open.samples[tool]?.misses ?? NO_MATCH);
}

async function likelyPatterns(open: OpenSpace, tool: 'glob' | 'grep'): Promise<readonly string[]> {
  const target = await existingTarget(open);
  if (tool === 'glob') return ['**/*', '*', '**'];
  const known = target === undefined ? '' : (await open.read(target)).result.text;
  return [...known.matchAll(WORD)].slice(0, 3).map(([word]) => word);
}

async function finds(open: OpenSpace, call: SampleCall): Promise<boolean> {
  const { result } = await open.call(call);
  const nothing = await open.call(fruitlessCall(open, call.tool as 'glob' | 'grep'));
  return result.ok && result.text.split('\n')[0] !== nothing.result.text.split('\n')[0] && result.rows !== 0;
}

/** A search for one pattern. */
export function searchFor({ definition }: OpenSpace, tool: 'glob' | 'grep', pattern: string): SampleCall {
  const first = definition.tools[tool] && firstParam(definition.tools[tool]);
  return { tool, args: first === undefined ? {} : { [first.name]: pattern } };
}
