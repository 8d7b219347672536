/** Longest text given, in characters. */
const LONGEST = 200;

/** Anything thrown as one short line without a full stop, for the middle of a sentence: `Error: disk is full`. */
export function errorText(error: unknown): string {
  const text = asText(error).replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

function asText(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}`;
  } catch {
    return 'Error: an unreadable value was thrown';
  }
}
