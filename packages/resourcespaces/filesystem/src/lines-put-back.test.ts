import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSpace, type OpenSpace } from '../test/open-space.ts';

type Range = readonly [first: number, last: number | null];

/** Lines as code gets them. */
async function linesOf(space: OpenSpace, range: Range): Promise<string> {
  const { text, whole } = await space.output('read', { target: 'f' }, { range, fromCode: true });
  return ((await whole?.()) as string | undefined) ?? text;
}

/** Puts lines in the place of others, as code does. */
async function put(space: OpenSpace, range: Range, content: string): Promise<string> {
  await space.read('f');
  return space.call('edit', { target: 'f', content }, { range, fromCode: true, block: false });
}

const MIXED = fc.constantFrom('\n', '\r\n');
const LINE = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '\r', '\u2028'), maxLength: 3 });
const FILE = fc
  .record({
    mark: fc.constantFrom('', '\ufeff'),
    blanksBefore: fc.nat(2),
    lines: fc.array(LINE, { maxLength: 5 }),
    blanksAfter: fc.nat(2),
    ending: fc.constantFrom(fc.constant('\n'), fc.constant('\r\n'), MIXED),
    last: fc.constantFrom('', 'end', 'end\r'),
  })
  .chain(({ mark, blanksBefore, lines, blanksAfter, ending, last }) => {
    const all = [...Array<string>(blanksBefore).fill(''), ...lines, ...Array<string>(blanksAfter).fill('')];
    const ended = fc.tuple(...all.map((line) => ending.map((one) => line + one)));
    return ended.map((texts) => mark + texts.join('') + last);
  });

describe('lines that code has read', () => {
  const putLinesBack = async (numRuns: number) => {
    const space = openSpace({ f: '' });
    await fc.assert(
      fc.asyncProperty(FILE, fc.nat(), fc.nat(), fc.boolean(), async (text, a, b, isOpen) => {
        const total = text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0);
        fc.pre(total > 0);
        const [first, last] = [(a % total) + 1, (b % total) + 1].toSorted((x, y) => x - y) as [number, number];
        const range = [first, isOpen ? null : last] as const;
        writeFileSync(join(space.folder, 'f'), text);
        expect(await put(space, range, await linesOf(space, range))).not.toContain('Error');
        expect(space.content('f')).toBe(text);
      }),
      { numRuns },
    );
  };

  it('can be put back, and leave the file as it is', () => putLinesBack(30));
  it('can be put back, and leave the file as it is, 300 times', { tags: ['long'] }, () => putLinesBack(300));

  it.each([
    ['an empty line', 'a\nb\nc\n', [2, 2], '\n', 'a\n\nc\n'],
    ['an empty line in CRLF', 'a\r\nb\r\nc\r\n', [2, 2], '\n', 'a\r\n\r\nc\r\n'],
    ['an empty line at an end without a line break', 'a\nb', [2, 2], '\n', 'a\n\n'],
    ['an empty line after the last one', 'a\n', [2, 2], '\n', 'a\n\n'],
    ['nothing', 'a\nb\nc\n', [2, 2], '', 'a\nc\n'],
    ['a line without its line break', 'a\nb\nc\n', [2, 2], 'x', 'a\nx\nc\n'],
    ['a line with its line break', 'a\nb\nc\n', [2, 2], 'x\n', 'a\nx\nc\n'],
    ['a line and an empty one', 'a\nb\nc\n', [2, 2], 'x\n\n', 'a\nx\n\nc\n'],
    ['LF in CRLF', 'a\r\nb\r\nc\r\n', [1, 2], 'x\ny\n', 'x\r\ny\r\nc\r\n'],
    ['CRLF in LF', 'a\nb\nc\n', [1, 2], 'x\r\ny\r\n', 'x\ny\nc\n'],
    ['lines divided at line feeds, in CRLF', 'a\r\nb\r\nc\r\n', [1, 2], 'x\r\ny\r', 'x\r\ny\r\nc\r\n'],
    ['mixed lines without one of them', 'a\r\nb\nc\r\n', [1, 3], 'b\nc\r\n', 'b\nc\r\n'],
    ['mixed lines without the last of them', 'a\r\nb\nc\r\n', [1, 3], 'a\r\nb\n', 'a\r\nb\n'],
    ['lines after the last one', 'a\r\n', [2, 2], 'x\ny\n', 'a\r\nx\r\ny\r\n'],
    ['lines divided at line feeds after the last one, in CRLF', 'a\r\n', [2, 2], 'x\r', 'a\r\nx\r\n'],
    ['a line for one without a line break', 'a\nb', [2, 2], 'x\n', 'a\nx'],
  ] as const)('can be %s', async (_what, text, range, content, expected) => {
    const space = openSpace({ f: text });
    expect(await put(space, range, content)).not.toContain('Error');
    expect(space.content('f')).toBe(expected);
  });
});

describe('lines between tags', () => {
  it.each([
    ['a block', true, '', 'a\nc\n'],
    ['a block', true, '\n', 'a\n\n\nc\n'],
    ['a block', true, 'x\n', 'a\nx\n\nc\n'],
    ['a text', false, '\n', 'a\n\nc\n'],
    ['a text', false, 'x\n', 'a\nx\nc\n'],
    ['a text', false, 'x\n\n', 'a\nx\n\nc\n'],
  ] as const)('are separated by line breaks in %s (block %j): %j', async (_what, block, content, expected) => {
    const space = openSpace({ f: 'a\nb\nc\n' });
    await space.read('f');
    await space.call('edit', { target: 'f', content }, { range: [2, 2], block });
    expect(space.content('f')).toBe(expected);
  });

  it('have no half of a line break at their end', async () => {
    const space = openSpace({ f: 'a\r\nb\r\n' });
    await space.read('f');
    await space.call('edit', { target: 'f', content: 'x\r' }, { range: [2, 2], block: true });
    expect(space.content('f')).toBe('a\r\nx\r\r\n');
  });

  it('end as the first of those that they replace, and the last one as the last', async () => {
    const space = openSpace({ f: 'a\r\nb\nc\n' });
    await space.read('f');
    await space.call('edit', { target: 'f', content: 'x\ny\nz' }, { range: [1, 3] });
    expect(space.content('f')).toBe('x\r\ny\r\nz\n');
  });
});
