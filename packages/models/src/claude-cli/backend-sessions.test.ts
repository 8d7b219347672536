import type { Message } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { BackendSessions, joinTexts, renderConversation } from './claude-cli.ts';

const user = (text: string): Message => ({ role: 'user', text });
const assistant = (text: string): Message => ({ role: 'assistant', text });

describe('BackendSessions', () => {
  it('finds the session that a conversation continues, with the news', () => {
    const sessions = new BackendSessions();
    sessions.keep('one', [user('a')], 'b');
    expect(sessions.take([user('a'), assistant('b'), user('c')])).toEqual({ id: 'one', newMessages: [user('c')] });
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
});

describe('a prompt', () => {
  it('is the message itself when there is only one', () => {
    expect(renderConversation([{ role: 'system', text: 'Be terse.' }, user('Hello')])).toBe('Hello');
  });

  it('joins system messages to instructions, and the news to one prompt', () => {
    const messages: readonly Message[] = [
      { role: 'system', text: 'A' },
      { role: 'system', text: 'B' },
      user('C'),
      user('D'),
    ];
    expect([joinTexts(messages, 'system'), joinTexts(messages, 'user')]).toEqual(['A\n\nB', 'C\n\nD']);
  });

  it('leaves out the oldest messages of a conversation too long for a command line', () => {
    const long = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? user : assistant)(`${index} ${'ü'.repeat(5000)}`),
    );
    const prompt = renderConversation([...long, user('The last one')]);
    expect(Buffer.byteLength(prompt)).toBeLessThan(128 * 1024);
    expect(prompt).toMatch(/^The conversation so far.*\n\n\(28 earlier messages left out\)\n\n--- user ---\n28 ü/);
    expect(prompt.endsWith('--- user ---\nThe last one')).toBe(true);
  });

  it('shows the last message whatever its length', () => {
    const prompt = renderConversation([user('first'), assistant('second'), user('x'.repeat(200_000))]);
    expect(prompt).toContain('(2 earlier messages left out)');
    expect(prompt.length).toBeGreaterThan(200_000);
  });
});
