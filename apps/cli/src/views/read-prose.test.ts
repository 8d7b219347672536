import { createAgent } from '@bae/core';
import { expect, it } from 'vitest';
import { sampleHome, sampleSpaces } from '../../test/sample-spaces.ts';
import { readProse } from './read-prose.ts';

const { tree } = createAgent({ home: sampleHome, spaces: sampleSpaces });

it.each(['<soruce.R:add>', '<Raed:x>', '<R:x>'])('has no %s of a response that is followed by another', (tag) => {
  expect(readProse(`I look.\n${tag}\nThen we see.`, { tree, isMended: true })).toBe('I look.\nThen we see.');
});

it('keeps a misspelt call in an answer, which may be about it', () => {
  expect(readProse('Do not write\n<Raed:x>', { tree })).toBe('Do not write\n<Raed:x>');
});
