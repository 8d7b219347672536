import { expect, it } from 'vitest';
import { typescriptOutline } from './typescript-outline.ts';

it.each([
  ['module', 'const a = `x\ny${b}z\n`, c = "d";', ['`x\ny${', '}z\n`', '"d"']],
  ['class', 'run() { return `\n`; }', ['`\n`']],
  ['object', 'a: `1\n2`', ['`1\n2`']],
  ['enum', 'A = "b"', ['"b"']],
  ['module', 'const = `', []],
] as const)('the values written as text in a %s: %j', (place, text, expected) => {
  const spans = typescriptOutline.literals({ text, path: 'a.ts' }, place);
  const inside = spans.filter(({ start, end }) => start >= 0 && end <= text.length);
  expect(inside.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
});
