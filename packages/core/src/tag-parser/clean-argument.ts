const PLAIN = /^[\w*.]$/;
const IS_PLAIN = Uint8Array.from({ length: 128 }, (_, code) => (PLAIN.test(String.fromCharCode(code)) ? 1 : 0));

/**
 * The argument of a tag as it is meant: trimmed, and for every verb but grep without one pair of quotes
 * around it and without the ` /` that closes an XML element.
 */
export function cleanArgument(verb: string, raw: string): string {
  if (isClean(raw)) return raw;
  const trimmed = raw.trim();
  if (verb === 'grep') return trimmed;
  const open = trimmed.endsWith(' /') ? trimmed.slice(0, -2).trimEnd() : trimmed;
  return isQuoted(open) ? open.slice(1, -1) : open;
}

/** Cheap test that most arguments pass: they begin and end with a letter, a digit or the like. */
function isClean(raw: string): boolean {
  return IS_PLAIN[raw.charCodeAt(0)] === 1 && IS_PLAIN[raw.charCodeAt(raw.length - 1)] === 1;
}

function isQuoted(text: string): boolean {
  const mark = text.charAt(0);
  if (text.length < 2 || (mark !== '"' && mark !== "'" && mark !== '`')) return false;
  // A second quote inside means that first and last are not a pair: `"a" "b"`.
  return text.indexOf(mark, 1) === text.length - 1;
}
