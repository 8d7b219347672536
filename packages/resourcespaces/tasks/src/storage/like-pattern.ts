/** A pattern with `*` (any text) and `?` (one character) for lower-case text, as SQL's LIKE reads it, escaped by a backslash. */
export function likePattern(pattern: string): string {
  const escaped = pattern.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`);
  return escaped.replaceAll(/\*+/g, '%').replaceAll('?', '_');
}
