/** A pattern and the path to search; `path` is null to search everywhere. */
export interface SplitGrep {
  readonly pattern: string;
  readonly path: string | null;
}

/**
 * Removes the path from the end of a search: `"import x" in src`, or `TODO src` and `TODO in src` when `src` exists.
 *
 * @param exists returns whether a path exists
 */
export function splitGrep(arg: string, exists: (path: string) => boolean): SplitGrep {
  const whole = arg.trim();
  return splitQuoted(whole, exists) ?? splitLastWord(whole, exists);
}

function splitQuoted(whole: string, exists: (path: string) => boolean): SplitGrep | undefined {
  const mark = whole.charAt(0);
  if (mark !== '"' && mark !== "'" && mark !== '`') return undefined;
  const end = findQuoteEnd(whole, mark);
  if (end === -1) return undefined;
  const pattern = whole.slice(1, end);
  const rest = whole.slice(end + 1).trim();
  const path = unquote(rest.replace(/^in\s+/, ''));
  if (path === '') return { pattern, path: null };
  // Several words that are not a path belong to the pattern: `"a" or "b"`.
  return /\s/.test(path) && !exists(path) ? undefined : { pattern, path };
}

/** Finds the quote that ends a quoted pattern: the next one that is followed by a space or nothing. */
function findQuoteEnd(whole: string, mark: string): number {
  let end = whole.indexOf(mark, 2);
  while (end !== -1 && end + 1 < whole.length && !/\s/.test(whole.charAt(end + 1))) end = whole.indexOf(mark, end + 1);
  return end;
}

function splitLastWord(whole: string, exists: (path: string) => boolean): SplitGrep {
  const words = /^(.*\S)\s+(\S+)$/s.exec(whole);
  const path = words?.[2];
  if (!words || path === undefined || !exists(path)) return { pattern: whole, path: null };
  return { pattern: words[1]!.replace(/(?<!\s)\s+in$/, ''), path };
}

function unquote(path: string): string {
  const mark = path.charAt(0);
  const isQuoted = path.length > 1 && (mark === '"' || mark === "'" || mark === '`') && path.endsWith(mark);
  return isQuoted ? path.slice(1, -1) : path;
}
