import { expect, it } from 'vitest';
import { PLAN_REQUEST } from '../consent/modes.ts';
import { addToPrompt, readTyped } from './typed-prompt.ts';

it('what was typed is read from a prompt, whatever bae has added to it', () => {
  const prompt = addToPrompt('Add\n\n[a test].', '[Attached: a.txt]\none', '', PLAN_REQUEST);
  expect(prompt).toMatch(/^Add\n\n\[a test\]\.\n\n\[Attached: a\.txt\]\none\n\n\[The mode is plan: /);
  expect(readTyped(prompt)).toBe('Add\n\n[a test].');
  expect(readTyped('Hello')).toBe('Hello');
});
