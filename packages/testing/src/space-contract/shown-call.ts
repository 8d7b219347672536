import type { SampleCall } from './space-samples.ts';

/** A call as a complaint shows it: `grep("TODO")`. */
export function shownCall({ tool, args }: SampleCall): string {
  const values = Object.values(args).map((value) => JSON.stringify(value));
  return `${tool}(${values.join(', ')})`;
}
