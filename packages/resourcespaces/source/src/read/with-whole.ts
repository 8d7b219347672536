import type { ToolOutput } from '@bae/core';

/** An answer with what code gets instead of its text, where that is something else. */
export function withWhole(output: ToolOutput, whole: string): ToolOutput {
  return whole === output.text ? output : { ...output, whole: () => whole };
}
