import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSpace } from '../test/open-space.ts';

describe('editing lines', () => {
  it.each([
    ['CRLF', 'a\r\nb\r\nc\r\n', [2, 2], 'x\ny', 'a\r\nx\r\ny\r\nc\r\n'],
    ['CRLF in the body too', 'a\r\nb\r\n', [1, 1], 'x\r\ny', 'x\r\ny\r\nb\r\n'],
    ['LF', 'a\nb\nc\n', [2, 2], 'x\r\ny', 'a\nx\ny\nc\n'],
    ['mixed line breaks', 'a\r\nb\nc\r\nd\n', [2, 2], 'x', 'a\r\nx\nc\r\nd\n'],
    ['a byte order mark', '\ufeffa\nb\n', [2, 2], 'x', '\ufeffa\nx\n'],
    ['a missing last line break', 'a\nb', [1, 1], 'x', 'x\nb'],
    ['a missing last line break, of the line itself', 'a\nb', [2, 2], 'x\ny', 'a\nx\ny'],
    ['a single line without a break', 'a', [1, 1], 'x', 'x'],
    ['a single line without a break, made two', 'a', [1, 1], 'x\ny', 'x\ny'],
    ['the end, in a file without a last line break', 'a\r\nb', [3, 3], 'x', 'a\r\nb\r\nx\r\n'],
    ['the end of an empty file', '', [1, 1], 'x\ny', 'x\ny\n'],
    ['the end, far asked', 'a\n', [2, 9], 'x', 'a\nx\n'],
    ['all lines to the end', 'a\nb\nc\n', [2, null], 'x', 'a\nx\n'],
    ['empty lines', 'a\nb\n', [1, 1], '\nx\n', '\nx\n\nb\n'],
    ['old carriage returns', 'a\rb\nc\n', [2, 2], 'x', 'a\rb\nx\n'],
    ['nothing, deleting the last line', 'a\nb', [2, 2], '', 'a\n'],
    ['nothing, deleting all', 'a\nb\n', [1, 2], '', ''],
  ] as const)('keeps %s', async (_what, text, range, content, expected) => {
    const space = openSpace({ f: text });
    await space.read('f');
    expect(await space.call('edit', { target: 'f', content }, { range })).not.toContain('Error');
    expect(space.content('f')).toBe(expected);
  });

  it('takes a line break at the end of an inline body for the end of its last line', async () => {
    const space = openSpace({ f: 'a\nb\n' });
    await space.read('f');
    await space.call('edit', { target: 'f', content: 'x\n' }, { range: [1, 1], block: false });
    expect(space.content('f')).toBe('x\nb\n');
  });

  it.each([
    [[7, 7], 'f has 5 lines; asked for 7.'],
    [[5, 6], 'f has 5 lines; asked for 5-6.'],
    [[10, 12], 'f has 5 lines; asked for 10-12.'],
    [[3, 2], 'line range must be 1 ≤ start ≤ end (got 3-2).'],
    [[0, 0], 'line range must be 1 ≤ start ≤ end (got 0-0).'],
  ] as const)('refuses the range %j and leaves the file alone', async (range, message) => {
    const space = openSpace({ f: '1\n2\n3\n4\n5\n' });
    await space.read('f');
    const result = await space.call('edit', { target: 'f', content: 'x' }, { range });
    expect(result).toContain(`RangeError: ${message}\nTry: <`);
    expect(space.content('f')).toBe('1\n2\n3\n4\n5\n');
  });

  it.each([
    [{ content: 'b\nc' }, { range: [2, 3] as const }, 'No change: lines 2-3 of f already had this text'],
    [{ old: 'b', new: 'b' }, {}, 'No change: line 2 of f already had this text'],
  ])('says so when %j changes nothing', async (args, facts, text) => {
    const space = openSpace({ f: 'a\nb\nc\n' });
    await space.read('f');
    expect(await space.call('edit', { target: 'f', ...args }, facts)).toBe(text);
    expect(space.content('f')).toBe('a\nb\nc\n');
  });

  it('refuses to append nothing', async () => {
    const space = openSpace({ f: 'a\n' });
    await space.read('f');
    expect(await space.call('edit', { target: 'f', content: '' }, { range: [2, 2] })).toBe(
      'EditError: there is nothing to append: the body is empty.\nTry: <R:f>',
    );
  });

  const editLines = async (numRuns: number) => {
    const space = openSpace();
    const ending = fc.constantFrom('\n', '\r\n');
    const line = fc.tuple(
      fc
        .string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '\r', '\t'), maxLength: 8 })
        .map((text) => text.replace(/\r$/, '')),
      ending,
    );
    const file = fc.tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.boolean());
    const body = fc.array(fc.string({ unit: fc.constantFrom('x', 'ü', ' '), maxLength: 5 }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(file, fc.nat(), fc.nat(), body, async ([lines, ended], a, b, body) => {
        const texts = lines.map(([text, ending], index) => text + (ended || index < lines.length - 1 ? ending : ''));
        fc.pre(texts.at(-1) !== '');
        const [start, end] = [a % lines.length, b % lines.length].toSorted((x, y) => x - y) as [number, number];
        writeFileSync(join(space.folder, 'f'), texts.join(''));
        await space.read('f');
        await space.call('edit', { target: 'f', content: body.join('\n') }, { range: [start + 1, end + 1] });
        const before = texts.slice(0, start).join('');
        const after = texts.slice(end + 1).join('');
        const content = space.content('f');
        expect(content.slice(0, before.length)).toBe(before);
        expect(content.slice(content.length - after.length)).toBe(after);
        const middle = content.slice(before.length, content.length - after.length);
        const deleted = body.join('\n') === '';
        expect(middle.replace(/\r?\n$/, '').split(/\r?\n/)).toEqual(
          deleted ? [''] : withoutFinalBlank(body, texts[end] as string),
        );
      }),
      { numRuns },
    );
  };

  it('changes no byte outside of the lines', () => editLines(20));
  it('changes no byte outside of the lines, 150 times', { tags: ['long'] }, () => editLines(150));

  it('shows only the ends of many new lines, which were just sent', async () => {
    const space = openSpace({ f: 'a\nb\nc\n' });
    await space.read('f');
    const content = Array.from({ length: 100 }, (_, index) => `new ${index + 1}`).join('\n');
    expect(await space.call('edit', { target: 'f', content }, { range: [2, 2] })).toBe(`\
Replaced line 2 (1 -> 100 lines) in f
 1|a
-2|b
+2|new 1
+3|new 2
+4|new 3
+5|new 4
… lines 6-97, as sent
+98|new 97
+99|new 98
+100|new 99
+101|new 100
 102|c`);
    const few = content.split('\n').slice(0, 15).join('\n');
    expect(await space.call('edit', { target: 'f', content: few }, { range: [1, 1] })).not.toContain('as sent');
  });

  it('shows long new lines in pages', async () => {
    const space = openSpace({ f: 'a\nb\n' });
    await space.read('f');
    const content = Array.from({ length: 100 }, () => 'x'.repeat(1500)).join('\n');
    const result = await space.call('edit', { target: 'f', content }, { range: [2, 2] });
    expect(result.split('\n')[0]).toBe('Replaced line 2 (1 -> 100 lines) in f');
    expect(result.split('\n').at(-1)).toBe('[98 more lines of the change; next: <R:f:4-101>]');
  });

  it('says nothing of lines around the change for which there is no room', async () => {
    const space = openSpace({ f: `a\n${'b'.repeat(900)}\n${'c'.repeat(900)}\n` });
    await space.read('f');
    const edit = (content: string) => space.call('edit', { target: 'f', content }, { range: [1, 1] });
    expect(await edit('x'.repeat(3500))).toBe(`Replaced line 1 in f\n-1|a\n+1|${'x'.repeat(3500)}`);
    await space.read('f');
    expect((await edit('y'.repeat(3500))).split('\n').at(-1)).toBe('[3 more lines of the change; next: <R:f:1-3>]');
  });

  it('shows many new lines whole when their blanks are not those that were sent', async () => {
    const space = openSpace({ f: '  a\n  b\n' });
    await space.read('f');
    const lines = Array.from({ length: 20 }, (_, index) => `x${index}`);
    const answer = await space.call('edit', {
      target: 'f',
      content: `<old>\na\nb\n</old>\n<new>\n${lines.join('\n')}\n</new>`,
    });
    expect(answer).toContain('(blanks differed)');
    expect(answer.split('\n')).toHaveLength(23);
  });

  it('keeps the mode', async () => {
    const space = openSpace({ 'run.sh': 'a\n' });
    chmodSync(join(space.folder, 'run.sh'), 0o750);
    await space.read('run.sh');
    await space.call('edit', { target: 'run.sh', content: 'b' }, { range: [1, 1] });
    expect(statSync(join(space.folder, 'run.sh')).mode & 0o777).toBe(0o750);
  });

  it('has a hint with what changed', async () => {
    const space = openSpace({ f: 'a\nb\nc\n' });
    await space.read('f');
    expect(await space.output('edit', { target: 'f', content: 'x' }, { range: [1, 2] })).toMatchObject({
      hint: '2 -> 1 lines',
    });
    const places = openSpace({ f: 'x\n-\n-\nx\n' });
    expect(await places.output('edit', { target: 'f', old: 'x', new: 'y', every: true })).toMatchObject({
      hint: '2 parts',
    });
  });
});

/** A body's lines; where the last line has no break to keep, an empty last line of the body ends the one before. */
function withoutFinalBlank(body: readonly string[], replaced: string): readonly string[] {
  return !replaced.endsWith('\n') && body.length > 1 && body.at(-1) === '' ? body.slice(0, -1) : body;
}

describe('inserting lines', () => {
  const open = async (text = 'one\r\ntwo\r\nthree') => {
    const space = openSpace({ f: text });
    await space.read('f');
    const insert = (args: object, range: readonly [number, number]) =>
      space.call('edit', { target: 'f', content: 'new\nmore', ...args }, { range });
    return { space, insert };
  };

  it.each([
    [{ after: true }, [1, 1], 'one\r\nnew\r\nmore\r\ntwo\r\nthree', 'Inserted 2 lines at line 2 of f'],
    [{ before: true }, [1, 1], 'new\r\nmore\r\none\r\ntwo\r\nthree', 'Inserted 2 lines at line 1 of f'],
    [{ before: true }, [2, 3], 'one\r\nnew\r\nmore\r\ntwo\r\nthree', 'Inserted 2 lines at line 2 of f'],
    [{ after: true }, [2, 3], 'one\r\ntwo\r\nthree\r\nnew\r\nmore\r\n', 'Appended 2 lines to f'],
    [{ after: true }, [4, 4], 'one\r\ntwo\r\nthree\r\nnew\r\nmore\r\n', 'Appended 2 lines to f'],
    [{ before: true }, [4, 4], 'one\r\ntwo\r\nthree\r\nnew\r\nmore\r\n', 'Appended 2 lines to f'],
  ] as const)('with %j at %j changes no other byte', async (args, range, expected, head) => {
    const { space, insert } = await open();
    expect((await insert(args, range)).split('\n')[0]).toBe(head);
    expect(space.content('f')).toBe(expected);
  });

  it('shows where they are, and is refused where it is not clear or there is no line', async () => {
    const { space, insert } = await open('one\ntwo\n');
    expect(await insert({ after: true }, [1, 1])).toBe(
      'Inserted 2 lines at line 2 of f\n 1|one\n+2|new\n+3|more\n 4|two',
    );
    expect(await insert({ after: true, before: true }, [1, 1])).toContain('EditError: give either before or after');
    expect(await insert({ after: true }, [6, 6])).toContain('RangeError: f has 4 lines; asked for 6.');
    expect(await insert({ after: true }, [5, 6])).toContain('RangeError: f has 4 lines; asked for 5-6.');
    expect(await insert({ after: true, content: '' }, [1, 1])).toContain('EditError: there is nothing to append');
    expect(space.content('f')).toBe('one\nnew\nmore\ntwo\n');
  });

  it.each([
    [{ old: 'w', before: true }, 'one\r\nnew\r\nmore\r\ntwo\r\nthree', 'Inserted 2 lines at line 2 of f'],
    [{ old: 'w', after: true }, 'one\r\ntwo\r\nnew\r\nmore\r\nthree', 'Inserted 2 lines at line 3 of f'],
    [{ old: 'one\ntwo\n', after: true }, 'one\r\ntwo\r\nnew\r\nmore\r\nthree', 'Inserted 2 lines at line 3 of f'],
    [{ old: 'one\ntwo', before: true }, 'new\r\nmore\r\none\r\ntwo\r\nthree', 'Inserted 2 lines at line 1 of f'],
    [{ old: 'three', after: true, new: 'x' }, 'one\r\ntwo\r\nthree\r\nx\r\n', 'Appended 1 line to f'],
    [
      { after: true, content: '<old>\ntwo\n</old>\n<new>\n\nx\n</new>' },
      'one\r\ntwo\r\n\r\nx\r\nthree',
      'Inserted 2 lines at line 3 of f',
    ],
    [
      { before: true, content: '<old>w</old><new>x</new>' },
      'one\r\nx\r\ntwo\r\nthree',
      'Inserted 1 line at line 2 of f',
    ],
  ])('with %j finds the lines by their text, and removes none', async (args, expected, head) => {
    const space = openSpace({ f: 'one\r\ntwo\r\nthree' });
    await space.read('f');
    const answer = await space.call('edit', {
      target: 'f',
      ...('new' in args ? {} : { content: 'new\nmore' }),
      ...args,
    });
    expect(answer.split('\n')[0]).toBe(head);
    expect(space.content('f')).toBe(expected);
  });

  it('beside a text is refused where the place is not clear, and nothing changes', async () => {
    const space = openSpace({ f: 'one\ntwo\none\n' });
    await space.read('f');
    const edit = (args: object) => space.call('edit', { target: 'f', content: 'new', ...args });
    expect(await edit({ old: 'one', after: true })).toContain('EditError: text found 2 times (lines 1, 3)');
    expect(await edit({ old: 'one', after: true, every: true })).toContain('after inserts lines at one place');
    expect(await edit({ old: 'four', before: true })).toContain('EditError: text not found in f');
    expect(await edit({ old: 'two', before: true, content: undefined })).toContain("'new' is missing");
    const refused = 'EditError: after inserts lines, and blocks of <old> and <new> replace text: send one of them.';
    for (const content of [
      '<old>two</old><new>two\nx</new>',
      '<old>two</old><new>x</new><old>one\ntwo</old><new>y</new>',
      '@@ -2 +2 @@\n-two\n+x',
    ])
      expect(await edit({ after: true, content })).toContain(refused);
    expect(await edit({ after: true, content: '<old>one</old><new>x</new>' })).toContain('text found 2 times');
    expect(space.content('f')).toBe('one\ntwo\none\n');
  });
});

describe('editing text', () => {
  it('replaces the one occurrence', async () => {
    const space = openSpace({ 'a.py': 'one\ntwo\nthree\nfour\nfive\nsix\n' });
    expect(await space.call('edit', { target: 'a.py', old: 'three\nfour', new: '3' })).toBe(
      'Replaced lines 3-4 (2 -> 1 lines) in a.py\n 1|one\n 2|two\n-3|three\n-4|four\n+3|3\n 4|five\n 5|six',
    );
    expect(space.content('a.py')).toBe('one\ntwo\n3\nfive\nsix\n');
  });

  it('takes the body for the new text, and an empty new text for deletion', async () => {
    const space = openSpace({ 'a.py': 'one\ntwo\nthree\n' });
    await space.call('edit', { target: 'a.py', old: 'two', content: '2' });
    expect(await space.call('edit', { target: 'a.py', old: 'one\n', new: '' })).toContain('Deleted line 1 in a.py');
    expect(space.content('a.py')).toBe('2\nthree\n');
  });

  it('does not take signs in the new text for anything else', async () => {
    const space = openSpace({ f: 'price\n' });
    await space.call('edit', { target: 'f', old: 'price', new: "$& $1 $$ $'" });
    expect(space.content('f')).toBe("$& $1 $$ $'\n");
  });

  it('finds text across the line breaks of the file', async () => {
    const space = openSpace({ f: 'a\r\nb\r\nc\r\n' });
    await space.call('edit', { target: 'f', old: 'a\nb', new: 'x\ny\nz' });
    expect(space.content('f')).toBe('x\r\ny\r\nz\r\nc\r\n');
  });

  it('names the nearest line when the text is not there', async () => {
    const space = openSpace({ 'a.py': 'def main():\n    return compute(1)\n' });
    expect(await space.call('edit', { target: 'a.py', old: 'return compute(2)', new: '' })).toBe(
      'EditError: text not found in a.py. Nearest is line 2: return compute(1)\nTry: <R:a.py:1-4>',
    );
    expect(await space.call('edit', { target: 'a.py', old: '%%%', new: '' })).toBe(
      'EditError: text not found in a.py.\nTry: <R:a.py>',
    );
  });

  it('refuses text that is there more than once, unless all are meant', async () => {
    const text = Array.from({ length: 20 }, (_, n) => ([4, 9, 20].includes(n + 1) ? 'x = 1' : '-')).join('\n');
    const space = openSpace({ 'a.py': text });
    expect(await space.call('edit', { target: 'a.py', old: 'x = 1', new: 'x = 2' })).toBe(
      'EditError: text found 3 times (lines 4, 9, 20); add context or every=true\nTry: <R:a.py:4>',
    );
    expect(space.content('a.py')).toBe(text);
    expect(await space.call('edit', { target: 'a.py', old: 'x = 1', new: 'x = 2', every: true })).toMatch(
      /^Replaced 3 parts \(lines 4, 9, 20\) in a\.py\n 2\|-\n 3\|-\n-4\|x = 1\n\+4\|x = 2\n/,
    );
    expect(space.content('a.py')).toBe(text.replaceAll('x = 1', 'x = 2'));
  });

  it('shows each line of neighbouring places once, and of many places the first and last ones', async () => {
    const space = openSpace({ 'a.py': 'x = 1\n-\nx = 1\nx = 1\n', 'b.py': 'x = 1\n-\n-\n-\n-\n-\n'.repeat(9) });
    const every = { old: 'x = 1', new: 'x = 2', every: true };
    expect(await space.call('edit', { target: 'a.py', ...every })).toBe(
      [
        'Replaced 3 parts (lines 1, 3, 4) in a.py',
        '-1|x = 1',
        '+1|x = 2',
        ' 2|-',
        '-3|x = 1',
        '+3|x = 2',
        '-4|x = 1',
        '+4|x = 2',
      ].join('\n'),
    );
    const rows = (await space.call('edit', { target: 'b.py', ...every })).split('\n');
    expect(rows.filter((row) => row.startsWith('+')).map((row) => Number.parseInt(row, 10))).toEqual([
      1, 7, 13, 37, 43, 49,
    ]);
    expect(rows).toContain('… 3 more places: <R:b.py:19-31>');
  });

  it('shows of lines that were sent again only those that differ', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
    const space = openSpace({ f: `${lines.join('\n')}\n` });
    await space.read('f');
    const content = lines.slice(1, 11).map((line) => (line === 'line 6' ? 'six\nsix and a half' : line));
    const text = await space.call('edit', { target: 'f', content: content.join('\n') }, { range: [2, 11] });
    expect(text.split('\n')).toEqual([
      'Replaced lines 2-11 (10 -> 11 lines) in f',
      ' 4|line 4',
      ' 5|line 5',
      '-6|line 6',
      '+6|six',
      '+7|six and a half',
      ' 8|line 7',
      ' 9|line 8',
    ]);
  });

  it('refuses text that is there twice because it overlaps itself', async () => {
    const space = openSpace({ f: 'a\n\n\nb\n' });
    expect(await space.call('edit', { target: 'f', old: '\n\n', new: 'x' })).toBe(
      'EditError: text found 2 times (lines 1, 2); add context or every=true\nTry: <R:f:1>',
    );
    expect(space.content('f')).toBe('a\n\n\nb\n');
    await space.call('edit', { target: 'f', old: '\n\n', new: 'x', every: true });
    expect(space.content('f')).toBe('ax\nb\n');
  });

  it('refuses to leave half of a character', async () => {
    const space = openSpace({ f: '😀\n' });
    expect(await space.call('edit', { target: 'f', old: '\ud83d', new: '' })).toBe(
      'FileError: f is not written: the new text has half of a character in it. Send whole characters.\nTry: <R:f>',
    );
    expect(space.content('f')).toBe('😀\n');
  });

  it.each([
    [{ old: '', new: 'x' }, 'old is empty. Give the text to replace.'],
    [{ old: 'a' }, "'new' is missing: the replacement for old."],
    [{ new: 'x' }, 'give a line range, or write the whole file.', '<E:f:10-12>\nTry: <W:f>'],
    [{}, 'give a line range, or write the whole file.', '<E:f:10-12>\nTry: <W:f>'],
  ])('refuses %j', async (args, message, tags = '<R:f>') => {
    expect(await openSpace({ f: 'a\n' }).call('edit', { target: 'f', ...args })).toBe(
      `EditError: ${message}\nTry: ${tags}`,
    );
  });

  it('leaves out line numbers that were copied with the lines, and says so', async () => {
    const space = openSpace({ f: 'a\nb\nc\nd\n' });
    await space.read('f');
    const edit = (content: string) => space.call('edit', { target: 'f', content }, { range: [2, 3], block: true });
    expect(await edit('2|x\n 3|  y\n4|z')).toContain('(the line numbers in front of the new lines were left out)');
    expect(space.content('f')).toBe('a\nx\n  y\nz\nd\n');
    expect(await edit('2|x\n4|y')).not.toContain('line numbers');
    expect(space.content('f')).toBe('a\n2|x\n4|y\nz\nd\n');
    expect(await edit('2|new\n3|row')).not.toContain('line numbers');
    expect(space.content('f')).toBe('a\n2|new\n3|row\nz\nd\n');
  });

  it('replaces lines by a new text without an old one', async () => {
    const space = openSpace({ f: 'a\nb\nc\n' });
    const edit = () => space.call('edit', { target: 'f', new: 'x\ny' }, { range: [2, 2] });
    expect(await edit()).toContain('f was not read in this session.');
    await space.read('f');
    expect(await edit()).toContain('Replaced line 2');
    expect(space.content('f')).toBe('a\nx\ny\nc\n');
    expect(await space.call('edit', { target: 'f' }, { range: [2, 3] })).toContain('Try: <E:f:2-3>');
  });

  it('replaces a text in the lines of a range only', async () => {
    const space = openSpace({ f: 'a b\na b\na b\n' });
    const edit = (args: object, range: readonly [number, number | null]) =>
      space.call('edit', { target: 'f', ...args }, { range });
    expect(await edit({ old: 'b', new: 'c' }, [2, 2])).toContain('Replaced line 2 in f');
    expect(await edit({ old: 'a', new: 'x', every: true }, [2, null])).toContain('Replaced 2 parts (lines 2, 3) in f');
    expect(space.content('f')).toBe('a b\nx c\nx b\n');
    expect(await edit({ old: 'a', new: 'x' }, [2, 3])).toBe('EditError: text not found in f:2-3.\nTry: <R:f>');
    expect(await edit({ old: 'x', new: 'y' }, [3, 9])).toContain('RangeError: f has 3 lines; asked for 3-9.');
    expect(await edit({ old: 'b', after: true, content: 'new' }, [3, 3])).toContain('Appended 1 line to f');
  });
});

describe('what is not a text', () => {
  it('is refused and left alone', async () => {
    const latin = Buffer.from('caf\xe9\n', 'latin1');
    const space = openSpace({ 'latin.txt': latin, 'b.bin': 'a\0b' });
    expect(await space.call('edit', { target: 'latin.txt', content: 'x' }, { range: [1, 1] })).toContain(
      'FileError: latin.txt is not UTF-8: line 1',
    );
    expect(await space.call('edit', { target: 'b.bin', content: 'x' }, { range: [1, 1] })).toContain(
      'BinaryFileError: b.bin is binary (3 bytes).',
    );
    expect(await space.call('edit', { target: 'none.txt', content: 'x' }, { range: [1, 1] })).toContain(
      'FileNotFoundError: none.txt',
    );
    expect(await space.call('edit', { target: '../x', content: 'x' }, { range: [1, 1] })).toContain(
      'PathError: ../x is outside the workspace',
    );
  });
});
