import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSpace } from '../test/open-space.ts';

const FIVE = 'line1\nline2\nline3\nline4\nline5\n';
const withFive = () => openSpace({ 's.py': FIVE });

describe('the filesystem space', () => {
  it('numbers the lines of a range', async () => {
    expect(await withFive().call('read', { target: 's.py' }, { range: [2, 4] })).toBe('2|line2\n3|line3\n4|line4');
  });

  it('clamps a range that ends after the file', async () => {
    expect(await withFive().call('read', { target: 's.py' }, { range: [4, 9] })).toBe(
      '4|line4\n5|line5\n[lines 4-5; file has 5]',
    );
  });

  it('refuses a range that starts after the file', async () => {
    expect(await withFive().call('read', { target: 's.py' }, { range: [9, 12] })).toBe(
      'RangeError: s.py has 5 lines; asked for 9-12.\nTry: <R:s.py:1-5>',
    );
  });

  it('replaces lines', async () => {
    const space = withFive();
    await space.read('s.py');
    expect(await space.call('edit', { target: 's.py', content: 'replaced' }, { range: [2, 3] })).toBe(
      'Replaced lines 2-3 (2 -> 1 lines) in s.py\n 1|line1\n-2|line2\n-3|line3\n+2|replaced\n 3|line4\n 4|line5',
    );
    expect(space.content('s.py')).toBe('line1\nreplaced\nline4\nline5\n');
  });

  it('deletes lines when the body is empty', async () => {
    const space = withFive();
    await space.read('s.py');
    expect(await space.call('edit', { target: 's.py', content: '' }, { range: [5, 5] })).toBe(
      'Deleted line 5 in s.py\n 3|line3\n 4|line4\n-5|line5',
    );
    expect(await space.call('edit', { target: 's.py', content: '' }, { range: [2, 3] })).toBe(
      'Deleted lines 2-3 in s.py\n 1|line1\n-2|line2\n-3|line3\n 2|line4',
    );
    expect(space.content('s.py')).toBe('line1\nline4\n');
  });

  it('appends at the line after the last', async () => {
    const space = withFive();
    await space.read('s.py');
    expect(await space.call('edit', { target: 's.py', content: 'new' }, { range: [6, 6] })).toBe(
      'Appended 1 line to s.py\n 4|line4\n 5|line5\n+6|new',
    );
    expect(space.content('s.py')).toBe(`${FIVE}new\n`);
  });

  it('refuses a range that starts at 0', async () => {
    const space = withFive();
    expect(await space.call('edit', { target: 's.py', content: 'Z' }, { range: [0, 1] })).toBe(
      'RangeError: line range must be 1 ≤ start ≤ end (got 0-1).\nTry: <R:s.py>',
    );
    expect(space.content('s.py')).toBe(FIVE);
  });

  it('refuses an edit that does not say where', async () => {
    const space = withFive();
    expect(await space.call('edit', { target: 's.py', content: 'Z' })).toBe(
      'EditError: give a line range, or write the whole file.\nTry: <E:s.py:10-12>\nTry: <W:s.py>',
    );
    expect(space.content('s.py')).toBe(FIVE);
  });

  it('writes a block with its final line break', async () => {
    const space = withFive();
    expect(await space.call('write', { target: 'd/n.txt', content: 'hello world' }, { block: true })).toBe(
      'Wrote 12 chars (1 line) to d/n.txt (new file)',
    );
    expect(space.content('d/n.txt')).toBe('hello world\n');
  });

  it('writes inline content exactly', async () => {
    const space = withFive();
    expect(await space.call('write', { target: 'n.txt', content: 'hello' }, { block: false })).toBe(
      'Wrote 5 chars (1 line) to n.txt (new file)',
    );
    expect(space.content('n.txt')).toBe('hello');
  });

  it('shows that nothing matches', async () => {
    const space = withFive();
    expect(await space.call('glob', { pattern: '*.zzz' })).toBe('(no matches)');
    expect(await space.call('grep', { pattern: 'nowhere' })).toBe('(no matches)\nsearched 1 file');
  });

  it('shows where a pattern matches', async () => {
    expect(await withFive().call('grep', { pattern: 'line3' })).toBe('s.py:3: line3');
  });

  it('reports what is wrong with a pattern', async () => {
    expect(await withFive().call('grep', { pattern: '[' })).toBe(
      String.raw`PatternError: unterminated character class at 0. Quote or escape it.
Try: <Grep:\[>`,
    );
  });

  it('shows the root folder for an empty target', async () => {
    expect(await openSpace({ 'b.txt': '', 'a/x': '' }).call('read', { target: '' })).toBe('a/\nb.txt');
  });

  it('leaves no trace of an edit that was refused', async () => {
    const space = withFive();
    await space.call('edit', { target: 'd/none.py', content: 'Z' }, { range: [1, 1] });
    expect(existsSync(join(space.folder, 'd'))).toBe(false);
  });
});
