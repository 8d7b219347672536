/** Longest line given, in characters. */
const LONGEST = 160;

/** Anything thrown as one short line, for a display that goes on without it: `Error: disk is full`. */
export function errorLine(error: unknown): string {
  const text = asText(error).replaceAll(/\s+/g, ' ').trim();
  const points = Array.from(text);
  return points.length <= LONGEST ? text : `${points.slice(0, LONGEST - 1).join('')}…`;
}

function asText(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}`;
  } catch {
    return 'Error: an unreadable value was thrown';
  }
}
