import { describe, expect, it } from 'vitest';
import { cutLine } from './match-rows.ts';

describe('cutLine', () => {
  it('takes off blanks', () => {
    expect(cutLine('\t  const a = 1;  \r', 3, 200)).toBe('const a = 1;');
  });

  it('shows 200 characters at most, and marks that there are more', () => {
    expect(cutLine('x'.repeat(200), 0, 200)).toBe('x'.repeat(200));
    expect(cutLine('x'.repeat(201), 0, 200)).toBe(`${'x'.repeat(199)}…`);
  });

  it('moves to a match that would not be seen', () => {
    const line = `${'a'.repeat(500)}MATCH${'b'.repeat(500)}`;
    const text = cutLine(line, 500, 200);
    expect(text).toHaveLength(200);
    expect(text).toMatch(/^…a{40}MATCHb+…$/);
    expect(cutLine(`${'a'.repeat(500)}MATCH`, 500, 200)).toMatch(/^…a+MATCH$/);
  });

  it('never halves a character', () => {
    expect(cutLine('😀'.repeat(150), 0, 200).isWellFormed()).toBe(true);
    expect(cutLine(`${'😀'.repeat(150)}x${'😀'.repeat(150)}`, 300, 200).isWellFormed()).toBe(true);
  });
});
