import fc from 'fast-check';
import { appendFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { countLineFeeds, openContent } from './file-content.ts';
import { resolveGivenPath } from '../path/resolve-path.ts';
import { RootFolder } from '../path/root-folder.ts';

const SMALL = 128 * 1024;
const AT_ONCE = 1024 * 1024;
/** A line feed, and bytes that differ from it in one bit or by one. */
const NEAR = [10, 138, 11, 9, 8, 14, 2, 26, 42, 74, 0, 255];
const letters = (count: number): string => 'abcdefghij'.repeat(Math.ceil(count / 10)).slice(0, count);

function rootOf(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(files);
  const root = new RootFolder(folder);
  onTestFinished(() => root[Symbol.dispose]());
  return { folder, root };
}

async function textFrom(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += Buffer.from(piece).toString('latin1');
  return text;
}

describe('countLineFeeds', () => {
  it('counts them wherever they are, among bytes that are nearly the same', () => {
    const bytes = fc.uint8Array({ maxLength: 40 }).map((some) => some.map((byte) => NEAR[byte % NEAR.length]!));
    const property = fc.property(bytes, fc.nat(7), (some, offset) => {
      const part = some.subarray(Math.min(offset, some.length));
      expect(countLineFeeds(part)).toBe(part.filter((byte) => byte === 10).length);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});

describe('the content of a file', () => {
  it.each([0, 1, 4096, SMALL - 1, SMALL, SMALL + 1, 16 * 1024, 16 * 1024 + 1, AT_ONCE, AT_ONCE + 1])(
    'comes whole, and from any place on, at %i bytes',
    async (size) => {
      const { root } = rootOf({ 'a.txt': letters(size) });
      using place = resolveGivenPath('a.txt', root);
      await using content = await openContent(place);
      expect(await textFrom(content.chunks())).toBe(letters(size));
      for (const offset of [1, Math.floor(size / 2), size]) {
        expect(await textFrom(content.chunks(offset))).toBe(letters(size).slice(offset));
      }
    },
  );

  it('is what was there when it was looked at, or all that is there now', async () => {
    const { folder, root } = rootOf({ 'small.txt': 'one', 'large.txt': letters(AT_ONCE + 1) });
    using small = resolveGivenPath('small.txt', root);
    using large = resolveGivenPath('large.txt', root);
    for (const name of ['small.txt', 'large.txt']) appendFileSync(join(folder, name), ' more');
    await using first = await openContent(small);
    await using second = await openContent(large);
    expect(await textFrom(first.chunks())).toBe('one');
    expect((await textFrom(second.chunks())) === `${letters(AT_ONCE + 1)} more`).toBe(true);
  });

  it('is its own while others are read', async () => {
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(SMALL + 1));
    const { root } = rootOf(Object.fromEntries(texts.map((text, index) => [`${index}.txt`, text])));
    const open = async (name: string) => {
      using place = resolveGivenPath(name, root);
      return await openContent(place);
    };
    await (await open('0.txt'))[Symbol.asyncDispose]();
    await using second = await open('1.txt');
    await using third = await open('2.txt');
    expect((await textFrom(second.chunks())) === texts[1]).toBe(true);
    expect((await textFrom(third.chunks())) === texts[2]).toBe(true);
  });

  it('is refused for what is not a file', async () => {
    const { folder, root } = rootOf({ 'folder/a.txt': '' });
    symlinkSync('folder', join(folder, 'link'));
    for (const path of ['folder', 'link', '', 'missing']) {
      using place = resolveGivenPath(path, root);
      await expect(openContent(place)).rejects.toMatchObject({ name: 'FileError' });
    }
  });
});
