import type { Message } from '@bae/core';
import { expect, it } from 'vitest';
import { instructionsOf, newsPrompt, openingPrompt } from './transcript.ts';

const user = (text: string): Message => ({ role: 'user', text });
const assistant = (text: string): Message => ({ role: 'assistant', text });

it('is the message itself when there is only one', () => {
  expect(openingPrompt([{ role: 'system', text: 'Be terse.' }, user('Hello')])).toBe('Hello');
});

it('joins system messages to instructions, and the news to one prompt', () => {
  const messages: readonly Message[] = [
    { role: 'system', text: 'A' },
    { role: 'system', text: 'B' },
    user('C'),
    user('D'),
  ];
  expect([instructionsOf(messages), newsPrompt(messages)]).toEqual(['A\n\nB', 'C\n\nD']);
});

it('leaves out the oldest messages of a conversation too long for a command line', () => {
  const long = Array.from({ length: 40 }, (_, index) =>
    (index % 2 === 0 ? user : assistant)(`${index} ${'ü'.repeat(5000)}`),
  );
  const prompt = openingPrompt([...long, user('The last one')]);
  expect(Buffer.byteLength(prompt)).toBeLessThan(128 * 1024);
  expect(prompt).toMatch(/^The conversation so far.*\n\n\(28 earlier messages left out\)\n\n--- user ---\n28 ü/);
  expect(prompt.endsWith('--- user ---\nThe last one')).toBe(true);
});

it('shows the last message whatever its length', () => {
  const prompt = openingPrompt([user('first'), assistant('second'), user('x'.repeat(200_000))]);
  expect(prompt).toContain('(2 earlier messages left out)');
  expect(prompt.length).toBeGreaterThan(200_000);
});
