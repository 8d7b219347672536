import { expect, it } from 'vitest';
import { limitTime, quoteFirstLine } from './open-space.ts';

it('gives what work gives, and throws what it throws', async () => {
  expect(await limitTime(Promise.resolve(7), 1000, 'it')).toBe(7);
  expect(await limitTime(7, 1000, 'it')).toBe(7);
  await expect(limitTime(Promise.reject(new Error('broken')), 1000, 'it')).rejects.toThrow('broken');
});

it('reports what did not end', async () => {
  await expect(limitTime(new Promise(() => undefined), 10, 'read(7)')).rejects.toThrow(
    'read(7) did not end within 0.01 s.',
  );
});

it.each([
  ['Error: disk is full\nat line 3', 'Error: disk is full.'],
  ['  No ticket 7.\nTry: <R:>', 'No ticket 7.'],
  ['Why?', 'Why?'],
  ['', '.'],
])('makes a sentence of %j', (text, sentence) => {
  expect(quoteFirstLine(text)).toBe(sentence);
});
