import { randomBytes } from 'node:crypto';

/** Digits of an id that tell its time: 48 bits of milliseconds. */
const TIME_DIGITS = 12;

/**
 * An id of a session: a UUID of version 7, of which a later one sorts after an earlier one.
 *
 * @param previous the latest id so far; the new one sorts after it even when the clock stands or goes back
 */
export function sessionId(now: Date, previous?: string): string {
  const time = Math.max(now.getTime(), previous === undefined ? 0 : timeOf(previous) + 1);
  const random = randomBytes(10).toString('hex');
  const variant = ((parseInt(random[3]!, 16) & 0x3) | 0x8).toString(16);
  const digits =
    time.toString(16).padStart(TIME_DIGITS, '0') + `7${random.slice(0, 3)}${variant}${random.slice(4, 19)}`;
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  );
}

function timeOf(id: string): number {
  return parseInt(id.replace('-', '').slice(0, TIME_DIGITS), 16);
}
