import { describe, expect, it } from 'vitest';
import { lostLines } from './lost-lines.ts';

const failureOf = (call: number): string => `read("${call}"): PathError: no`;

describe('lostLines', () => {
  it('names the call, or the error with the line of the code', () => {
    const stack = '    at f (bae:1:1)\n    at g (block-2:7:1)\n';
    const first = [3, { name: 'TypeError', message: 'bad', stack }, { name: 'Error', message: 'text', stack: '' }];
    expect(lostLines({ first, count: 3 }, 2, failureOf)).toEqual([
      'Not awaited: read("3"): PathError: no',
      'Not awaited: TypeError: bad\n  at g (line 7)',
      'Not awaited: Error: text',
    ]);
  });

  it('keeps long words short', () => {
    const one = { name: 'Error', message: 'x'.repeat(4000), stack: '    at g (block-2:7:1)\n' };
    expect(lostLines({ first: [one], count: 1 }, 2, failureOf)[0]).toMatch(
      /^Not awaited: Error: x{280}…\n {2}at g \(line 7\)$/,
    );
    expect(lostLines({ first: [1], count: 1 }, 2, () => 'y'.repeat(4000))[0]).toHaveLength(301);
  });

  it('counts what is not told', () => {
    expect(lostLines({ first: [1], count: 10 }, 1, failureOf)).toEqual([
      'Not awaited: read("1"): PathError: no',
      'Not awaited: 9 more',
    ]);
    expect(lostLines({ first: [], count: 0 }, 1, failureOf)).toEqual([]);
  });
});
