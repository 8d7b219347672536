import { expect, it } from 'vitest';
import { sendFuzzedRequests } from '../served/fuzz-requests.ts';

it('answers 10,000 requests of its own description without an error or a word of others', async () => {
  const { statuses, failures, unexpected } = await sendFuzzedRequests(10_000, Date.now());
  console.log(JSON.stringify(Object.fromEntries(Array.from(statuses, ([name, counts]) => [name, Object.fromEntries(counts)]))));
  expect(failures).toEqual([]);
  expect(unexpected).toEqual([]);
});
