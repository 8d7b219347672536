import { createAgent } from '@bae/core';
import { expect, it } from 'vitest';
import { sampleHome, sampleSpaces } from '../../test/sample-spaces.ts';
import { readProse, addToPrompt, readTyped } from './read-prose.ts';
import { PLAN_REQUEST } from '../consent/modes.ts';

const { tree } = createAgent({ home: sampleHome, spaces: sampleSpaces });

it.each(['<soruce.R:add>', '<Raed:x>', '<R:x>'])('has no %s of a response that is followed by another', (tag) => {
  expect(readProse(`I look.\n${tag}\nThen we see.`, { tree, isMended: true })).toBe('I look.\nThen we see.');
});

it('keeps a misspelt call in an answer, which may be about it', () => {
  expect(readProse('Do not write\n<Raed:x>', { tree })).toBe('Do not write\n<Raed:x>');
});

it('what was typed is read from a prompt, whatever bae has added to it', () => {
  const prompt = addToPrompt('Add\n\n[a test].', '[Attached: a.txt]\none', '', PLAN_REQUEST);
  expect(prompt).toMatch(/^Add\n\n\[a test\]\.\n\n\[Attached: a\.txt\]\none\n\n\[The mode is plan: /);
  expect(readTyped(prompt)).toBe('Add\n\n[a test].');
  expect(readTyped('Hello')).toBe('Hello');
});
