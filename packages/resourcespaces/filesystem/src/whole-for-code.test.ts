import fc from 'fast-check';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, vi } from 'vitest';
import { openSpace, type OpenSpace } from '../test/open-space.ts';

/** What code gets of a call. */
async function whole(space: OpenSpace, verb: string, ...call: readonly [object, object?]): Promise<string> {
  const output = await space.output(verb, call[0] as Record<string, unknown>, { fromCode: true, ...call[1] });
  const value = (await output.whole?.()) ?? output.text;
  return typeof value === 'string' ? value : (value as string[]).map(renderRow).join('\n');
}

function renderRow(row: string | { path: string; line: number; text: string }): string {
  return typeof row === 'string' ? row : `${row.path}:${row.line}: ${row.text}`;
}

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

describe('what code gets', () => {
  const readWhole = async (numRuns: number) => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.nat(900).map(lines),
      fc.constantFrom('', '\n', 'a\r\n\r\nb'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 4 }), async (parts) => {
        const content = parts.join('').replaceAll('\0', '');
        const space = openSpace({ 'a.txt': content });
        expect(await whole(space, 'read', { target: 'a.txt' })).toBe(content);
      }),
      { numRuns },
    );
  };

  it('of a file is the file, whatever its length', () => readWhole(6));
  it('of a file is the file, whatever its length, 40 times', { tags: ['long'] }, () => readWhole(40));

  it('of a file that fits one page is what a tag is answered with', async () => {
    const space = openSpace({ 'a.txt': lines(9) });
    expect(await space.output('read', { target: 'a.txt' })).not.toHaveProperty('whole');
  });

  it('of a part of a file are its lines, without their numbers', async () => {
    const space = openSpace({ 'a.txt': lines(2000) });
    const part = (range: readonly [number, number | null]) => whole(space, 'read', { target: 'a.txt' }, { range });
    expect(await part([2, 3])).toBe('line 2\nline 3\n');
    expect(await part([1999, null])).toBe('line 1999\nline 2000\n');
    expect(await part([2, 1500])).toBe(lines(1500).slice('line 1\n'.length));
    expect(await part([1999, 3000])).toBe('line 1999\nline 2000\n');
    expect(await whole(space, 'read', { target: 'a.txt:7@3' })).toBe('ne 7');
  });

  it('of lines behind the end of a file is empty, where a tag is refused', async () => {
    const space = openSpace({ 'a.txt': lines(3) });
    expect(await whole(space, 'read', { target: 'a.txt' }, { range: [4, 10] })).toBe('');
    expect(await whole(space, 'read', { target: 'a.txt' }, { range: [3, 10] })).toBe('line 3\n');
    expect(await space.call('read', { target: 'a.txt' }, { range: [4, 10] })).toContain(
      'RangeError: a.txt has 3 lines',
    );
  });

  it('of a part of a file is taken from the page where that covers it', async () => {
    const space = openSpace({ 'a.txt': lines(20_000) });
    const read = vi.spyOn(WorkspaceRoot.prototype, 'readWindow');
    expect(await whole(space, 'read', { target: 'a.txt' }, { range: [5, 6] })).toBe('line 5\nline 6\n');
    expect(await whole(space, 'read', { target: 'a.txt:19999@6' })).toBe('19999');
    expect(read).not.toHaveBeenCalled();
    expect(await whole(space, 'read', { target: 'a.txt' }, { range: [5, 15_000] })).toBe(
      lines(15_000).slice(lines(4).length),
    );
    expect(read).toHaveBeenCalledTimes(1);
    read.mockRestore();
  });

  it('of a file that is too long for it is an error, with a part that is not', { tags: ['long'] }, async () => {
    const space = openSpace({ 'a.txt': `${'x'.repeat(99)}\n`.repeat(90_000) });
    await expect(whole(space, 'read', { target: 'a.txt' })).rejects.toMatchObject({
      message: 'a.txt has 9000000 bytes; code gets 8388608 characters at most. Read it in parts, of 80000 lines here.',
      hints: ['<R:a.txt:1-80000>'],
    });
    expect(await whole(space, 'read', { target: 'a.txt' }, { range: [1, 80_000] })).toHaveLength(8_000_000);
    expect(await whole(space, 'read', { target: 'a.txt' }, { range: [80_000, 80_001] })).toHaveLength(200);
    await expect(whole(space, 'read', { target: 'a.txt' }, { range: [9, 89_000] })).rejects.toMatchObject({
      hints: ['<R:a.txt:9-80008>'],
    });
    expect(await whole(space, 'read', { target: 'a.txt:9@98' })).toBe('xx');
  });

  it('of lines that are just as long as it may have are these lines', async () => {
    const space = openSpace({ 'a.txt': `${'x'.repeat(8 * 1024 * 1024 - 1)}\nmore\n` });
    expect(await whole(space, 'read', { target: 'a.txt' }, { range: [1, 1] })).toHaveLength(8 * 1024 * 1024);
    await expect(whole(space, 'read', { target: 'a.txt' }, { range: [1, 2] })).rejects.toThrow(
      'in parts, of 1 line here',
    );
  });

  it('of a line that is too long for it is an error, with its first page', { tags: ['long'] }, async () => {
    const space = openSpace({ 'a.txt': `a\n${'x'.repeat(9_000_000)}\nb\n` });
    const refused = {
      message: 'line 2 of a.txt has 9000000 characters; code gets 8388608 characters at most. Tags show it in pages.',
      hints: ['<R:a.txt:2@1>'],
    };
    await expect(whole(space, 'read', { target: 'a.txt' }, { range: [2, 1000] })).rejects.toMatchObject(refused);
    await expect(whole(space, 'read', { target: 'a.txt' }, { range: [2, 2] })).rejects.toMatchObject(refused);
    await expect(whole(space, 'read', { target: 'a.txt:2@5' })).rejects.toMatchObject(refused);
    await expect(whole(space, 'read', { target: 'a.txt' })).rejects.toMatchObject({ hints: ['<R:a.txt:1>'] });
    expect(await whole(space, 'read', { target: 'a.txt:2@8999999' })).toBe('xx');
  });

  it('of a file that is not UTF-8 is an error, since writing it back would destroy bytes', async () => {
    const bytes = Buffer.concat([Buffer.from('fine\nabc '), Buffer.from([0xff, 0xfe]), Buffer.from(' def\n')]);
    const space = openSpace({ 'a.txt': bytes, 'b.txt': 'a real \ufffd\n', 'c.txt': `${lines(2000)}\ufffd\n` });
    const refused = {
      message:
        'a.txt is not UTF-8: line 2 has bytes that are not characters. Code gets only what it could write back, so no line with such bytes; a tag outside a run block shows them as \ufffd.',
      hints: ['<R:a.txt:2>'],
    };
    await expect(whole(space, 'read', { target: 'a.txt' })).rejects.toMatchObject(refused);
    await expect(whole(space, 'read', { target: 'a.txt' }, { range: [2, 2] })).rejects.toMatchObject(refused);
    expect(await whole(space, 'read', { target: 'a.txt' }, { range: [1, 1] })).toBe('fine\n');
    expect(await space.call('read', { target: 'a.txt' })).toBe('fine\nabc \ufffd\ufffd def\n');
    expect(await whole(space, 'read', { target: 'b.txt' })).toBe('a real \ufffd\n');
    expect(await whole(space, 'read', { target: 'c.txt' }, { range: [2001, null] })).toBe('\ufffd\n');
  });

  it(
    'of a part of a file that is too large to be looked at as a whole are its lines, whatever is in them',
    { tags: ['long'] },
    async () => {
      const space = openSpace({ 'a.txt': `a \ufffd\n${`${'x'.repeat(1023)}\n`.repeat(64 * 1024)}` });
      expect(await whole(space, 'read', { target: 'a.txt' }, { range: [1, 1] })).toBe('a \ufffd\n');
    },
  );

  it('of a search for files and of a folder are all names, and nothing when there are none', async () => {
    const names = Array.from({ length: 250 }, (_, index) => `f${String(index).padStart(3, '0')}.ts`);
    const space = openSpace(Object.fromEntries(names.map((name) => [`src/${name}`, ''])));
    const paths = names.map((name) => `src/${name}`).join('\n');
    expect(await whole(space, 'glob', { pattern: 'src/*.ts' })).toBe(paths);
    expect(await whole(space, 'glob', { pattern: '*.md' })).toBe('');
    expect(await whole(space, 'read', { target: 'src' })).toBe(names.join('\n'));
  });

  it('of a search for text are all rows, and nothing when there are none', async () => {
    const space = openSpace({ 'a.txt': lines(300), '.env': 'line 1' });
    const rows = Array.from({ length: 300 }, (_, index) => `a.txt:${index + 1}: line ${index + 1}`);
    expect(await whole(space, 'grep', { pattern: 'line' })).toBe(rows.join('\n'));
    expect(await whole(space, 'grep', { pattern: 'line 3$' })).toBe('a.txt:3: line 3');
    expect(await whole(space, 'grep', { pattern: 'nothing like it' })).toBe('');
    expect(await whole(openSpace({ 'a.txt': lines(3) }), 'grep', { pattern: 'nothing like it' })).toBe('');
  });

  it('of a search are lists, as data', async () => {
    const space = openSpace({ 'a.txt': 'one\ntwo\n', 'b.txt': 'two\n' });
    const value = async (verb: string, pattern: string) =>
      (await space.output(verb, { pattern }, { fromCode: true })).whole?.();
    expect(await value('glob', '*.txt')).toEqual(['a.txt', 'b.txt']);
    expect(await value('glob', '*.md')).toEqual([]);
    expect(await value('grep', 'two')).toEqual([
      { path: 'a.txt', line: 2, text: 'two' },
      { path: 'b.txt', line: 1, text: 'two' },
    ]);
    expect(await value('grep', 'three')).toEqual([]);
  });

  it('of a search for text are lines that are not cut, as far as that is possible', { tags: ['long'] }, async () => {
    const long = `${'a'.repeat(5000)} needle ${'b'.repeat(4990)}`;
    const space = openSpace({
      'a.txt': `${long}\n`,
      'b.txt': `${long} of many\n`.repeat(300),
      'c.txt': `${long}more\n`,
    });
    expect(await whole(space, 'grep', { pattern: 'needle', path: 'a.txt' })).toBe(`a.txt:1: ${long}`);
    expect(await space.call('grep', { pattern: 'needle', path: 'a.txt' })).toMatch(/^a\.txt:1: ….{198}…$/);
    const longer = await whole(space, 'grep', { pattern: 'needle', path: 'c.txt' });
    expect(longer).toHaveLength('c.txt:1: '.length + 10_000);
    expect((await whole(space, 'grep', { pattern: 'needle' })).length).toBeLessThan(302 * 10_020);
    const many = openSpace({ 'a.txt': `${long}\n`.repeat(4000) });
    const rows = (await whole(many, 'grep', { pattern: 'needle', path: 'a.txt' })).split('\n');
    expect(new Set(rows.map((row) => row.replace(/^\S+ /, '').length))).toEqual(new Set([2097]));
  });

  it('of a search that finds too much is an error', async () => {
    const space = openSpace({ 'a.txt': 'x\n'.repeat(50_001) });
    await expect(whole(space, 'grep', { pattern: 'x' })).rejects.toMatchObject({
      message: '50001 lines in 1 file match; code gets 50000 at most. Narrow with a longer pattern.',
      hints: ['<R:a.txt:1>'],
    });
  });

  it(
    'of a search that finds too much in many files is an error, with a search that finds less',
    { tags: ['long'] },
    async () => {
      const space = openSpace({
        'a b/one.txt': 'x y\n',
        'a b/two.txt': 'x y\n',
        'lib/a.ts': 'x y\n',
        'lib/sub/b.txt': 'x y\n'.repeat(50_001),
      });
      const hints = async (args: object) => {
        const error: unknown = await whole(space, 'grep', { pattern: 'x y', ...args }).catch((error: unknown) => error);
        return error as { readonly message: string; readonly hints: readonly string[] };
      };
      expect(await hints({})).toMatchObject({
        message: '50004 lines in 4 files match; code gets 50000 at most. Narrow with path=… or a longer pattern.',
        hints: ['<Grep:x y path="a b/**/*.txt">'],
      });
      expect((await hints({ path: 'lib', ignored: true })).hints).toEqual([
        '<Grep:x y path=lib/sub/**/*.txt ignored=true>',
      ]);
      expect((await hints({ path: 'lib/**/*.t*' })).hints).toEqual(['<Grep:x y path=lib/sub/**/*.txt>']);
      expect((await hints({ path: 'lib/sub/b.txt' })).hints).toEqual(['<R:lib/sub/b.txt:1>']);
      expect((await hints({ pattern: 'x[^<]y' })).hints).toEqual(['<R:a b/one.txt:1>']);
    },
  );

  it('of a search for text comes of one search', async () => {
    const space = openSpace({ 'a.txt': lines(300) });
    const grep = vi.spyOn(WorkspaceRoot.prototype, 'grep');
    await whole(space, 'grep', { pattern: 'line' });
    expect(grep).toHaveBeenCalledTimes(1);
    await space.call('grep', { pattern: 'line' });
    expect(grep.mock.calls.map(([query]) => query.forCode)).toEqual([true, false]);
    grep.mockRestore();
  });
});
