import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getPageLength } from '../text-size/text-size.ts';
import { ResourceError } from '../errors/bae-error.ts';
import type { FindLines, ResultStore } from '../protocol/tool-result.ts';
import { createMemoryResults, isResultAddress, parseResultAddress, readResult, searchResult } from './kept-results.ts';

const kept = (text: string) => {
  const store = createMemoryResults();
  store.keep(text);
  return store;
};
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
const read = (text: string, address: string) => readResult(kept(text), address).text;
const lastLine = (text: string) => text.slice(text.lastIndexOf('\n') + 1);

describe('parseResultAddress', () => {
  it.each([
    ['result:12', { ref: 'result:12' }],
    ['  result:12 ', { ref: 'result:12' }],
    ['result:12:88-174', { ref: 'result:12', line: 88, lastLine: 174 }],
    ['result:12:88:174', { ref: 'result:12', line: 88, lastLine: 174 }],
    ['result:12:88', { ref: 'result:12', line: 88, lastLine: 88 }],
    ['result:12:88-', { ref: 'result:12', line: 88, lastLine: Infinity }],
    [
      'result:12:3-9,20',
      {
        ref: 'result:12',
        ranges: [
          { first: 3, last: 9 },
          { first: 20, last: 20 },
        ],
      },
    ],
    ['result:12:1@4001', { ref: 'result:12', line: 1, character: 4001 }],
  ])('reads %j', (argument, address) => {
    expect(parseResultAddress(argument)).toEqual(address);
  });

  it.each([
    ['result:12:0-5', 'line range must be 1 ≤ first ≤ last (got 0-5).'],
    ['result:12:9-3', 'line range must be 1 ≤ first ≤ last (got 9-3).'],
    ['result:12:3-5,9-7', 'line range must be 1 ≤ first ≤ last (got 3-5,9-7).'],
    ['result:12:0', 'line range must be 1 ≤ first ≤ last (got 0).'],
    ['result:12:1@0', 'lines and characters count from 1 (got 1@0).'],
    ['result:12:0@1', 'lines and characters count from 1 (got 0@1).'],
    ['result:12:-0', 'the number of last lines must be at least 1 (got -0).'],
  ])('refuses %j and shows how to start over', (argument, message) => {
    expect(() => parseResultAddress(argument)).toThrow(
      expect.objectContaining({ name: 'ParameterError', message, hints: ['<R:result:12>'] }),
    );
  });

  it.each(['result:', 'result:x', 'result:12:abc', 'result:12:5-6-7', 'result:-1', 'other:12'])(
    'refuses %j',
    (argument) => {
      expect(() => parseResultAddress(argument)).toThrow(
        `'${argument}' is not the address of a kept result. Write result:NUMBER, result:NUMBER:FIRST-LAST for some of its lines, or result:NUMBER:-50 for the last.`,
      );
    },
  );
});

describe('isResultAddress', () => {
  it('is true for all that begins like a handle, well written or not', () => {
    expect(['result:1', ' result:1:2-3', 'result:x'].map(isResultAddress)).toEqual([true, true, true]);
    expect(['results', 'src/result:1', 'result', ''].map(isResultAddress)).toEqual([false, false, false, false]);
  });
});

describe('readResult', () => {
  it.each(['', 'a', 'a\n', '\n\n', 'a\r\nb\r\n', lines(1000), 'x'.repeat(12_000)])(
    'gives %j as it is, because it fits three pages',
    (text) => {
      expect(readResult(kept(text), 'result:1')).toEqual({ text, format: 'plain', paged: true });
    },
  );

  it('gives a long text in pages that name the next one', () => {
    const text = lines(3000);
    const first = readResult(kept(text), 'result:1');
    expect(lastLine(first.text)).toBe('[lines 1-456 of 3000; next: <R:result:1:457-2110>]');
    expect(first).toMatchObject({ format: 'plain', paged: true, hint: 'lines 1-456 of 3000' });
    expect(read(text, 'result:1:457-2110').startsWith('line 457\nline 458\n')).toBe(true);
    expect(lastLine(read(text, 'result:1:457-2110'))).toBe('[lines 457-2110 of 3000; next: <R:result:1:2111-3000>]');
    expect(read(text, 'result:1:2998-3000')).toBe('line 2998\nline 2999\nline 3000\n[lines 2998-3000 of 3000]');
  });

  it('does not count the line break that ends the text as a line', () => {
    expect(lastLine(read(`${lines(1000)}\n`, 'result:1:999-1000'))).toBe('[lines 999-1000 of 1000]');
  });

  it('reads one line, a range to the end, and a range written with colons', () => {
    const text = lines(1000);
    expect(read(text, 'result:1:7')).toBe('line 7\n[lines 7-7 of 1000; next: <R:result:1:8-1000>]');
    expect(read(text, 'result:1:999-')).toBe('line 999\nline 1000\n[lines 999-1000 of 1000]');
    expect(read(text, ' result:1:3:4 ').startsWith('line 3\nline 4\n[lines 3-4 of 1000; ')).toBe(true);
  });

  it('reads what there is of a range that goes past the end', () => {
    expect(read(lines(9), 'result:1:8-20')).toBe('line 8\nline 9\n[lines 8-9 of 9]');
  });

  it('reads several ranges, and goes on with those that do not fit', () => {
    expect(read(lines(9), 'result:1:2-3,7')).toBe('line 2\nline 3\nline 7\n[3 of 9 lines]');
    const first = read(lines(9000), 'result:1:2-3,7-4000,5000');
    const [, next = ''] = /next: <R:(.*)>\]$/.exec(first)!;
    expect(next).toMatch(/^result:1:\d+-4000,5000$/);
    expect(first).toContain(`\nline ${Number(/:(\d+)-/.exec(next)![1]) - 1}\n[`);
    expect(() => read(lines(9), 'result:1:2-3,10')).toThrow('result:1 has 9 lines; asked for line 10.');
  });

  it('shows four pages of a wider range, and of the last lines', () => {
    expect(lastLine(read(lines(3000), 'result:1:1-3000'))).toBe('[lines 1-1710 of 3000; next: <R:result:1:1711-3000>]');
    expect(lastLine(read(lines(3000), 'result:1:-2000'))).toBe(
      '[lines 1001-2600 of 3000; next: <R:result:1:2601-3000>]',
    );
  });

  it('shows one page of characters that are many tokens', () => {
    const text = '龘龘龘龘\n'.repeat(3000);
    expect(read(text, 'result:1').length).toBeLessThan(4100);
    expect(read(text, 'result:1:1-3000').length).toBeLessThan(4100);
  });

  it('gives lines that are longer than a page in parts', () => {
    const text = `short\n${'x'.repeat(19_000)}\nend`;
    expect(read(text, 'result:1')).toBe('short\n[lines 1-1 of 3; next: <R:result:1:2@1>]');
    const part = (length: number) =>
      `${'x'.repeat(length)}\n[line 2 of 3, characters 1-${length} of 19000; next: <R:result:1:2@${length + 1}>]`;
    expect(read(text, 'result:1:2@1')).toBe(part(4000));
    expect(read(text, 'result:1:2-3')).toBe(part(16_000));
    expect(read(text, 'result:1:2@18001')).toBe(
      `${'x'.repeat(1000)}\n[line 2 of 3, characters 18001-19000 of 19000; next: <R:result:1:3-3>]`,
    );
  });

  it('moves back to the beginning of a character that an address points into', () => {
    expect(read('😀'.repeat(3000), 'result:1:1@5998')).toBe('😀😀\n[line 1 of 1, characters 5997-6000 of 6000]');
  });

  it('gives pages as long as the answer limit allows', () => {
    const text = lines(4000);
    const bodyLength = (limit?: number) => {
      const page = readResult(kept(text), 'result:1', limit).text;
      return page.slice(0, page.lastIndexOf('\n')).length;
    };
    expect([bodyLength(50), bodyLength(), bodyLength(1000)].map((length) => Math.ceil(length / 100))).toEqual([
      4, 40, 80,
    ]);
  });
});

describe('readResult, for what is not there', () => {
  it('names the latest handles', () => {
    const store = createMemoryResults();
    for (let count = 0; count < 7; count++) store.keep('text');
    expect(() => readResult(store, 'result:12')).toThrow(
      expect.objectContaining({
        name: 'ResourceError',
        message: "no kept result 'result:12'. The latest are result:7, result:6, result:5, result:4, result:3.",
        hints: ['<R:result:7>'],
      }),
    );
  });

  it('explains when results are kept, if there is none or the store cannot list them', () => {
    const silent: ResultStore = { keep: () => 'result:1', get: () => undefined };
    for (const store of [createMemoryResults(), silent]) {
      expect(() => readResult(store, 'result:1')).toThrow(
        "no kept result 'result:1'. A result is kept when it was pruned, and its last line names the handle.",
      );
    }
  });

  it('names the number of lines, or of characters', () => {
    expect(() => read(lines(9), 'result:1:10-12')).toThrow('result:1 has 9 lines; asked for line 10.');
    expect(() => read('one', 'result:1:2')).toThrow('result:1 has 1 line; asked for line 2.');
    expect(() => read('one', 'result:1:1@4')).toThrow('line 1 of result:1 has 3 characters; asked for character 4.');
  });
});

describe('the last lines of a kept text', () => {
  const text = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join('\n');

  it('are read by their number', () => {
    expect(read(text, 'result:1:-3').split('\n')).toEqual([
      'line 198',
      'line 199',
      'line 200',
      '[lines 198-200 of 200]',
    ]);
  });

  it('are all lines of a shorter text', () => {
    expect(read('a\nb', 'result:1:-50')).toBe('a\nb');
  });
});

describe('searchResult', () => {
  const text = ['all good', 'Error: no such file', 'warning: old', 'at foo (a.ts:3)', 'error TS2304: x'].join('\n');
  const { signal } = new AbortController();
  const search = (pattern: string, address = 'result:1', findLines?: FindLines) =>
    searchResult({ results: kept(text), findLines }, { address, pattern, signal, inCode: false });

  it('finds lines with their addresses, in both cases when the pattern has no capital', async () => {
    expect(await search('error')).toMatchObject({
      text: 'result:1:2: Error: no such file\nresult:1:5: error TS2304: x',
      rows: 2,
    });
    expect(await search('Error')).toMatchObject({ rows: 1 });
  });

  it('takes | for alternatives and .* for any text', async () => {
    expect((await search('warning|at foo')).rows).toBe(2);
    expect((await search('error.*ts2304')).rows).toBe(1);
    expect((await search('ts2304.*error')).rows).toBe(0);
    expect((await search(String.raw`a\.ts`)).rows).toBe(1);
  });

  it('looks only at the lines that the address names', async () => {
    expect((await search('error', 'result:1:3-5')).text).toBe('result:1:5: error TS2304: x');
    expect((await search('error', 'result:1:1,2')).text).toBe('result:1:2: Error: no such file');
    expect((await search('error', 'result:1:-1')).text).toBe('result:1:5: error TS2304: x');
    expect((await search('error', 'result:1:3-4')).text).toMatch(/\nsearched 2 lines of result:1$/);
  });

  it('reports how it read a pattern that matches nothing', async () => {
    expect((await search('[Ee]rror')).text).toBe(
      '(no matches for the whole text "[Ee]rror"; | separates alternatives, .* stands for any text)\nsearched 5 lines of result:1',
    );
  });

  it('refuses an empty pattern and an unknown handle', async () => {
    await expect(search(' ')).rejects.toThrow('pattern: expected text to look for.');
    await expect(search('x', 'result:7')).rejects.toThrow("no kept result 'result:7'");
  });

  it('searches with the engine of files if there is one, and suggests what it suggests for the result', async () => {
    const asked: unknown[] = [];
    const findLines: FindLines = async (_, { argument }) => {
      asked.push(argument);
      if (argument === '(?=x)') throw new ResourceError('not supported', ['<Grep:x>']);
      return { lines: argument === 'none' ? [] : [4], none: '(nothing)' };
    };
    expect((await search('[a-f]oo', 'result:1', findLines)).text).toBe('result:1:4: at foo (a.ts:3)');
    expect((await search('none', 'result:1', findLines)).text).toBe('(nothing)\nsearched 5 lines of result:1');
    await expect(search('(?=x)', 'result:1:2-9', findLines)).rejects.toMatchObject({
      hints: ['<Grep:x in=result:1:2-9>'],
    });
    expect(asked).toEqual(['[a-f]oo', 'none', '(?=x)']);
  });

  it('takes time in proportion to the text, whatever the pattern', async () => {
    const results = kept(`${'a'.repeat(500_000)}b`);
    const found = await searchResult(
      { results },
      { address: 'result:1', pattern: `${'a.*'.repeat(200)}c`, signal, inCode: false },
    );
    expect(found.rows).toBe(0);
  });
});

describe('the pages of any text', () => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
    { weight: 3, arbitrary: fc.constantFrom('\n', '\r\n', '\r', '\n\n\n', '😀', '\u2028', '[lines 1-2 of 3]') },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('x', '😀', '\n', 'word\n', 'a😀'), fc.integer({ min: 1, max: 9000 }))
        .map(([unit, count]) => unit.repeat(count)),
    },
  );
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

  it('are the text, byte for byte, within the size of four pages', () => {
    const property = fc.property(text, (whole) => {
      const { pages, joined } = follow(whole);
      expect(joined === whole).toBe(true);
      for (const body of pages) expect(body.length).toBeLessThanOrEqual(getPageLength() * 4.4);
      if (whole.isWellFormed()) expect(pages.every((body) => body.isWellFormed())).toBe(true);
    });
    fc.assert(property);
  });

  it.each([
    ['one line', 'x'.repeat(1_000_000)],
    ['one line of astral characters', `a${'😀'.repeat(300_000)}`],
    ['empty lines', '\n'.repeat(100_000)],
    ['a line of exactly a page and its end', `${'x'.repeat(4000)}\n`],
  ])('are the text, for %s', (_what, whole) => {
    expect(follow(whole).joined === whole).toBe(true);
  });
});

/** Reads all pages by their `next:` tags. */
function follow(whole: string): { pages: readonly string[]; joined: string } {
  const store = kept(whole);
  const pages: string[] = [];
  let joined = '';
  for (let address: string | undefined = 'result:1'; address !== undefined;) {
    const page: string = readResult(store, address).text;
    if (page === whole) return { pages: [page], joined: page };
    const footer = lastLine(page);
    const body = page.slice(0, -footer.length - 1);
    const continues = /^result:1:\d+@(?!1$)/.test(address);
    joined += pages.length === 0 || continues ? body : `\n${body}`;
    pages.push(body);
    address = /; next: <R:(.+)>\]$/.exec(footer)?.[1];
  }
  return { pages, joined };
}

describe('createMemoryResults', () => {
  it('gives every text a handle of its own', () => {
    const store = createMemoryResults();
    expect([store.keep('a'), store.keep('b'), store.keep('a')]).toEqual(['result:1', 'result:2', 'result:3']);
    expect([store.get('result:1'), store.get('result:2'), store.get('result:3')]).toEqual(['a', 'b', 'a']);
    expect(store.handles?.()).toEqual(['result:1', 'result:2', 'result:3']);
  });

  it('has no text for a handle it did not give', () => {
    const store = createMemoryResults();
    expect(store.get('result:1')).toBeUndefined();
    expect(store.handles?.()).toEqual([]);
  });

  it('keeps an empty text', () => {
    const store = createMemoryResults();
    expect(store.get(store.keep(''))).toBe('');
  });
});
