import { describe, expect, it } from 'vitest';
import { editTarget } from './edit-target.ts';

describe('the target of an edit', () => {
  it.each([
    ['lib.a.f', { target: 'lib.a.f' }],
    ['lib.a.f:3', { target: 'lib.a.f', range: [3, 3] }],
    ['lib.a.f:3-', { target: 'lib.a.f', range: [3, null] }],
    ['lib.a.f:9-3', { target: 'lib.a.f:9-3' }],
    ['lib.a.f:0', { target: 'lib.a.f:0' }],
  ])('is read from %s', (argument, target) => {
    expect(editTarget(argument)).toEqual(target);
  });
});
