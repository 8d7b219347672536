import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEditBlocks } from './edit-blocks.ts';
import { replaceText } from './replace-text.ts';

const TEXT = 'one\n  two\n  three\nfour\n';
const read = (body: string) => readEditBlocks(body, 'src/a.ts');
const replace = (text: string, ...blocks: readonly { old: string; new: string }[]) =>
  replaceText({ text, blocks, every: false, name: 'a.ts' });

describe('blocks of old and new text', () => {
  it.each([
    ['elements on lines of their own', '<old>\ntwo\nthree\n</old>\n<new>\n2\n</new>\n', [['two\nthree', '2']]],
    ['elements in one line', '<old>a</old><new>b</new>', [['a', 'b']]],
    [
      'several elements',
      '<old>a</old><new>b</new>\n\n<old>c</old>\n<new></new>',
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
    ['search and replace', '<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n', [['two\n', '2\n']]],
    ['nothing in its place', '<<<<<<< SEARCH\ntwo\n=======\n>>>>>>> REPLACE', [['two\n', '']]],
    ['a diff', '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n', [['one\ntwo\nthree\n', 'one\n2\nthree\n']]],
    ['a diff with its head', '--- a/src/a.ts\n+++ b/src/a.ts\n@@ @@\n-two\n+2\n', [['two\n', '2\n']]],
    ['other names', '<old_string>a</old_string>\n<new_string>b</new_string>', [['a', 'b']]],
    ['a search and its replacement', '<search>a</search><replace>b</replace>', [['a', 'b']]],
    ['a text with such a name in it', '<old>a</search></old><new>b</new>', [['a</search>', 'b']]],
    [
      'a patch',
      '*** Begin Patch\n*** Update File: src/a.ts\n@@ function\n one\n-two\n+2\n*** End Patch',
      [['one\ntwo\n', 'one\n2\n']],
    ],
    [
      'a patch without hunks',
      '*** Update File: src/a.ts\n-two\n+2\n*** End of File\n*** End Patch\n',
      [['two\n', '2\n']],
    ],
    ['a fence around them', '```diff\n@@ -1 +1 @@\n-two\n+2\n```\n', [['two\n', '2\n']]],
    ['line numbers', '<old>\n12|two\n13|three\n</old>\n<new>\n12|2\n</new>', [['two\nthree', '2']]],
  ])('are read from %s', (_, body, blocks) => {
    expect(read(body)).toMatchObject(blocks.map(([old, by]) => ({ old, new: by })));
  });

  it.each([
    ['one blank line at its end', 'two\n\n', 'one\nthree\n'],
    ['blank lines at both ends', '\ntwo\n\n', 'one\nthree\n'],
    ['no blank line', 'two\n', 'one\n\nthree\n'],
  ])('delete whole lines, and %s with them', (_, old, expected) => {
    const text = old.startsWith('\n') ? 'one\n\ntwo\n\nthree\n' : 'one\ntwo\n\nthree\n';
    const blocks = read(`<old>\n${old}</old>\n<new>\n</new>\n`)!;
    expect(replaceText({ text, blocks, every: false, name: 'a.ts' }).text).toBe(expected);
  });

  it.each([
    'text',
    '<old>a</old>',
    'Here: <old>a</old><new>b</new>',
    '<<<<<<< SEARCH\na\n>>>>>>> REPLACE',
    '@@',
    '-a\n+b',
  ])('are nothing else: %s', (body) => {
    expect(read(body)).toBeUndefined();
  });

  it('of another file are refused', () => {
    expect(() => read('--- a/src/b.ts\n+++ b/src/b.ts\n@@ @@\n-a\n+b\n')).toThrow('the diff is for src/b.ts');
  });
});

describe('replacing parts of a text', () => {
  it('replaces all of them, wherever they stand', () => {
    const { text, places } = replace(TEXT, { old: 'four', new: '4' }, { old: 'one', new: '1\n1' });
    expect(text).toBe('1\n1\n  two\n  three\n4\n');
    expect(places).toEqual([1, 4]);
  });

  it.each([
    ['<old>\n  two\n</old>\n<new>\n</new>', 'one\n  three\nfour\n'],
    ['<old>  two\n  three\n</old><new></new>', 'one\nfour\n'],
    ['<old>\ntwo\nthree\n</old>\n<new></new>', 'one\nfour\n'],
    ['<old>\nfour\n</old>\n<new></new>', 'one\n  two\n  three\n'],
    // Text within a line, and text that was not sent as lines.
    ['<old>\nour\n</old>\n<new></new>', 'one\n  two\n  three\nf\n'],
    ['<old>four</old>\n<new></new>', 'one\n  two\n  three\n\n'],
    ['<old>\nfour\n</old>\n<new>\n4\n</new>', 'one\n  two\n  three\n4\n'],
  ])('removes lines with their breaks when nothing takes their place: %j', (body, text) => {
    for (const lineBreak of ['\n', '\r\n']) {
      const made = replace(TEXT.replaceAll('\n', lineBreak), ...read(body)!);
      expect(made.text).toBe(text.replaceAll('\n', lineBreak));
      expect(made.patches).toHaveLength(1);
    }
  });

  it('forgives blanks at the ends of lines and before all of them, and says where', () => {
    const { text, forgiven } = replace(TEXT, { old: 'two  \nthree', new: '2\n  deeper' });
    expect(text).toBe('one\n  2\n    deeper\nfour\n');
    expect(forgiven).toEqual([2]);
  });

  const TABS = 'def f(a):\n\tif a:\n\t\treturn 1\n\treturn 2\n';
  it.each([
    // Lines that were sent without their indentation.
    [
      '<old>\nreturn 2\n</old>\n<new>\nif b:\n\treturn 3\n</new>',
      'def f(a):\n\tif a:\n\t\treturn 1\n\tif b:\n\t\treturn 3\n',
    ],
    [
      '<<<<<<< SEARCH\nreturn 2\n=======\nif b:\n    return 3\n>>>>>>> REPLACE',
      'def f(a):\n\tif a:\n\t\treturn 1\n\tif b:\n\t\treturn 3\n',
    ],
    // Spaces for tabs.
    [
      '<old>\n    if a:\n        return 1\n</old>\n<new>\n    if b:\n        if a:\n            return 3\n    a()\n</new>',
      'def f(a):\n\tif b:\n\t\tif a:\n\t\t\treturn 3\n\ta()\n\treturn 2\n',
    ],
    // All levels at one, as a search shows lines.
    [
      '<old>\nif a:\nreturn 1\nreturn 2\n</old>\n<new>\nif b:\nreturn 3\nreturn 4\n</new>',
      'def f(a):\n\tif b:\n\t\treturn 3\n\treturn 4\n',
    ],
    // A text within a line stays one.
    ['<old>return 2</old><new>return 2\n\ndef g():\n\tpass</new>', `${TABS}\ndef g():\n\tpass\n`],
  ])('gives new lines the indentation of those that they replace: %j', (body, text) => {
    expect(replace(TABS, ...read(body)!).text).toBe(text);
  });

  it('refuses lines of one level for those of several where it is not clear which level new ones have', () => {
    const body = '<old>\nif a:\nreturn 1\n</old>\n<new>\nif b:\nreturn 3\nreturn 4\n</new>';
    expect(() => replace(TABS, ...read(body)!)).toThrow('text not found in a.ts. Nearest is line 2: if a:');
    const deeper = '<old>\nif a:\n    return 1\n    return 2\n</old>\n<new>\nif b:\n    return 3\n</new>';
    expect(() => replace(TABS, ...read(deeper)!)).toThrow('text not found');
  });

  it('prefers lines that are only moved to those that are indented otherwise', () => {
    const body = '<old>\nif (a) {\n  b();\n}\n</old>\n<new>\nc();\n</new>';
    const text = 'if (a) {\n\tb();\n}\n  if (a) {\n    b();\n  }\n';
    expect(replace(text, ...read(body)!).text).toBe('if (a) {\n\tb();\n}\n  c();\n');
  });

  it.each([
    ['is not there', { old: 'thrree', new: '' }, 'text not found in a.ts. Nearest is line 3: three'],
    ['is there twice', { old: 'o', new: '' }, 'text found 3 times (lines 1, 2, 4)'],
    ['is empty', { old: '', new: 'x' }, 'old is empty'],
  ])('changes nothing when one %s', (_, block, message) => {
    expect(() => replace(TEXT, { old: 'two', new: '2' }, block)).toThrow(message);
  });

  it('refuses parts that overlap', () => {
    expect(() => replace(TEXT, { old: 'two\n  three', new: '' }, { old: 'three\nfour', new: '' })).toThrow(
      'two of the parts overlap (lines 2 and 3)',
    );
  });

  it('changes the parts and not a byte beside them', () => {
    const word = fc.stringMatching(/^[a-z \t]{0,8}$/);
    const lines = fc.array(word, { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(lines, fc.nat(), fc.nat(3), lines, fc.boolean(), (words, at, length, by, isCrlf) => {
        const numbered = words.map((line, index) => `(${index}) ${line}`);
        const first = at % numbered.length;
        const part = numbered.slice(first, first + length + 1);
        const ending = isCrlf ? '\r\n' : '\n';
        const { text } = replace(numbered.join(ending), { old: part.join('\n'), new: by.join('\n') });
        const expected = numbered.toSpliced(first, part.length, ...by);
        expect(text.replaceAll('\r\n', '\n')).toBe(expected.join('\n'));
        if (isCrlf && part.length > 1) expect(text).toBe(expected.join('\r\n'));
      }),
    );
  });
});
