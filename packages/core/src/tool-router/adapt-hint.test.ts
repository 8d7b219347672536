import { expect, it } from 'vitest';
import { qualifyTag } from './adapt-hint.ts';

const tools = { read: 1, grep: 1, list: 1, openIssue: 1 };

it.each([
  ['<R:zod>', '<source.deps.R:zod>'],
  ['<Grep:a b path=c>', '<source.deps.Grep:a b path=c>'],
  ['<list:>', '<source.deps.list:>'],
  ['<List:x>y</List>', '<source.deps.List:x>y</List>'],
  ['<openIssue:x>', '<source.deps.openIssue:x>'],
  ['<OpenIssue:x>', '<source.deps.OpenIssue:x>'],
  ['<openissue:x>', '<openissue:x>'],
  ['<GREP:x>', '<source.deps.GREP:x>'],
  ['<W:x>', '<W:x>'],
  ['<tasks.R:7>', '<tasks.R:7>'],
  ['<constructor:>', '<constructor:>'],
  ['nav()', 'nav()'],
  ['@home <R:x>', '@home <R:x>'],
  ['a < b', 'a < b'],
])('%s becomes %s', (tag, qualified) => {
  expect(qualifyTag(tag, 'source.deps', tools)).toBe(qualified);
});
