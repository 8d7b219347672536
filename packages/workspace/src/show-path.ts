const LONGEST = 200;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** A path as it may stand in a message: on one line, control characters made visible, at most 200 characters. */
export function showPath(path: string): string {
  const visible = path.replaceAll(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return visible.length <= LONGEST ? visible : `${visible.slice(0, LONGEST - 1)}…`;
}
