import { expect, it } from 'vitest';
import { quoteFirstLine } from './quote.ts';

it.each([
  ['Error: disk is full\nat line 3', 'Error: disk is full.'],
  ['  No ticket 7.\nTry: <R:>', 'No ticket 7.'],
  ['Why?', 'Why?'],
  ['', '.'],
])('makes a sentence of %j', (text, sentence) => {
  expect(quoteFirstLine(text)).toBe(sentence);
});
