import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSpace, type OpenSpace } from '../test/open-space.ts';

const numbered = (from: number, to: number, text = (n: number) => `line ${n}`): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `${text(from + index)}\n`).join('');

/** Reads what the tag in a result names. */
function follow(space: OpenSpace, tag: string): Promise<string> {
  const [, target = '', suffix = ''] = /^<R:(a\.txt):(.*)>$/.exec(tag) ?? [];
  if (suffix.includes('@')) return space.call('read', { target: `${target}:${suffix}` });
  const [start = 0, end] = suffix.split('-').map(Number);
  return space.call('read', { target }, { range: [start, end ?? start], argument: `${target}:${suffix}` });
}

/** Lines without their numbers. */
function stripNumbers(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^\d+\|/, ''))
    .join('\n');
}

/** The whole of a file, put together from its pages. */
async function readAll(space: OpenSpace): Promise<string> {
  let all = '';
  for (let result = await space.call('read', { target: 'a.txt' }); ;) {
    const [, body = '', footer = ''] = /^(.*)\n\[(line[^\n]*)\]$/s.exec(result) ?? [];
    if (footer === '' && all === '') return result;
    const next = /next: (<R:.*>)$/.exec(footer)?.[1];
    const total = Number(/ of (\d+)/.exec(footer)?.[1] ?? body.split('\n').length);
    const isNumbered = /^\d+\|/.test(result) && !footer.includes('characters') && (all !== '' || total > 30);
    const text = footer === '' ? result : body;
    all += isNumbered ? stripNumbers(text) : text;
    const goesOn = next !== undefined && footer.includes('characters') && next.includes('@') && !next.endsWith('@1>');
    if (!goesOn && !footer.endsWith('no newline at end of file')) all += '\n';
    if (next === undefined) return all;
    result = await follow(space, next);
  }
}

describe('reading a path where nothing is', () => {
  const files = { 'src/deep/a.ts': '', 'b/index.ts': '', 'c/index.ts': '', 'd.md': '' };

  it.each(['d.md#Part.name', 'd.md:name', 'd.md::Part::name'])(
    'searches the file of %s for the name',
    async (target) => {
      expect(await openSpace(files).call('read', { target })).toContain('Try: <Grep:name path=d.md>');
    },
  );

  it('says that a tag takes one file, and an edit one range of it, and shows how to go on', async () => {
    const space = openSpace({ ...files, 'e {x.md': '' });
    const edit = (target: string) => space.call('edit', { target, old: 'a', new: 'b' });
    expect(await edit('*/index.ts')).toBe(
      'FileNotFoundError: */index.ts is a pattern that matches 2 files: each tag takes one file.\nTry: <R:b/index.ts>\nTry: <R:c/index.ts>',
    );
    expect(await edit('*/none.ts')).toBe('FileNotFoundError: */none.ts does not exist.\nTry: <R:.>');
    expect(await edit('d.md:2-3,8')).toBe(
      'FileNotFoundError: d.md:2-3,8 does not exist: each edit takes one range of lines.\nTry: <R:d.md:2-3,8>',
    );
    expect(await edit('e {y.md')).toBe('FileNotFoundError: e {y.md. Did you mean e {x.md?\nTry: <R:e {x.md>');
  });

  it('shows several parts of a file, as the tag of what is missing in a result names them', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);
    const space = openSpace({ 'd.md': `${lines.join('\n')}\n`, 'long.txt': `${'word '.repeat(12)}\n`.repeat(900) });
    expect(await space.call('read', { target: 'd.md:2-3, 8,11-' })).toBe(
      '2|line 2\n3|line 3\n8|line 8\n11|line 11\n12|line 12',
    );
    const forCode = await space.output('read', { target: 'd.md:2-3,8' }, { fromCode: true });
    expect(await forCode.whole!()).toBe('line 2\nline 3\nline 8\n');
    const ranges = 'long.txt:1-90,100-190,200-290,300-390,400-490';
    const allForCode = await space.output('read', { target: ranges }, { fromCode: true });
    expect(await allForCode.whole!()).toHaveLength((5 * 91 - 1) * 'word '.repeat(12).concat('\n').length);
    const tooMany = `long.txt:${'1-900,'.repeat(199)}1`;
    const tooLong = await space.output('read', { target: tooMany }, { fromCode: true });
    await expect(tooLong.whole!()).rejects.toThrow('more than 8388608 characters together');
    const long = await space.call('read', { target: ranges });
    expect(long).toMatch(/\n290\|[^\n]*\n\[next: <R:long\.txt:300-390,400-490>\]$/);
    expect(await space.call('read', { target: 'd.md:2-3,80-90' })).toContain('RangeError: d.md has 12 lines');
    expect(await space.call('read', { target: 'none.md:2-3,8' })).toContain('FileNotFoundError: none.md:2-3,8');
  });

  it('shows the only file that ends with the path, and says so', async () => {
    const space = openSpace({ 'src/deep/a.ts': 'one\ntwo\nthree\n', 'src/b.ts': '', 'lib/b.ts': '' });
    const note = (path: string) => `${path} does not exist; this is src/deep/a.ts:\n`;
    expect(await space.call('read', { target: 'a.ts' })).toBe(`${note('a.ts')}one\ntwo\nthree\n`);
    expect(await space.call('read', { target: './deep/a.ts' })).toBe(`${note('./deep/a.ts')}one\ntwo\nthree\n`);
    const lines = { range: [2, 3], argument: 'a.ts:2-3' } as const;
    expect(await space.call('read', { target: 'a.ts' }, lines)).toBe(`${note('a.ts')}2|two\n3|three`);
    expect(await space.call('read', { target: 'b.ts' })).toContain('2 files have that name.');
    expect(await space.call('read', { target: 'deep' })).toContain('FileNotFoundError: deep');
  });

  it('gives code the error: it may try many paths', async () => {
    const space = openSpace({ 'src/a.ts': 'one\n' });
    await expect(space.output('read', { target: 'a.ts' }, { fromCode: true })).rejects.toThrow('a.ts');
  });

  it('suggests the files of that name in other folders, with the lines that were asked for', async () => {
    const space = openSpace(files);
    const read = (target: string) => space.call('read', { target });
    expect(await read('wrong/a.ts')).toBe('FileNotFoundError: wrong/a.ts does not exist.\nTry: <R:src/deep/a.ts>');
    expect(await read('lib/index.ts')).toBe(
      'FileNotFoundError: lib/index.ts does not exist. 2 files have that name.\nTry: <R:b/index.ts>\nTry: <R:c/index.ts>',
    );
    expect(await read('packages/c/index.ts')).toBe(
      'FileNotFoundError: packages/c/index.ts does not exist.\nTry: <R:c/index.ts>',
    );
    expect(await read('zzz.ts')).toContain('Try: <R:.>');
  });

  it('suggests each of several paths', async () => {
    expect(await openSpace(files).call('read', { target: 'd.md, b/index.ts' })).toContain(
      'Try: <R:d.md>\nTry: <R:b/index.ts>',
    );
  });
});

describe('reading a file', () => {
  it('shows a file that fits one page as it is', async () => {
    const space = openSpace({ 'a.txt': '\ufeffa\r\n\nb', 'empty.txt': '' });
    expect(await space.output('read', { target: 'a.txt' })).toEqual({
      text: '\ufeffa\r\n\nb',
      format: 'code',
      paged: true,
    });
    expect(await space.call('read', { target: 'empty.txt' })).toBe('(empty file)');
  });

  it('shows whole lines up to the window, and the tag for the next ones', async () => {
    const space = openSpace({ 'a.txt': numbered(1, 513, () => 'x'.repeat(44)) });
    const first = await space.call('read', { target: 'a.txt' });
    expect(first.split('\n').slice(-2)).toEqual([
      `88|${'x'.repeat(44)}`,
      '[lines 1-88 of 513; next: <R:a.txt:89-354>]',
    ]);
    const second = await space.call('read', { target: 'a.txt' }, { range: [89, 176] });
    expect(second.split('\n').slice(-2)).toEqual([
      `176|${'x'.repeat(44)}`,
      '[lines 89-176 of 513; next: <R:a.txt:177-513>]',
    ]);
    const last = await space.call('read', { target: 'a.txt' }, { range: [441, 513] });
    expect(last.split('\n').at(-1)).toBe(`513|${'x'.repeat(44)}`);
  });

  it('shows a few lines more than the window rather than leaving them for another page', async () => {
    const space = openSpace({
      'a.txt': numbered(1, 500, () => 'x'.repeat(99)),
      'b.txt': 'y'.repeat(99).concat('\n').repeat(48),
    });
    const range = await space.call('read', { target: 'a.txt' }, { range: [10, 58] });
    expect(range.split('\n').at(-1)).toBe(`58|${'x'.repeat(99)}`);
    const whole = await space.call('read', { target: 'b.txt' });
    expect(whole.split('\n').at(-1)).toBe(`48|${'y'.repeat(99)}`);
    const next = await space.call('read', { target: 'a.txt' }, { range: [420, null] });
    expect(next.split('\n').at(-1)).toBe('[lines 420-459 of 500; next: <R:a.txt:460-500>]');
  });

  it('shows the beginning of lines so long that the others that were asked for would not fit', async () => {
    const lines = Array.from({ length: 70 }, (_, n) => (n % 20 === 6 ? 'd'.repeat(6232) : `line ${n + 1}`));
    const space = openSpace({ 'a.json': lines.join('\n') });
    const shown = (await space.call('read', { target: 'a.json' }, { range: [1, 70] })).split('\n');
    expect(shown).toHaveLength(70);
    expect(shown[6]).toBe(`7|${'d'.repeat(240)} … [6232 characters: <R:a.json:7@1>]`);
    expect(shown[69]).toBe('70|line 70');
    expect((await space.call('read', { target: 'a.json' }, { range: [7, 7] })).split('\n')[0]).toBe('d'.repeat(4000));
  });

  it('shows up to four windows of a range at once, and one of a whole file', async () => {
    const space = openSpace({ 'a.txt': numbered(1, 500, () => 'x'.repeat(99)) });
    const whole = await space.call('read', { target: 'a.txt' }, { range: [10, 120] });
    expect(whole.split('\n').length).toBe(111);
    expect(whole.split('\n').at(-1)).toBe(`120|${'x'.repeat(99)}`);
    const first = await space.call('read', { target: 'a.txt' }, { range: [10, 400] });
    expect(first.split('\n').at(-1)).toBe('[lines 10-169 of 500; next: <R:a.txt:170-329>]');
    const open = await space.call('read', { target: 'a.txt' }, { range: [40, null] });
    expect(open.split('\n').at(-1)).toBe('[lines 40-79 of 500; next: <R:a.txt:80-239>]');
  });

  it('reads to the end, and a single line', async () => {
    const space = openSpace({ 'a.txt': numbered(1, 3) });
    expect(await space.call('read', { target: 'a.txt' }, { range: [2, null] })).toBe('2|line 2\n3|line 3');
    expect(await space.call('read', { target: 'a.txt' }, { range: [2, 2] })).toBe('2|line 2');
    expect(await space.call('read', { target: 'a.txt' }, { range: [3, 5] })).toBe('3|line 3\n[line 3; file has 3]');
  });

  it('shows a file of up to three pages at once, and begins with one page of a longer one', async () => {
    const line = `${'x'.repeat(49)}\n`;
    const space = openSpace({ 'whole.txt': line.repeat(239), 'long.txt': line.repeat(300) });
    const whole = await space.call('read', { target: 'whole.txt' });
    expect(whole).toMatch(/\n239\|x+$/);
    expect(whole).not.toContain('next:');
    expect(await space.call('read', { target: 'long.txt' })).toMatch(
      /\n\[lines 1-80 of 300; next: <R:long\.txt:81-300>\]$/,
    );
  });

  describe('of code or Markdown that goes on after the first page', () => {
    const filler = numbered(1, 1200, (n) => `  call(${n});`);
    const code = `start();\n${filler}class A {\n  find(key) {\n${filler}`;

    it('shows what is declared below, at which lines', async () => {
      const space = openSpace({ 'a.ts': code, 'b.md': `${filler}## Second\n` });
      const result = await space.call('read', { target: 'a.ts' });
      const [, first = '', last = ''] = /\n\[lines 1-(\d+) of 2403; next: <R:a\.ts:(\d+)-\d+>\]$/.exec(result)!;
      expect(Number(last)).toBe(Number(first) + 1);
      expect(result.split('\n').slice(-5, -1)).toEqual([
        `${first}|  call(${Number(first) - 1});`,
        `… lines ${last}-2403:`,
        '1202|class A {',
        '1203|  find(key) {',
      ]);
      expect(await space.call('read', { target: 'b.md' })).toContain('-1201:\n1201|## Second\n[lines 1-');
    });

    it('says when there is more than it shows', async () => {
      const many = numbered(1, 300, (n) => `export function doSomething${n}(first: string): void {}`);
      expect(await openSpace({ 'a.ts': many }).call('read', { target: 'a.ts' })).toMatch(
        /\n… lines \d+-300, among others:\n(\d+)\|export function doSomething\d+\(…\n/,
      );
    });

    it('leaves it out on other pages, in other files, in large ones, and for code', async () => {
      const files = { 'a.ts': code, 'a.txt': code, 'a.json': code, 'none.ts': filler, 'large.ts': filler.repeat(70) };
      const space = openSpace(files);
      for (const target of ['a.txt', 'a.json', 'none.ts', 'large.ts'])
        expect(await space.call('read', { target })).not.toContain('…');
      expect(await space.call('read', { target: 'a.ts' }, { range: [1, 400], argument: 'a.ts:1-400' })).not.toContain(
        '…',
      );
      expect((await space.output('read', { target: 'a.ts' }, { fromCode: true })).text).not.toContain('…');
    });
  });

  it('pages within a line that is longer than the window', async () => {
    const space = openSpace({ 'a.min.js': `${'0123456789'.repeat(1000)}\nend\n` });
    const first = await space.call('read', { target: 'a.min.js' });
    expect(first.split('\n')).toEqual([
      '0123456789'.repeat(400),
      '[line 1 of 2, characters 1-4000 of 10000; next: <R:a.min.js:1@4001>]',
    ]);
    const second = await space.call('read', { target: 'a.min.js:1@4001' });
    expect(second.split('\n')[1]).toBe('[line 1 of 2, characters 4001-8000 of 10000; next: <R:a.min.js:1@8001>]');
    const third = await space.call('read', { target: 'a.min.js:1@8001' });
    expect(third.split('\n')).toEqual([
      '0123456789'.repeat(200),
      '[line 1 of 2, characters 8001-10000 of 10000; next: <R:a.min.js:2>]',
    ]);
  });

  it('refuses what lies after the end', async () => {
    const space = openSpace({ 'a.txt': numbered(1, 3), 'empty.txt': '' });
    expect(await space.call('read', { target: 'a.txt' }, { range: [10, 20] })).toBe(
      'RangeError: a.txt has 3 lines; asked for 10-20.\nTry: <R:a.txt:1-3>',
    );
    expect(await space.call('read', { target: 'a.txt' }, { range: [10, 10] })).toContain('has 3 lines; asked for 10.');
    expect(await space.call('read', { target: 'a.txt' }, { range: [10, null] })).toContain(
      'has 3 lines; asked for 10-.',
    );
    expect(await space.call('read', { target: 'a.txt:1@99' })).toBe(
      'RangeError: line 1 of a.txt has 6 characters; asked for character 99.\nTry: <R:a.txt:1@1>',
    );
    expect(await space.call('read', { target: 'empty.txt' }, { range: [1, 3] })).toBe(
      'RangeError: empty.txt has 0 lines; asked for 1-3.\nTry: <R:empty.txt>',
    );
  });

  it('prefers a name that exists to its reading as a range', async () => {
    const space = openSpace({ 'log:1-2': 'whole\n', log: 'a\nb\n', 'x:1@2': 'odd\n', x: 'abc\n' });
    const range = [1, 2] as const;
    expect(await space.call('read', { target: 'log' }, { range, argument: 'log:1-2' })).toBe('whole\n');
    expect(await space.call('read', { target: 'log' }, { range, argument: 'log:1:2' })).toBe('1|a\n2|b');
    expect(await space.call('read', { target: 'x:1@2' })).toBe('odd\n');
  });

  it('refuses a binary file', async () => {
    const space = openSpace({ 'logo.png': new Uint8Array(12 * 1024) });
    expect(await space.call('read', { target: 'logo.png' })).toBe(
      'BinaryFileError: logo.png is binary (12 KB).\nTry: <R:.>',
    );
    expect(await space.call('read', { target: 'logo.png' }, { range: [1, 2] })).toContain('BinaryFileError');
  });

  it('suggests a sibling of what is missing', async () => {
    const space = openSpace({ 'src/main.py': '' });
    expect(await space.call('read', { target: 'src/mian.pi' })).toBe(
      'FileNotFoundError: src/mian.pi. Did you mean src/main.py?\nTry: <R:src/main.py>',
    );
  });

  const followPages = async (numRuns: number) => {
    const space = openSpace();
    const line = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.string({ unit: fc.constantFrom('a', '|', ' ', '漢', '😀', '\t', '['), maxLength: 400 }),
      },
      { weight: 1, arbitrary: fc.integer({ min: 3990, max: 9000 }).map((length) => 'z'.repeat(length)) },
      { weight: 1, arbitrary: fc.integer({ min: 1990, max: 4100 }).map((length) => '😀'.repeat(length)) },
    );
    const text = fc.tuple(fc.array(line, { maxLength: 60 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
      .map(([lines, ending, ended]) => lines.join(ending) + (ended ? ending : ''))
      .filter((text) => text !== ''); // prettier-ignore
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        await space.call('write', { target: 'a.txt', content: text }, { block: false });
        expect(await readAll(space)).toBe(text);
      }),
      { numRuns },
    );
  };

  it('gives every file back exactly when its pages are followed', () => followPages(10));
  it('gives every file back exactly when its pages are followed, 60 times', { tags: ['long'] }, () => followPages(60));
});

describe('reading a folder', () => {
  it('lists its entries', async () => {
    const space = openSpace({ 'src/b.ts': '', 'src/a/x': '' });
    expect(await space.output('read', { target: 'src' })).toEqual({ text: 'a/\nb.ts', format: 'plain', rows: 2 });
    expect(await space.call('read', { target: 'src' }, { range: [1, 2], argument: 'src:1-2' })).toBe('a/\nb.ts');
  });

  it('stops after 100 entries', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, n) => [`d/f${String(n).padStart(3, '0')}.ts`, '']),
    );
    const output = await openSpace({ ...files, 'd/x.md': '' }).output('read', { target: 'd' });
    expect(output.text.split('\n').slice(-2)).toEqual(['f099.ts', '... 21 more (121 total). Narrow: <G:d/*.ts>']);
    expect(output.rows).toBe(121);
  });

  it('shows that it is empty', async () => {
    expect(await openSpace().call('read', { target: '.' })).toBe('(empty folder)');
  });
});
