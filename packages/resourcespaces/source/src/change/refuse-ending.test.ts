import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

const FILES = { 'package.json': '{ "name": "shop" }', 'src/utils/url.ts': 'export const url = 1;\n' };
const USAGE =
  'Usage: write(target: string, overwrite: boolean = false, export: boolean = false, strict: boolean = false, test?: string, content: string)';
const isCode = (name: string, ending: string, tag: string) =>
  `ResourceError: '${name}' ends in .${ending}, and modules are named without ending (target: expected a new module).\n${USAGE}\nTry: ${tag}`;
const isNone = (name: string, tag: string) =>
  `ResourceError: '${name}' is the name of a file that is no code, and write makes modules (target: expected a new module).\n${USAGE}\nTry: ${tag}`;

describe('a new module that is called after a file', () => {
  it.each([
    ['utils.pathy.ts', isCode('utils.pathy.ts', 'ts', '<W:utils.pathy>…</W>')],
    ['app.jsx', isCode('app.jsx', 'jsx', '<W:app>…</W>')],
    ['utils.url.mjs', isCode('utils.url.mjs', 'mjs', '<R:utils.url>')],
    ['utils.url.test.ts', isCode('utils.url.test.ts', 'ts', '<W:utils.url.test>…</W>')],
    ['package.json', isNone('package.json', '<source.config.R:package>')],
    ['tsconfig.build.json', isNone('tsconfig.build.json', '<source.config.R:tsconfig.build>')],
    ['readme.md', isNone('readme.md', '@home()')],
    ['data.places.json', isNone('data.places.json', '@home()')],
  ])('is refused as %s', async (name, answer) => {
    const { write, send } = openSource(FILES);
    expect(await write(name, 'export const a = 1;')).toBe(answer);
    expect(await send('<G:**>')).toBe('utils.url');
  });

  it('is replaced when it is there', async () => {
    const { send, content } = openSource({ 'lang/ts.ts': '', 'lang.ts': '' });
    expect(await send('<W:lang.ts overwrite=true>\nexport const a = 1;\n</W>')).toContain('Replaced module');
    expect([content('lang/ts.ts'), content('lang.ts')].toSorted()).toEqual(['', 'export const a = 1;\n']);
  });
});

it('a path is answered with an address that has no ending', async () => {
  const { send } = openSource({ ...FILES, 'src/utils/old.js': '', 'src/utils/old.ts': '' });
  expect(await send('<R:utils/url.ts>')).toContain('\nTry: <R:utils.url>');
  expect(await send('<R:utils/url.js>')).toContain('\nTry: <R:utils.url>');
  expect(await send('<R:utils/old.js>')).toContain('\nTry: <R:utils.old.js>');
});
