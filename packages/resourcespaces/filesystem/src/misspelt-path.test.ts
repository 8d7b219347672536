import { describe, expect, it } from 'vitest';
import { openSpace } from '../test/open-space.ts';

const FILES = {
  'README.md': 'about it\n',
  'LICENSE.txt': 'free\n',
  'LICENSE.md': 'free\n',
  'tsconfig.json': '{}\n',
  'src/browser.js': 'one\ntwo\n',
  'src/node.js': 'node\n',
  'source/part1.ts': 'part\n',
  'source/util.ts': 'util\n',
  'source/utils.ts': 'utils\n',
  'source/ab.ts': 'ab\n',
  '.env.local': 'KEY=1\n',
};

const read = (target: string) => openSpace(FILES).call('read', { target });

describe('reading a path that is misspelt', () => {
  it.each([
    ['src/browse.js', 'src/browser.js', 'one\ntwo\n'],
    ['./src/brwoser.js', 'src/browser.js', 'one\ntwo\n'],
    ['scr/browser.js', 'src/browser.js', 'one\ntwo\n'],
    ['sorce/part1.ts', 'source/part1.ts', 'part\n'],
    ['tsconfig.jsno', 'tsconfig.json', '{}\n'],
    ['README', 'README.md', 'about it\n'],
    ['readme', 'README.md', 'about it\n'],
    ['readme.md', 'README.md', 'about it\n'],
  ])('shows the only file that is meant, and says so: %s', async (given, path, text) => {
    expect(await read(given)).toBe(`${given} does not exist; this is ${path}:\n${text}`);
  });

  it.each([
    ['LICENSE', 'two files'],
    ['source/utilz.ts', 'two files'],
    ['source/part2.ts', 'another number'],
    ['source/a.ts', 'a short name'],
    ['src/browser.ts', 'another ending'],
    ['scr/nodee.js', 'two slips'],
    ['sourc', 'a folder'],
    ['src/modules/node.js', 'a folder that is not there'],
    ['.env.loca', 'what may hold secrets'],
  ])('suggests what there is instead of %s: %s', async (given) => {
    expect(await read(given)).toMatch(/^FileNotFoundError: .*\n?Try: /);
  });

  it('gives code, and an edit, the error', async () => {
    const space = openSpace(FILES);
    const output = space.output('read', { target: 'src/browse.js' }, { fromCode: true });
    await expect(output).rejects.toThrow('Did you mean src/browser.js?');
    expect(await space.call('edit', { target: 'src/browse.js', old: 'one', new: 'two' })).toContain(
      'Did you mean src/browser.js?',
    );
  });
});
