import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';

const TEN = Array.from({ length: 10 }, (_, line) => `line${line + 1}\n`).join('');

/** A home whose session has read a file of ten lines. */
async function readTen() {
  const home = openHome({ 's.py': TEN });
  await home.send('<R:s.py>');
  return home;
}

const edit = (range: string, ...lines: readonly string[]): string => `<E:s.py:${range}>\n${lines.join('\n')}\n</E>\n`;

describe('several edits of one file in one response', () => {
  it('use the line numbers that were shown, in whatever order they come', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const home = await readTen();
      const edits = [edit('2-3', 'two'), edit('5', 'five', 'and', 'more'), edit('9-10', 'nine')];
      await home.send(order.map((index) => edits[index]).join(''));
      expect(home.content('s.py')).toBe('line1\ntwo\nline4\nfive\nand\nmore\nline6\nline7\nline8\nnine\n');
    }
  });

  it('show the lines as they were sent, and where they are now', async () => {
    const home = await readTen();
    expect((await home.send(edit('1', 'a', 'b', 'c') + edit('5-6', 'five')))[1]).toBe(
      'Replaced lines 5-6 (2 -> 1 lines) in s.py\n 5|line3\n 6|line4\n-7|line5\n-8|line6\n+7|five\n 8|line7\n 9|line8',
    );
  });

  it('say where the lines are now that earlier ones have shown, when a later one moves them', async () => {
    const home = await readTen();
    const results = await home.send(
      edit('8-9', 'eight', 'nine') + edit('5', 'five') + edit('2', 'a', 'b') + edit('10', 'z'),
    );
    expect(results.map((text) => text.split('\n').at(-1))).toEqual([
      ' 10|line10',
      ' 7|line7',
      '[lines 5-9 above are now lines 6-10]',
      '+11|z',
    ]);
    expect(home.content('s.py')).toBe('line1\na\nb\nline3\nline4\nfive\nline6\nline7\neight\nnine\nz\n');
    const [again] = await home.send(edit('9-10', 'changed'));
    expect(again).toContain('-9|eight\n-10|nine\n');
    const [, one] = await home.send(edit('4', 'x') + edit('1', 'line1'));
    expect(one).not.toContain('above');
    const blocks = '<old>line1</old>\n<new>zero\none</new>';
    const [, moved] = await home.send(`${edit('4', 'y')}<E:s.py>\n${blocks}\n</E>\n`);
    expect(moved).toContain('\n[line 4 above is now line 5]');
  });

  it('append at the end wherever that is by then, and take ranges to the end', async () => {
    const home = await readTen();
    await home.send(edit('1-5', 'start') + edit('11', 'eleven') + edit('8-', 'last'));
    expect(home.content('s.py')).toBe('start\nline6\nline7\nlast\neleven\n');
  });

  it('use the numbers that a search showed, of the lines that it showed', async () => {
    const home = openHome({ 's.py': TEN });
    await home.send('<Grep:line[389]>');
    const [, , unknown] = await home.send(edit('3', 'three', 'and more') + edit('9', 'nine') + edit('10', 'ten'));
    expect(unknown).toContain('s.py was not read in this session');
    expect(home.content('s.py')).toBe(
      'line1\nline2\nthree\nand more\nline4\nline5\nline6\nline7\nline8\nnine\nline10\n',
    );
  });

  it('are measured by the file as it was shown', async () => {
    const home = await readTen();
    const [, beyond] = await home.send(edit('1', 'a', 'b', 'c') + edit('12', 'x'));
    expect(beyond).toBe('RangeError: s.py has 10 lines; asked for 12.\nTry: <E:s.py:11>\nTry: <R:s.py>');
  });

  it('are followed by edits with the new numbers', async () => {
    const home = await readTen();
    await home.send(edit('1-8', 'start'));
    await home.send(edit('2', 'nine'));
    expect(home.content('s.py')).toBe('start\nnine\nline10\n');
  });

  it('change exactly what they would change one by one from the last to the first', { tags: ['long'] }, async () => {
    const lines = fc.uniqueArray(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 6 });
    const body = fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(lines, fc.array(body, { minLength: 6, maxLength: 6 }), async (lines, bodies) => {
        const home = await readTen();
        await home.send(lines.map((line, index) => edit(String(line), ...bodies[index]!)).join(''));
        const expected = TEN.split('\n').flatMap((text, index) => {
          const at = lines.indexOf(index + 1);
          return at === -1 ? [text] : bodies[at]!;
        });
        expect(home.content('s.py')).toBe(expected.join('\n'));
      }),
      { numRuns: 40 },
    );
  });
});

describe('edits of one response that overlap', () => {
  const REFUSED =
    'ConflictError: edits of lines 2-4 and 4-6 of s.py overlap in one response; none of them was made. Send one edit of lines 2-6, or the second one in the next message.';

  it('are refused together, and nothing is changed', async () => {
    const home = await readTen();
    const results = await home.send(edit('2-4', 'a') + edit('4-6', 'b'));
    expect(results.map((text) => text.split('\n')[0])).toEqual([REFUSED, REFUSED]);
    expect(home.content('s.py')).toBe(TEN);
  });

  it('are recognised in every spelling of the file', async () => {
    const home = await readTen();
    symlinkSync('s.py', join(home.folder, 'link'));
    const spellings = ['./s.py', 'link', join(home.folder, 's.py')];
    for (const spelling of spellings) {
      const results = await home.send(`${edit('2-4', 'a')}<E:${spelling}:4-6>\nb\n</E>`);
      expect(results.every((text) => text.startsWith('ConflictError: edits of lines 2-4 and 4-6 of '))).toBe(true);
    }
    const json = '{"name": "edit", "arguments": {"target": "s.py:4-6", "content": "b"}}\n';
    expect((await home.send(edit('2-4', 'a') + json))[0]).toContain(REFUSED);
    expect(home.content('s.py')).toBe(TEN);
  });

  it('are refused together around another call too, which is said to have run without them', async () => {
    const home = await readTen();
    const [first, listed, second] = await home.send(`${edit('2', 'a')}<G:*.py>\n${edit('2', 'b')}`);
    expect(first).toBe(
      'ConflictError: edits of line 2 of s.py overlap in one response; none of them was made, and the calls between them ran on the unchanged file. Send the first edit and those calls again, and the second edit in the next message.\nTry: <E:s.py:2>',
    );
    expect([listed, second]).toEqual(['s.py', first]);
    expect(home.content('s.py')).toBe(TEN);
    // Other calls before and after them, and edits of other lines between them, are no such calls.
    const [, refused] = await home.send(`<G:*.py>\n${edit('2-4', 'a')}${edit('8', 'c')}${edit('4-6', 'b')}<G:*.py>`);
    expect(refused).toContain(REFUSED);
  });

  it('do not keep the others from being made', async () => {
    const home = await readTen();
    const results = await home.send(
      edit('1', 'one') + edit('3-5', 'a') + edit('5-7', 'b') + edit('7-8', 'c') + edit('10', 'ten'),
    );
    expect(results.map((text) => text.split(/[ :]/)[0])).toEqual([
      'Replaced',
      'ConflictError',
      'ConflictError',
      'ConflictError',
      'Replaced',
    ]);
    expect(results[2]).toContain('edits of lines 3-5 and 5-7 and 7-8 of s.py overlap');
    expect(home.content('s.py')).toBe(TEN.replace('line1\n', 'one\n').replace('line10', 'ten'));
  });

  it('are two of the same lines too, but not those of two files', async () => {
    const home = openHome({ 's.py': TEN, 't.py': TEN });
    await home.send('<R:s.py>\n<R:t.py>');
    expect((await home.send(edit('2', 'a') + edit('2', 'a')))[0]).toContain('ConflictError: edits of line 2 of s.py');
    expect((await home.send(`${edit('2', 'a')}<E:t.py:2>\na\n</E>`))[0]).toContain('Replaced line 2');
  });
});

describe('other calls of the same response', () => {
  it('by text move the lines, and those they touched are not edited by number', async () => {
    const home = await readTen();
    const results = await home.send(
      `{"name": "edit", "arguments": {"target": "s.py", "old": "line3\\nline4\\n", "new": "3\\n3a\\n3b\\n4\\n"}}\n${edit('6', 'six')}${edit('4', 'x')}`,
    );
    expect(results.at(-1)).toBe(
      'ConflictError: line 4 of s.py was changed by an earlier call of this response. Read the new lines, then edit them.\nTry: <R:s.py>',
    );
    expect(home.content('s.py')).toContain('3b\n4\nline5\nsix\nline7\n');
  });

  it('that replace a text in many places move the lines after each', async () => {
    const home = openHome({ 's.py': 'x\na\nx x\nb\nc x\nd\n' });
    await home.send('<R:s.py>');
    const all = '{"name": "edit", "arguments": {"target": "s.py", "old": "x", "new": "y\\nz", "every": true}}\n';
    await home.send(all + edit('2', 'A') + edit('4', 'B') + edit('6', 'D'));
    expect(home.content('s.py')).toBe('y\nz\nA\ny\nz y\nz\nB\nc y\nz\nD\n');
  });

  it('that write the whole file are what the numbers mean from then on', async () => {
    const home = openHome();
    await home.send('<W:s.py>\none\ntwo\nthree\n</W>\n<E:s.py:2>\nzwei\n</E>');
    expect(home.content('s.py')).toBe('one\nzwei\nthree\n');
  });

  it('that undo an edit make the numbers mean what they meant before it', async () => {
    const home = await readTen();
    await home.send(`${edit('1-5', 'x')}<undo:>\n<E:s.py:7>\nseven\n</E>`);
    expect(home.content('s.py')).toBe(TEN.replace('line7', 'seven'));
  });

  it('that read the file come too late for an edit of what was shown before', async () => {
    const home = await readTen();
    home.change('s.py', 'theirs\n' + TEN);
    const [, refused] = await home.send(`<R:s.py>\n${edit('2', 'x')}`);
    expect(refused).toBe(
      'ConflictError: s.py changed since you read it (line count 10 -> 11). The read above comes too late for this edit: send the edit again.',
    );
    expect((await home.send(edit('3', 'two')))[0]).toContain('Replaced line 3');
    expect(home.content('s.py')).toBe(`theirs\n${TEN.replace('line2', 'two')}`);
  });

  it('that read a file for the first time are enough', async () => {
    const home = openHome({ 's.py': TEN });
    await home.send(`<R:s.py>\n${edit('2', 'two')}`);
    expect(home.content('s.py')).toBe(TEN.replace('line2', 'two'));
  });
});
