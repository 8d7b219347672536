import { takeFirstCharacters } from '../text/text-lines.ts';

const LONGEST = 200;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** Formats a path for a message: on one line, with visible control characters, at most 200 characters. */
export function formatPath(path: string): string {
  const visible = path.replaceAll(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return visible.length <= LONGEST ? visible : `${takeFirstCharacters(visible, LONGEST - 1)}…`;
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Formats a number of bytes for a message: `1 byte`, `12 KB`, `1.5 MB`. */
export function showSize(bytes: number): string {
  if (bytes === 1) return '1 byte';
  let amount = bytes;
  let unit = 0;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit++;
  }
  const digits = unit >= 2 && amount < 10 ? 1 : 0;
  return `${Number(amount.toFixed(digits))} ${UNITS[unit]}`;
}
