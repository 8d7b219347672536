const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** A number of bytes for people: `1 byte`, `12 KB`, `1.5 MB`. */
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
