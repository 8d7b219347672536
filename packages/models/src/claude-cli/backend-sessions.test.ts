import type { Message } from '@bae/core';
import { expect, it } from 'vitest';
import { BackendSessions } from './backend-sessions.ts';

const user = (text: string): Message => ({ role: 'user', text });
const assistant = (text: string): Message => ({ role: 'assistant', text });

it('finds the session that a conversation continues, with the news', () => {
  const sessions = new BackendSessions();
  sessions.keep('one', [user('a')], 'b');
  expect(sessions.take([user('a'), assistant('b'), user('c')])).toEqual({ id: 'one', news: [user('c')] });
});

it('hands a session out once', () => {
  const sessions = new BackendSessions();
  sessions.keep('one', [user('a')], 'b');
  sessions.take([user('a'), assistant('b'), user('c')]);
  expect(sessions.take([user('a'), assistant('b'), user('c')])).toBeUndefined();
});

it.each([
  ['nothing is new', [user('a'), assistant('b')]],
  ['an earlier message differs', [user('A'), assistant('b'), user('c')]],
  ['the response differs', [user('a'), assistant('B'), user('c')]],
  ['the backend missed a response', [user('a'), assistant('b'), user('c'), assistant('d'), user('e')]],
])('finds none when %s', (_, messages) => {
  const sessions = new BackendSessions();
  sessions.keep('one', [user('a')], 'b');
  expect(sessions.take(messages)).toBeUndefined();
});

it('forgets the session that was not used for longest', () => {
  const sessions = new BackendSessions();
  for (let index = 0; index <= 32; index++) sessions.keep(`s${index}`, [user(`q${index}`)], 'a');
  const next = (index: number) => sessions.take([user(`q${index}`), assistant('a'), user('more')])?.id;
  expect([next(0), next(1), next(32)]).toEqual([undefined, 's1', 's32']);
});
