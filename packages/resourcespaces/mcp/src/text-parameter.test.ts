import { expect, it } from 'vitest';
import { findTextParameter } from './text-parameter.ts';

const TEXT = { type: 'string' };

it.each([
  ['the only one', { message: TEXT }, [], 'message'],
  [
    'the only one that is required',
    { query: TEXT, after: TEXT, limit: { type: 'number' } },
    ['query', 'limit'],
    'query',
  ],
  ['one that is named like a long text', { title: TEXT, body: TEXT }, ['title', 'body'], 'body'],
  ['such a one, also if it is optional', { owner: TEXT, title: TEXT, body: TEXT }, ['owner', 'title'], 'body'],
  ['none of several', { old_string: TEXT, new_string: TEXT }, ['old_string', 'new_string'], undefined],
  ['none of several long texts', { text: TEXT, code: TEXT }, ['text'], undefined],
  ['none that is a choice', { level: { type: 'string', enum: ['low'] } }, ['level'], undefined],
  ['none that is an address', { url: { type: 'string', format: 'uri' } }, ['url'], undefined],
  ['none that may be something else', { value: { type: ['string', 'number'] }, other: true }, ['value'], undefined],
  ['none of a schema that is wrong', { text: null }, 'text', undefined],
])('a text between tags is for %s', (_, properties, required, expected) => {
  expect(findTextParameter({ type: 'object', properties, required })).toBe(expected);
});
