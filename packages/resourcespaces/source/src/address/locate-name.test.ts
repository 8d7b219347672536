import { WorkspaceRoot } from '@bae/workspace';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { CodeBase, ModuleIndex } from '../modules/module-index.ts';
import { locateName } from './locate-name.ts';

const FILES = {
  'package.json': '{"name":"demo","workspaces":["packages/*"]}',
  'packages/url/package.json': '{"name":"@demo/url"}',
  'packages/url/src/reader.ts': 'export class Reader {\n  parse() {}\n  static json() {}\n}\n',
  'packages/url/src/writer.ts': 'export class Writer {\n  parse() {}\n}\n',
  'packages/url/src/parsers.cjs':
    'exports = module.exports = bodyParser;\nexports.json = 1;\nfunction bodyParser() {}\n',
  'packages/url/src/reader.test.ts': "it('reads what it gets', () => {\n  run();\n});\n",
};

const locate = (name: string, near = true) => {
  const root = new WorkspaceRoot(temporaryFolder(FILES));
  return locateName(new CodeBase(root, new ModuleIndex(root)), name, near);
};

it.each([
  ['Reader', 'url.reader.Reader'],
  ['Reader#parse', 'url.reader.Reader.parse'],
  ['bodyParser.json', 'url.parsers.json'],
  ['Reader.json', 'url.reader.Reader.json'],
  ['@demo/url', 'url'],
  ['reads what it gets', 'url.reader.test:1-3'],
  ['packages/url/src/reader.ts#Reader', 'url.reader.Reader'],
  // Reading lists the symbols of one name, shows the one that a misspelt name means, and says what a symbol has.
  ['parse', 'parse'],
  ['Raeder', 'Raeder'],
  ['Reader.nothing', 'Reader.nothing'],
])('%s is found', async (name, target) => {
  expect(await locate(name)).toEqual({ target, isExact: true });
  expect(await locate(name, name === 'Raeder')).toEqual({ target, isExact: true });
});

it('similar names are found only when they are asked for', async () => {
  expect(await locate('Readers2')).toEqual({ target: expect.any(String), isExact: false });
  expect(await locate('Readers2', false)).toBeUndefined();
});

it('paths of files are those of home, unless it suggests none', async () => {
  for (const path of ['reader.ts', 'url/raeder.ts']) {
    expect(await locate(path, false)).toBeUndefined();
    expect(await locate(path)).toBeDefined();
  }
  for (const path of ['reader.json', 'parsers.json', 'url.md', 'url/Reader.json'])
    expect(await locate(path)).toBeUndefined();
});
