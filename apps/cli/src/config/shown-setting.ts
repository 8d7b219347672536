/** Longest value that a message repeats, in characters. */
const LONGEST = 60;

/** A value of a configuration as a message quotes it. */
export function shownSetting(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
