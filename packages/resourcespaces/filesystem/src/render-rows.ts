/** How many rows there are, how many are shown, and what is said when they are too many or none. */
export interface RowLimits {
  /** Most rows shown. */
  readonly most: number;
  readonly total: number;
  /** Text when there are none. */
  readonly none: string;
  /** A tag that finds fewer. */
  readonly narrow: string;
}

/** Rows, and after the first `most` how many more there are and how to get fewer. */
export function renderRows(rows: readonly string[], { most, total, none, narrow }: RowLimits): string {
  if (total === 0) return none;
  if (total <= most) return rows.join('\n');
  return [...rows.slice(0, most), `... ${total - most} more (${total} total). Narrow: ${narrow}`].join('\n');
}
