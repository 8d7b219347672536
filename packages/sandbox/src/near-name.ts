import { nearestName } from '@bae/core';

/** Letters from which on a name may differ by two of them. */
const LONG = 6;
/** Letters that a name has to have, or a beginning of it. */
const LEAST = 3;

/**
 * The name that is so near to another that it was probably meant: one letter apart, two when both are long, or one
 * begins as the other does. Undefined when there is none.
 */
export function nearName(name: string, names: readonly string[]): string | undefined {
  if (name.length < LEAST) return undefined;
  const close = names.filter((one) => one.length >= LEAST && isClose(name, one));
  return nearestName(name, close, 0) ?? names.find((one) => begins(name, one));
}

function isClose(name: string, other: string): boolean {
  const shorter = Math.min(name.length, other.length);
  const longer = Math.max(name.length, other.length);
  const [left, right] = [name.toLowerCase(), other.toLowerCase()];
  const isNear = nearestName(name, [other], 1 - (shorter < LONG ? 1 : 2) / longer) !== undefined;
  // Few get the first letter wrong, unless two letters have changed places or one is too much.
  return isNear && (left.length !== right.length || letters(left) === letters(right) || left[0] === right[0]);
}

function letters(name: string): string {
  return Array.from(name).toSorted().join('');
}

/** `readFile` for `read`, and `rem` for `remove`. */
function begins(name: string, other: string): boolean {
  if (other.length >= LEAST && name.startsWith(other)) return /^[A-Z_]/.test(name.slice(other.length));
  return other.startsWith(name);
}
