import { describe, expect, it } from 'vitest';
import { isResultAddress, parseResultAddress } from './result-address.ts';

describe('parseResultAddress', () => {
  it.each([
    ['result:12', { ref: 'result:12' }],
    ['  result:12 ', { ref: 'result:12' }],
    ['result:12:88-174', { ref: 'result:12', line: 88, lastLine: 174 }],
    ['result:12:88:174', { ref: 'result:12', line: 88, lastLine: 174 }],
    ['result:12:88', { ref: 'result:12', line: 88, lastLine: 88 }],
    ['result:12:88-', { ref: 'result:12', line: 88, lastLine: Infinity }],
    ['result:12:1@4001', { ref: 'result:12', line: 1, character: 4001 }],
  ])('reads %j', (argument, address) => {
    expect(parseResultAddress(argument)).toEqual(address);
  });

  it.each([
    ['result:12:0-5', 'line range must be 1 ≤ first ≤ last (got 0-5).'],
    ['result:12:9-3', 'line range must be 1 ≤ first ≤ last (got 9-3).'],
    ['result:12:0', 'line range must be 1 ≤ first ≤ last (got 0).'],
    ['result:12:1@0', 'lines and characters count from 1 (got 1@0).'],
    ['result:12:0@1', 'lines and characters count from 1 (got 0@1).'],
  ])('refuses %j and says how to start over', (argument, message) => {
    expect(() => parseResultAddress(argument)).toThrow(
      expect.objectContaining({ name: 'ParameterError', message, hints: ['<R:result:12>'] }),
    );
  });

  it.each(['result:', 'result:x', 'result:12:abc', 'result:12:5-6-7', 'result:-1', 'other:12'])(
    'refuses %j',
    (argument) => {
      expect(() => parseResultAddress(argument)).toThrow(
        `'${argument}' is no address of a kept result. Write result:NUMBER, or result:NUMBER:FIRST-LAST for some of its lines.`,
      );
    },
  );
});

describe('isResultAddress', () => {
  it('is true for all that begins like a handle, well written or not', () => {
    expect(['result:1', ' result:1:2-3', 'result:x'].map(isResultAddress)).toEqual([true, true, true]);
    expect(['results', 'src/result:1', 'result', ''].map(isResultAddress)).toEqual([false, false, false, false]);
  });
});
