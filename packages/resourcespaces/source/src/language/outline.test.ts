import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, findIndent, joinDeclarations, shiftOffset, type TextEdit } from './outline.ts';

/** The places that `[` and `]` mark in a text, joined. */
function joined(marked: string): readonly string[] {
  const spans: { start: number; end: number }[] = [];
  let text = '';
  for (const char of marked) {
    if (char === '[') spans.push({ start: text.length, end: 0 });
    else if (char === ']') spans.at(-1)!.end = text.length;
    else text += char;
  }
  return joinDeclarations(text, spans).map(({ start, end }) => text.slice(start, end));
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
  expect(findIndent('a\n  b', 4)).toBe('  ');
  expect(findIndent('a\n\tb', 3)).toBe('\t');
  expect(findIndent('a b', 2)).toBe('');
  expect(findIndent('\uFEFFb', 1)).toBe('');
});

const EDITS: readonly TextEdit[] = [
  { start: 4, end: 5, text: 'long' },
  { start: 0, end: 3, text: '' },
  { start: 6, end: 6, text: '!' },
];

describe('applyEdits', () => {
  it('replaces by offsets of the old text, in whatever order', () => {
    expect(applyEdits('one 2 3', EDITS)).toBe(' long !3');
    expect(applyEdits('one 2 3', EDITS.toReversed())).toBe(' long !3');
    expect(applyEdits('one', [])).toBe('one');
  });

  it('changes nothing outside of the replacements', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (before, old, fresh, after) => {
        const edit = { start: before.length, end: before.length + old.length, text: fresh };
        expect(applyEdits(before + old + after, [edit])).toBe(before + fresh + after);
      }),
    );
  });
});

describe('shiftOffset', () => {
  it('follows what stands behind a replacement', () => {
    const text = 'one 2 3';
    expect(applyEdits(text, EDITS).slice(shiftOffset(text.indexOf(' 3'), EDITS))).toBe(' !3');
    expect([0, 4, 5, 6, 7].map((offset) => shiftOffset(offset, EDITS))).toEqual([0, 1, 5, 6, 8]);
  });
});
