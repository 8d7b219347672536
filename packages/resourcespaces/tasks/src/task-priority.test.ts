import { describe, expect, it } from 'vitest';
import { formatPriority, levelOf, parsePriority } from './task-priority.ts';

describe('parsePriority', () => {
  it.each(['0.0.0', '1.0.0', '1.2.0', '1.2.3', '1.0.3', '999999.0.0'])('reads %s', (text) => {
    expect(formatPriority(parsePriority(text)!)).toBe(text);
  });

  it.each(['', '1', '1.0', '1.0.0.0', '-1.0.0', '1.-1.0', 'a.b.c', '1.0.x', ' 1.0.0', '1000000.0.0', '1,0,0', '١.0.0'])(
    'refuses %j',
    (text) => {
      expect(parsePriority(text)).toBeUndefined();
    },
  );

  it.each(['0.1.0', '0.0.1', '0.2.3'])('refuses %s, which is of no major', (text) => {
    expect(parsePriority(text)).toBeUndefined();
  });
});

describe('levelOf', () => {
  it.each([
    ['0.0.0', 'unclassified'],
    ['2.0.0', 'major'],
    ['2.1.0', 'minor'],
    ['2.1.7', 'patch'],
    ['2.0.7', 'patch'],
  ])('makes %s a task that is %s', (text, level) => {
    expect(levelOf(parsePriority(text)!)).toBe(level);
  });
});
