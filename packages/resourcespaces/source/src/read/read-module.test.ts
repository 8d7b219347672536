import { describe, expect, it } from 'vitest';
import { typescriptOutline } from '../language/typescript-outline.ts';
import { countKinds } from './read-target.ts';

describe('the kinds of symbols in a module', () => {
  it.each([
    ['class A {} class B {} function f() {}', '2 classes, 1 function'],
    ["import x from 'x'; interface I {} type T = 1; enum E {}", '1 interface, 1 type, 1 enum'],
    ["export { a, b } from './x'; export default 1;", '1 default export, 2 re-exports'],
    ['let a = 1, b = 2; const c = 1;', '2 variables, 1 constant'],
    ['run();', ''],
  ])('%j are %j', (text, expected) => {
    expect(
      countKinds(typescriptOutline.outline({ text, path: 'a.tsx' }))
        .split(', ')
        .toSorted(),
    ).toEqual(expected.split(', ').toSorted());
  });
});
