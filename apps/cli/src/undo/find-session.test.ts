import type { Operation } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { sampleOperation } from '../../test/sample-operation.ts';
import { findSession } from './find-session.ts';

const operations: readonly Operation[] = ['ab12cd', 'ab99', 'ab12cd', 'c0ffee'].map((session) =>
  sampleOperation({ session }),
);

describe('findSession', () => {
  it('takes the beginning of an id', () => {
    expect(findSession(operations, 'c')).toBe('c0ffee');
    expect(findSession(operations, 'ab12cd')).toBe('ab12cd');
  });

  it.each([
    ['ab', '--session ab: several sessions begin so. There are ab12cd, ab99.'],
    ['x', '--session x: no session with changes that can be undone begins so. There are ab12cd, ab99, c0ffee.'],
  ])('refuses %j', (beginning, message) => {
    expect(() => findSession(operations, beginning)).toThrow(message);
  });

  it('has none to name where there are none', () => {
    expect(() => findSession([], 'x')).toThrow(/^--session x: no session with changes that can be undone begins so\.$/);
  });
});
