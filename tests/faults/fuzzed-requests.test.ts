import { expect, it } from 'vitest';
import { sendFuzzedRequests } from '../served/fuzz-requests.ts';

it('answers 10,000 requests of its own description without an error or a word of others', async () => {
  const { statuses, failures, unexpected } = await sendFuzzedRequests(10_000, Date.now());
  // Whatever the responses were, every operation had right and wrong requests.
  expect(Array.from(statuses.values(), (counts) => counts.size).every((kinds) => kinds > 1)).toBe(true);
  expect(failures).toEqual([]);
  expect(unexpected).toEqual([]);
});
