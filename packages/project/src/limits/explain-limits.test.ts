import { expect, it } from 'vitest';
import { explainLimits } from './command-limits.ts';

it.each([
  ["OSError: [Errno 30] Read-only file system: '/root/.config/x'", 'limit: it could write only the workspace'],
  ["EACCES: permission denied, open '/root/.npmrc'", 'limit: credentials in the home folder'],
  ['dial tcp: lookup example.org on 1.1.1.1:53: no such host', 'limit: it had no network'],
  ['mount: /mnt: must be superuser to use mount.', 'limit: it can get no further rights'],
])('what a command printed says which limit it met: %s', (output, limit) => {
  expect(explainLimits({ output, hasNetwork: false })).toEqual([expect.stringContaining(limit)]);
});

// In proportion to its square, each would take longer than a test may.
it.each(['/.npmrc ', 'EACCES', 'mount: ', 'unshare', 'dial tcp '])(
  'a long line costs no more than others: %s',
  (word) => {
    expect(explainLimits({ output: word.repeat(300_000), hasNetwork: false })).toEqual([]);
  },
);
