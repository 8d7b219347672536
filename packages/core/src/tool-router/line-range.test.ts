import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tool } from '../decorators/tool.ts';
import { renderError } from '../feedback/render-feedback.ts';
import { splitLineRange } from './resolve-call.ts';

const params = { target: z.string().default(''), limit: z.int().default(5) };
const ranged = tool('', params, () => '', { range: true }).named('read');
const plain = tool('', params, () => '').named('read');

function split(target: unknown, definition = ranged) {
  return splitLineRange({ definition, known: { target, limit: 5 } });
}

function refusal(target: string): string {
  try {
    splitLineRange({ definition: ranged, known: { target } });
    return 'no error';
  } catch (error) {
    return renderError(error).text;
  }
}

describe('splitLineRange', () => {
  it.each([
    ['a.py:2-4', 'a.py', [2, 4]],
    ['a.py:2:4', 'a.py', [2, 4]],
    ['a.py:7', 'a.py', [7, 7]],
    ['a.py:7-', 'a.py', [7, null]],
    ['a.py#L2-L4', 'a.py', [2, 4]],
    ['a.py#L7', 'a.py', [7, 7]],
    ['a.py:L2-L4', 'a.py', [2, 4]],
    ['a.py:2,4', 'a.py', [2, 4]],
    ['a.py L2-4', 'a.py', [2, 4]],
    ['a.py 2-4', 'a.py', [2, 4]],
    ['a.py lines=2-4', 'a.py', [2, 4]],
    ['a.py, lines: 2-4', 'a.py', [2, 4]],
    ['a.py (lines 2-4)', 'a.py', [2, 4]],
    ['a.py start=2 end=4', 'a.py', [2, 4]],
    [String.raw`C:\x\y.py:1-3`, String.raw`C:\x\y.py`, [1, 3]],
  ])('takes the range off %s', (argument, target, range) => {
    expect(split(argument)).toEqual({ params: { target, limit: 5 }, range, argument });
  });

  it.each(['a.py', '', 'core.router', 'notes L', 'a b 12', '#L1-L2', String.raw`C:\x\y.py`])(
    'leaves %j alone',
    (target) => {
      expect(split(target)).toEqual({ params: { target, limit: 5 } });
    },
  );

  it('leaves the range where the tool does not take one', () => {
    expect(split('a.py:2-4', plain)).toEqual({ params: { target: 'a.py:2-4', limit: 5 } });
    expect(split('a.py:0-1', plain)).toEqual({ params: { target: 'a.py:0-1', limit: 5 } });
  });

  it('passes on an argument that is not a text, and a tool without one', () => {
    expect(split(7)).toEqual({ params: { target: 7, limit: 5 } });
    const bare = tool('', {}, () => '', { range: true }).named('undo');
    expect(splitLineRange({ definition: bare, known: {} })).toEqual({ params: {} });
  });

  it.each([
    ['a.py:0-1', '0-1', 'a.py:1-1'],
    ['a.py:5-2', '5-2', 'a.py:2-5'],
    ['a.py:0', '0', 'a.py:1-1'],
    ['a.py:0-', '0-', 'a.py:1-'],
  ])('refuses %s and mends it', (argument, got, mended) => {
    expect(refusal(argument)).toBe(`RangeError: line range must be 1 ≤ start ≤ end (got ${got}).\nTry: <R:${mended}>`);
  });
});
