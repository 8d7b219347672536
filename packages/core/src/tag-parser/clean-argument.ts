/**
 * The argument of a tag as it is meant: trimmed, and for every verb but grep without one pair of quotes
 * around it and without the ` /` that closes an XML element.
 */
export function cleanArgument(verb: string, raw: string): string {
  const trimmed = raw.trim();
  if (verb === 'grep') return trimmed;
  const open = trimmed.endsWith(' /') ? trimmed.slice(0, -2).trimEnd() : trimmed;
  return isQuoted(open) ? open.slice(1, -1) : open;
}

function isQuoted(text: string): boolean {
  const mark = text.charAt(0);
  if (text.length < 2 || (mark !== '"' && mark !== "'" && mark !== '`')) return false;
  // A second quote inside means that first and last are not a pair: `"a" "b"`.
  return text.indexOf(mark, 1) === text.length - 1;
}
