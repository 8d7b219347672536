/** What a line is to the pruner; `table` is the first line of a table, whose second belongs to it. */
export type LineKind = 'blank' | 'item' | 'heading' | 'rule' | 'table';

/**
 * Tells what a line of Markdown is, seen alone; whether a rule underlines a title is decided by who
 * knows the line before it.
 *
 * @param next the line after it, if there is one
 */
export function lineKind(line: string, next: string | undefined): LineKind {
  if (line.trim() === '') return 'blank';
  if (/^#{1,6} /.test(line)) return 'heading';
  if (/^(?:={3,}|-{3,})\s*$/.test(line)) return 'rule';
  if (line.startsWith('|') && next !== undefined && isTableRule(next)) return 'table';
  return 'item';
}

/** True for `|---|:--|`. Two plain tests, because one pattern for both takes quadratic time. */
function isTableRule(line: string): boolean {
  return line.includes('-') && /^\|[\s:|-]*$/.test(line);
}
