import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

it.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': ' 0.5 ' }, 500],
  [{ 'retry-after-ms': '120', 'retry-after': '7' }, 120],
  [{ 'retry-after': 'Fri, 20 Nov 2026 10:01:00 GMT', date: 'Fri, 20 Nov 2026 10:00:00 GMT' }, 60_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:00 GMT', date: 'Fri, 20 Nov 2026 10:00:05 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-1' }, undefined],
  [{}, undefined],
])('reads %j as %s', (headers, expected) => {
  expect(retryAfterMs(headers)).toBe(expected);
});

it('compares a date with this machine when the service sends none', () => {
  const inOneHour = new Date(Date.now() + 3_600_000).toUTCString();
  const wait = retryAfterMs({ 'retry-after': inOneHour })!;
  expect(wait).toBeGreaterThan(3_500_000);
  expect(wait).toBeLessThanOrEqual(3_600_000);
});
