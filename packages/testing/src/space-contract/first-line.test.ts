import { expect, it } from 'vitest';
import { firstLine } from './first-line.ts';

it.each([
  ['Error: disk is full\nat line 3', 'Error: disk is full.'],
  ['  No ticket 7.\nTry: <R:>', 'No ticket 7.'],
  ['Why?', 'Why?'],
  ['', '.'],
])('makes a sentence of %j', (text, sentence) => {
  expect(firstLine(text)).toBe(sentence);
});
