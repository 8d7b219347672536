import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits, shiftOffset, type TextEdit } from './text-edit.ts';

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
