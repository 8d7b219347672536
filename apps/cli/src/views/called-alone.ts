const CALL = /^(?:await\s+)?((?!console\b)[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+)*)\s*\(/u;
/** Text in quotes, or what code would nest or compute. */
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.)*`/g;

/**
 * What code calls that does nothing but call functions with plain values, each on a line of its own; undefined for
 * all other code. Where these are tools, the lines about the calls say all there is to say.
 */
export function calledAlone(code: string): readonly string[] | undefined {
  const lines = code
    .replaceAll(STRING, '""')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const called = lines.map(calledBy);
  return called.length > 0 && called.every((name) => name !== undefined) ? called : undefined;
}

function calledBy(line: string): string | undefined {
  const [head = '', name] = CALL.exec(line) ?? [];
  return name !== undefined && /^[^()`]*\)\s*;?$/.test(line.slice(head.length)) ? name : undefined;
}
