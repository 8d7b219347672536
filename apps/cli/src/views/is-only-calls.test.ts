import { expect, it } from 'vitest';
import { isOnlyCalls } from './is-only-calls.ts';

it.each([
  'read("a.ts")',
  'await source.tests.run("a (b)");',
  'grep({ pattern: "x\\")", path: \'src\' })',
  'read("a")\n\nawait read(`b`);\n',
  'tasks()',
])('takes %j for calls and nothing else', (code) => {
  expect(isOnlyCalls(code)).toBe(true);
});

it.each([
  '',
  '1 + 1',
  'console.log("a")',
  'const a = await read("a")',
  'read("a") + read("b")',
  'read(`${name}`)',
  'read(names[0]); 1',
  'read(name())',
  'read("a").then((text) => text.length)',
  'for (const name of names) await read(name)',
])('takes %j for more than calls', (code) => {
  expect(isOnlyCalls(code)).toBe(false);
});
