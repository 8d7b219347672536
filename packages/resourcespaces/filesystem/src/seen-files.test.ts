import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OpenSpace, openSpace } from '../test/open-space.ts';

const FORTY = 'x\n'.repeat(40);
const REFUSED =
  'ConflictError: a.py changed since you read it (line count 40 -> 42). Re-read before editing.\nTry: <R:a.py>';

/** A space in which a file was shown, and then changed by someone else. */
async function staleSpace(
  show: (space: OpenSpace) => Promise<unknown> = (space) => space.call('read', { target: 'a.py' }),
) {
  const space = openSpace({ 'a.py': FORTY });
  await show(space);
  writeFileSync(join(space.folder, 'a.py'), 'y\n'.repeat(42));
  return space;
}

describe('a file that changed since it was shown', () => {
  it('is not edited by line or by text, nor overwritten', async () => {
    const space = await staleSpace();
    expect(await space.call('edit', { target: 'a.py', content: 'z' }, { range: [1, 1] })).toBe(REFUSED);
    expect(await space.call('edit', { target: 'a.py', content: 'z' }, { range: [99, 99] })).toBe(REFUSED);
    expect(await space.call('edit', { target: 'a.py', old: 'y', new: 'z', every: true })).toBe(REFUSED);
    expect(await space.call('write', { target: 'a.py', content: 'z' })).toBe(REFUSED);
    expect(space.content('a.py')).toBe('y\n'.repeat(42));
  });

  it('is recognised under every name it has', async () => {
    const space = await staleSpace();
    symlinkSync('a.py', join(space.folder, 'link'));
    for (const target of ['./a.py', 'link', join(space.folder, 'a.py')]) {
      expect(await space.call('write', { target, content: 'z' })).toContain(
        'changed since you read it (line count 40 -> 42)',
      );
    }
  });

  it.each([
    ['a range', (space: OpenSpace) => space.call('read', { target: 'a.py' }, { range: [2, 3] })],
    ['a write', (space: OpenSpace) => space.call('write', { target: 'a.py', content: FORTY })],
    [
      'an edit',
      async (space: OpenSpace) => {
        await space.read('a.py');
        await space.call('edit', { target: 'a.py', content: 'x' }, { range: [1, 1] });
      },
    ],
  ])('counts as shown after %s', async (_what, show) => {
    const space = await staleSpace(show);
    expect(await space.call('write', { target: 'a.py', content: 'z' })).toBe(REFUSED);
  });

  it('is changed once it was read again', async () => {
    const space = await staleSpace();
    await space.call('read', { target: 'a.py' }, { range: [1, 1] });
    expect(await space.call('write', { target: 'a.py', content: 'z' })).toBe(
      'Wrote 2 chars (1 line) to a.py (replaced 42 lines)',
    );
  });

  it('is no matter to another session', async () => {
    const space = await staleSpace();
    expect(await new OpenSpace(space.folder).call('write', { target: 'a.py', content: 'z' })).toContain('Wrote');
  });

  it('is written anew when it is gone', async () => {
    const space = await staleSpace();
    rmSync(join(space.folder, 'a.py'));
    expect(await space.call('write', { target: 'a.py', content: 'z' })).toContain('(new file)');
  });
});

describe('a file that did not change', () => {
  it('is edited again and again', async () => {
    const space = openSpace({ 'a.py': 'a\nb\n' });
    await space.call('read', { target: 'a.py' });
    for (const content of ['1', '2', '3']) {
      expect(await space.call('edit', { target: 'a.py', content }, { range: [1, 1] })).toContain('Replaced line 1');
    }
    expect(space.content('a.py')).toBe('3\nb\n');
  });

  it('is recognized by its content, not by its time', async () => {
    const space = openSpace({ 'a.py': 'a\n' });
    await space.call('read', { target: 'a.py' });
    writeFileSync(join(space.folder, 'a.py'), 'a\n');
    expect(await space.call('write', { target: 'a.py', content: 'b' })).toContain('(replaced 1 line)');
  });

  it('that was never shown may be written', async () => {
    const space = openSpace({ 'a.py': 'x\n'.repeat(120) });
    expect(await space.call('write', { target: 'a.py', content: 'b' })).toBe(
      'Wrote 2 chars (1 line) to a.py (replaced 120 lines)',
    );
  });

  it('loses nothing when many edits arrive at once', { tags: ['long'] }, async () => {
    const space = openSpace({ 'a.py': Array.from({ length: 20 }, (_, n) => `line ${n + 1};`).join('\n') });
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        space.call('edit', { target: 'a.py', old: `line ${n + 1};`, new: `done ${n + 1};` }),
      ),
    );
    expect(space.content('a.py')).not.toContain('line');
  });
});

describe('a file that was never shown', () => {
  const UNREAD = 'ConflictError: a.py was not read in this session. Read it first.\nTry: <R:a.py:10-15>';

  it('is not edited by line', async () => {
    const space = openSpace({ 'a.py': FORTY });
    const edit = () => space.call('edit', { target: 'a.py', content: 'z' }, { range: [10, 15] });
    expect(await edit()).toBe(UNREAD);
    // Some lines, a name in a list and an edit of a text do not show the lines between.
    await space.call('grep', { pattern: 'x', path: 'a.py' }, { fromCode: true });
    await space.call('glob', { pattern: '*.py' });
    await space.call('read', { target: '.' });
    await space.call('edit', { target: 'a.py', old: 'x', new: 'y', every: true });
    expect(await edit()).toBe(UNREAD);
    expect(space.content('a.py')).toBe('y\n'.repeat(40));
  });

  it('is edited where a search showed every line, and nowhere else', async () => {
    const space = openSpace({ 'a.py': ['one', 'two', 'two', 'four', 'two'].join('\n') });
    await space.call('grep', { pattern: 'two', path: 'a.py' });
    const edit = (range: readonly [number, number]) =>
      space.call('edit', { target: 'a.py', content: 'new' }, { range });
    expect(await edit([3, 5])).toContain('was not read in this session');
    writeFileSync(join(space.folder, 'a.py'), ['zero', 'one', 'two', 'two', 'four', 'two'].join('\n'));
    expect(await edit([2, 3])).toContain('was not read in this session');
    await space.call('grep', { pattern: 'two', path: 'a.py' });
    expect(await edit([3, 4])).toContain('a.py');
    expect(space.content('a.py')).toBe(['zero', 'one', 'new', 'four', 'two'].join('\n'));
  });

  it('is edited by the lines that an edit showed, and by those that a search showed before it', async () => {
    const space = openSpace({ 'a.py': Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n') });
    const edit = (range: readonly [number, number], content: string) =>
      space.call('edit', { target: 'a.py', content }, { range });
    await space.call('grep', { pattern: 'line (3|30)$', path: 'a.py' });
    expect(await edit([3, 3], 'three\nand more')).toContain('Replaced line 3 (1 -> 2 lines)');
    // The lines around the change are shown with their new numbers, and line 30 is line 31 now.
    expect(await edit([7, 7], 'six')).toContain('was not read in this session');
    expect(await edit([6, 6], 'five')).toContain('Replaced line 6');
    expect(await edit([30, 30], 'other')).toContain('was not read in this session');
    expect(await edit([31, 31], 'thirty')).toContain('Replaced line 31');
    const lines = space.content('a.py').split('\n');
    expect([lines[2], lines[3], lines[5], lines[30], lines.length]).toEqual([
      'three',
      'and more',
      'five',
      'thirty',
      41,
    ]);
  });

  it.each([
    [[7, 7], '<R:a.py:7>'],
    [[7, null], '<R:a.py:7->'],
  ] as const)('is named with the lines %j', async (range, tag) => {
    const space = openSpace({ 'a.py': FORTY });
    expect(await space.call('edit', { target: 'a.py', content: 'z' }, { range })).toContain(
      `Read it first.\nTry: ${tag}`,
    );
  });

  it('is known after one of its lines was shown, as a whole', async () => {
    const space = openSpace({ 'a.py': FORTY });
    await space.call('read', { target: 'a.py' }, { range: [1, 1] });
    expect(await space.call('edit', { target: 'a.py', content: 'z' }, { range: [40, 40] })).toContain(
      'Replaced line 40',
    );
  });
});
