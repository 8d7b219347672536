import { describe, expect, it } from 'vitest';
import { errorLine } from './error-line.ts';
import { ResourceError } from './resource-error.ts';

describe('errorLine', () => {
  it('names the class and puts the message on one line', () => {
    expect(errorLine(new TypeError('x is\n  not a function'))).toBe('TypeError: x is not a function');
    expect(errorLine(new ResourceError('no task 7.'))).toBe('ResourceError: no task 7.');
  });

  it('takes whatever was thrown', () => {
    expect(errorLine('disk is full')).toBe('Error: disk is full');
    expect(errorLine(undefined)).toBe('Error: undefined');
    expect(errorLine(Object.create(null))).toBe('Error: an unreadable value was thrown');
  });

  it('cuts a long message between characters', () => {
    const line = errorLine(new Error('😀'.repeat(500)));
    expect(Array.from(line)).toHaveLength(160);
    expect(line.endsWith('😀…')).toBe(true);
  });
});
