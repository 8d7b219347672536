import type { Answer } from './open-space.ts';

/** An answer before anything was cut from it. */
export function wholeText({ result, runs }: Answer): string {
  const returned = runs.at(-1)?.returned;
  if (!result.ok) return result.text;
  if (typeof returned === 'string') return returned;
  const isOutput = typeof returned === 'object' && returned !== null && 'text' in returned;
  if (isOutput && typeof returned.text === 'string') return returned.text;
  return result.pruned === undefined ? result.text : JSON.stringify(returned, undefined, 2);
}
