import { describe, expect, it } from 'vitest';
import { getFirstDocLine } from './plain-text.ts';

describe('docLine', () => {
  it.each([
    ['One line.', 'One line.'],
    ['\n\n  \t Indented. \r\n more', 'Indented.'],
    [undefined, ''],
    [' \n ', ''],
    ['\u001B[1mBold\u001B[0m\u0007 and\u2028more', 'Bold  and more'],
    ['\u001B[0m\nsecond', 'second'],
  ])('makes of %j: %j', (doc, line) => {
    expect(getFirstDocLine(doc)).toBe(line);
  });
});
