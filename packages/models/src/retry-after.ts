/**
 * How long a service asks to wait, in milliseconds; undefined when it does not say.
 *
 * Reads `retry-after-ms` (milliseconds) and `retry-after` (seconds, or a date, which is compared with
 * the service's own `date`).
 *
 * @param headers by lower-case name
 */
export function retryAfterMs(headers: Readonly<Record<string, string | undefined>>): number | undefined {
  const ms = amount(headers['retry-after-ms']);
  if (ms !== undefined) return Math.ceil(ms);
  const text = headers['retry-after'];
  const seconds = amount(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const until = instant(text);
  return until === undefined ? undefined : Math.max(0, until - (instant(headers['date']) ?? Date.now()));
}

function amount(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function instant(text: string | undefined): number | undefined {
  // `Date.parse` takes nearly everything for a date; one of HTTP ends like this.
  const ms = text?.trim().endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
