import { expect, it } from 'vitest';
import { sendFuzzedRequests } from './fuzz-requests.ts';

it(
  'answers 150 requests of its own description, right and wrong, without an error or a word of others',
  { tags: ['long'] },
  async () => {
    const { statuses, failures, unexpected } = await sendFuzzedRequests(150, 24);
    expect(failures).toEqual([]);
    expect(unexpected).toEqual([]);
    // Every operation was reached, and both right and wrong requests were sent.
    expect(statuses.size).toBe(12);
    const all = new Set([...statuses.values()].flatMap((counts) => [...counts.keys()]));
    for (const status of [200, 201, 202, 400, 404]) expect(all).toContain(status);
  },
);
