/** Why a value does not survive as JSON, as the end of a sentence; undefined when it does. */
export function jsonProblem(value: unknown, path = '', above: readonly unknown[] = []): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return problem(String(value), path);
  if (['bigint', 'symbol', 'function'].includes(typeof value)) return problem(`a ${typeof value}`, path);
  if (typeof value !== 'object' || value === null || isWritten(value)) return undefined;
  if (above.includes(value)) return problem('an object that contains itself', path);
  if (Array.isArray(value)) return first(value.entries(), path, [...above, value]);
  const prototype = Object.getPrototypeOf(value) as object | null;
  const isPlain = prototype === Object.prototype || prototype === null;
  return isPlain ? first(Object.entries(value), path, [...above, value]) : problem(`a ${value.constructor.name}`, path);
}

/** True for a value that says itself how it is written, as dates do. */
function isWritten(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function first(
  entries: Iterable<[string | number, unknown]>,
  path: string,
  above: readonly unknown[],
): string | undefined {
  for (const [key, value] of entries) {
    // Errors of single items are no part of the text.
    if (value instanceof Error && path === 'errors') continue;
    const name = typeof key === 'number' ? `[${key}]` : `${path === '' ? '' : '.'}${key}`;
    const found = jsonProblem(value, `${path}${name}`, above);
    if (found !== undefined) return found;
  }
  return undefined;
}

function problem(what: string, path: string): string {
  const where = path === '' ? '' : ` (in ${path})`;
  return `${what}${where}, which JSON cannot hold. Return a text, or plain objects and lists.`;
}
