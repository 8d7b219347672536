import type { ToolOutput } from '@bae/core';

/** How many rows are shown, and what is said when they are too many or none. */
export interface RowLimits {
  /** Most rows shown. */
  readonly most: number;
  /** Text when there are none. */
  readonly none: string;
  /** A tag that finds fewer. */
  readonly narrow: string;
}

/** Rows, and after the first `most` how many more there are and how to get fewer. Code gets all of them and nothing else. */
export function renderRows(rows: readonly string[], { most, none, narrow }: RowLimits): ToolOutput {
  const { length: total } = rows;
  const output = { format: 'plain', rows: total } as const;
  const whole = () => rows.join('\n');
  if (total === 0) return { ...output, text: none, whole };
  if (total <= most) return { ...output, text: whole() };
  const more = `... ${total - most} more (${total} total). Narrow: ${narrow}`;
  return { ...output, text: [...rows.slice(0, most), more].join('\n'), whole };
}
