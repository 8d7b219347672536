import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readKeyPath, showKeyPath } from './key-path.ts';

describe('readKeyPath', () => {
  it.each([
    ['', []],
    ['scripts', ['scripts']],
    ['scripts.test:unit', ['scripts', 'test:unit']],
    ['exports."./a".types', ['exports', './a', 'types']],
    ['dependencies.@types/node', ['dependencies', '@types/node']],
  ])('reads %j', (key, parts) => {
    expect(readKeyPath(key)).toEqual(parts);
  });

  it.each(['.a', 'a.', 'a..b', '"a', 'a"b"', '"a"b'])('refuses %j', (key) => {
    expect(() => readKeyPath(key)).toThrow(`'${key}' is no key: its parts are separated by single dots.`);
  });

  it('reads what it shows', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (parts) => {
        expect(readKeyPath(showKeyPath(parts))).toEqual(parts);
      }),
    );
  });
});
