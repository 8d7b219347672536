import { describe, expect, it } from 'vitest';
import { indentBefore, joinedDeclarations } from './joined-declarations.ts';

/** The places that `[` and `]` mark in a text, joined. */
function joined(marked: string): readonly string[] {
  const spans: { start: number; end: number }[] = [];
  let text = '';
  for (const char of marked) {
    if (char === '[') spans.push({ start: text.length, end: 0 });
    else if (char === ']') spans.at(-1)!.end = text.length;
    else text += char;
  }
  return joinedDeclarations(text, spans).map(({ start, end }) => text.slice(start, end));
}

describe('declarations of one symbol', () => {
  it.each([
    ['[a] [b]', ['a b']],
    ['[a]\n\n// note\n[b]\n/* more\nnotes */\n[c]', ['a\n\n// note\nb\n/* more\nnotes */\nc']],
    ['[get a], [set a]', ['get a, set a']],
    ['[a]; [b]', ['a; b']],
    ['[a] x [b]', ['a', 'b']],
    ['[a] [b] x [c]', ['a b', 'c']],
    ['[a]', ['a']],
  ])('%j are the places %j', (marked, expected) => {
    expect(joined(marked)).toEqual(expected);
  });
});

it('the indent of a place is the blanks before it on its line', () => {
  expect(indentBefore('a\n  b', 4)).toBe('  ');
  expect(indentBefore('a\n\tb', 3)).toBe('\t');
  expect(indentBefore('a b', 2)).toBe('');
  expect(indentBefore('\uFEFFb', 1)).toBe('');
});
