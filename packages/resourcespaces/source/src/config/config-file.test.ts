import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatKeyPath, parseKeyPath } from './config-space.ts';

describe('parseKeyPath', () => {
  it.each([
    ['', []],
    ['scripts', ['scripts']],
    ['scripts.test:unit', ['scripts', 'test:unit']],
    ['exports."./a".types', ['exports', './a', 'types']],
    ['dependencies.@types/node', ['dependencies', '@types/node']],
  ])('reads %j', (key, parts) => {
    expect(parseKeyPath(key)).toEqual(parts);
  });

  it.each(['.a', 'a.', 'a..b', '"a', 'a"b"', '"a"b'])('refuses %j', (key) => {
    expect(() => parseKeyPath(key)).toThrow(`'${key}' is not a key: its parts are separated by single dots.`);
  });

  it('reads what it shows', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (parts) => {
        expect(parseKeyPath(formatKeyPath(parts))).toEqual(parts);
      }),
    );
  });
});
