import { describe, expect, it } from 'vitest';
import { textLines } from './text-lines.ts';

describe('textLines', () => {
  it.each([
    ['a', ['a']],
    ['a\nb\n', ['a', 'b']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['\n \t\n  a  \n\nb\n\n\n', ['  a  ', '', 'b']],
    ['a\rb\n\r\r\nc', ['a\rb', '\r', 'c']],
    ['', []],
    ['\r\n \n', []],
  ])('splits %j', (text, lines) => {
    expect(textLines(text).lines).toEqual(lines);
  });

  it.each(['\na', 'a\n\n', 'a\n\nb', '\n\n'])('says that joining the lines of %j loses blank lines', (text) => {
    expect(textLines(text).lost).toBe('blank lines');
  });

  it.each(['a\r\nb', 'a\r\nb\r\n'])('says that joining the lines of %j loses carriage returns', (text) => {
    expect(textLines(text).lost).toBe('carriage returns');
  });
});
