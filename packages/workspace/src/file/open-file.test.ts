import { appendFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openContent } from './file-content.ts';
import { resolveGivenPath } from '../path/resolve-path.ts';
import { RootFolder } from '../path/root-folder.ts';

const SMALL = 64 * 1024;
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

describe('the content of a file', () => {
  it.each([0, 1, 4096, SMALL - 1, SMALL, SMALL + 1, 16 * 1024, 16 * 1024 + 1, 600_000])(
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
    const { folder, root } = rootOf({ 'small.txt': 'one', 'large.txt': letters(SMALL + 1) });
    using small = resolveGivenPath('small.txt', root);
    using large = resolveGivenPath('large.txt', root);
    for (const name of ['small.txt', 'large.txt']) appendFileSync(join(folder, name), ' more');
    await using first = await openContent(small);
    await using second = await openContent(large);
    expect(await textFrom(first.chunks())).toBe('one');
    expect(await textFrom(second.chunks())).toBe(`${letters(SMALL + 1)} more`);
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
