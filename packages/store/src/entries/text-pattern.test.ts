import { expect, it } from 'vitest';
import { createTextTest } from './forget-text.ts';

it.each([
  ['müller', 'Herr MÜLLER'],
  ['MÜLLER', 'Herr müller'],
  ['Mu\u0308ller', 'Herr MÜLLER'],
  ['müller', 'Herr MU\u0308LLER'],
  ['straße', 'STRASSE 5'],
  ['STRASSE', 'Straße 5'],
  ['пароль', 'ПАРОЛЬ'],
  ['ΟΔΟΣ', 'οδος and οδός, οδο\u03c2'],
  ['a "b"', '{"text":"A \\"b\\""}'],
  ['1+1 (x)', '1+1 (X)'],
])('%s is in %s', (text, content) => {
  expect(createTextTest(text)(content)).toBe(true);
});

it.each([
  ['muller', 'Müller'],
  ['1+1', '11+'],
])('%s is not in %s', (text, content) => {
  expect(createTextTest(text)(content)).toBe(false);
});
