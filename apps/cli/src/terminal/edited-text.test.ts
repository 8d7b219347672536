import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditedText, type Motion } from './edited-text.ts';

/** A text with `|` where the cursor is. */
function edit(marked: string, change: (text: EditedText) => void): string {
  const edited = new EditedText();
  const at = marked.indexOf('|');
  edited.set(marked.slice(0, at));
  const rest = marked.slice(at + 1);
  edited.insert(rest);
  while (edited.cursor > at) edited.move('left');
  change(edited);
  return `${edited.text.slice(0, edited.cursor)}|${edited.text.slice(edited.cursor)}`;
}

describe('EditedText', () => {
  it.each<[Motion, string, string]>([
    ['left', 'ab|c', 'a|bc'],
    ['left', 'a👨‍👩‍👧|c', 'a|👨‍👩‍👧c'],
    ['right', 'a|é', 'aé|'],
    ['wordLeft', 'one two|', 'one |two'],
    ['wordRight', '|one two', 'one| two'],
    ['lineStart', 'one\ntwo|', 'one\n|two'],
    ['lineEnd', '|one\ntwo', 'one|\ntwo'],
  ])('moves %s in %j', (motion, before, after) => {
    expect(edit(before, (text) => text.move(motion))).toBe(after);
  });

  it('says where the cursor cannot go further', () => {
    const text = new EditedText();
    text.insert('one\ntwo');
    expect([text.move('right'), text.move('lineStart'), text.move('lineStart')]).toEqual([false, true, false]);
  });

  it.each<[Motion, string, string]>([
    ['left', 'a👍|c', 'a|c'],
    ['right', 'a|bc', 'a|c'],
    ['wordLeft', 'one two|', 'one |'],
    ['lineStart', 'one\ntwo|!', 'one\n|!'],
    ['lineEnd', 'o|ne\ntwo', 'o|\ntwo'],
  ])('deletes %s in %j', (motion, before, after) => {
    expect(edit(before, (text) => text.delete(motion))).toBe(after);
  });

  it('puts a text before another one, and leaves the cursor in the latter', () => {
    expect(edit('a|b', (text) => text.prepend('one\n'))).toBe('one\na|b');
  });

  it('gives back what was deleted', () => {
    const change = (text: EditedText) => {
      text.delete('wordLeft');
      text.move('lineStart');
      text.paste();
    };
    expect(edit('one two|', change)).toBe('two|one ');
  });

  it('takes back a word at a time', () => {
    const text = new EditedText();
    for (const character of 'one two') text.insert(character);
    text.undo();
    expect(text.text).toBe('one ');
    text.undo();
    text.undo();
    expect(text.text).toBe('');
  });

  it('never stands within a character, and takes back everything, whatever is done', () => {
    const motions = ['left', 'right', 'wordLeft', 'wordRight', 'lineStart', 'lineEnd'] as const;
    const step = fc.oneof(
      fc.constantFrom('a', ' ', '\n', '👍', 'é', '漢').map((insert) => ({ insert })),
      fc.constantFrom(...motions).map((move) => ({ move })),
      fc.constantFrom(...motions).map((remove) => ({ remove })),
      fc.nat(30).map((goTo) => ({ goTo })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const text = new EditedText();
        for (const one of steps) {
          if ('insert' in one) text.insert(one.insert);
          else if ('move' in one) text.move(one.move);
          else if ('goTo' in one) text.moveTo(Math.min(one.goTo, text.text.length));
          else text.delete(one.remove);
          const { segment } = new Intl.Segmenter().segment(text.text).containing(text.cursor) ?? {};
          const isInside = [...new Intl.Segmenter().segment(text.text)].some(
            ({ index, segment: own }) => text.cursor > index && text.cursor < index + own.length,
          );
          expect(isInside, `${JSON.stringify(text.text)} ${segment}`).toBe(false);
        }
        for (let count = 0; count <= steps.length; count++) text.undo();
        expect(text.text).toBe('');
      }),
    );
  });
});
