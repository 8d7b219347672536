/** A line that begins with at least three backticks or tildes. */
export interface FenceLine {
  readonly kind: 'fence';
  readonly character: string;
  readonly count: number;
  /** True when nothing follows the marks, so that the line can end a fence. */
  readonly isBare: boolean;
}

/** Reads a trimmed line as the begin or end of a fence; undefined when it can be neither. */
export function readFenceLine(line: string): FenceLine | undefined {
  const character = line.charAt(0);
  let count = 0;
  while (line.charAt(count) === character) count++;
  if (count < 3 || (character !== '`' && character !== '~')) return undefined;
  // Backticks behind backticks are inline code.
  if (character === '`' && line.includes('`', count)) return undefined;
  return { kind: 'fence', character, count, isBare: count === line.length };
}
