const CALL = /^(?:await\s+)?(?!console\b)[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+)*\s*\(/u;
/** Text in quotes, or what code would nest or compute. */
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.)*`/g;

/**
 * True for code that does nothing but call tools with plain values, each on a line of its own: then the lines
 * about the calls say all there is to say.
 */
export function isOnlyCalls(code: string): boolean {
  const lines = code
    .replaceAll(STRING, '""')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length > 0 && lines.every(isCall);
}

function isCall(line: string): boolean {
  const head = CALL.exec(line)?.[0];
  return head !== undefined && /^[^()`]*\)\s*;?$/.test(line.slice(head.length));
}
