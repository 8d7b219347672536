import { expect, it } from 'vitest';
import { calledAlone } from './called-alone.ts';

it.each([
  ['read("a.ts")', ['read']],
  ['await source.tests.run("a (b)");', ['source.tests.run']],
  ['grep({ pattern: "x\\")", path: \'src\' })', ['grep']],
  ['read("a")\n\nawait read(`b`);\n', ['read', 'read']],
  ['tasks()', ['tasks']],
])('takes %j for calls and nothing else', (code, called) => {
  expect(calledAlone(code)).toEqual(called);
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
  expect(calledAlone(code)).toBeUndefined();
});
