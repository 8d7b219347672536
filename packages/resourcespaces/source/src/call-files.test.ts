import { asModelText } from '@bae/core';
import { expect, it } from 'vitest';
import { openSource } from '../test/open-source.ts';

const FILES = {
  'package.json': '{"workspaces": ["packages/*"]}',
  'packages/a/package.json': '{"name": "@scope/a"}',
  'packages/a/src/index.ts': "export * from './deep/one.ts';\n",
  'packages/a/src/deep/one.ts': 'export const one = 1;\n',
  'packages/a/src/deep/two.ts': "import { one } from './one.ts';\nexport const two = one + 1;\n",
  'packages/a/src/deep/one.test.ts': "import { it } from 'vitest';\nit('is one', () => {});\n",
};

it.each([
  ['<R:a>', ['packages/a', 'packages/a/src/index.ts']],
  ['<R:a.deep>', ['packages/a/src/deep']],
  ['<R:a.deep.one>', ['packages/a/src/deep/one.ts']],
  ['<R:two>', ['packages/a/src/deep/two.ts']],
  ['<Grep:one path=a.deep>', ['packages/a/src/deep']],
  ['<references:one>', ['packages/a/src/deep/one.ts']],
  ['<diagnostics:a.deep.one>', ['packages/a/src/deep/one.ts']],
  ['<E:a.deep.one.one>\nexport const one = 2;\n</E>', ['packages/a/src/deep/one.ts']],
  ['<W:a.deep.three>\nexport const three = 3;\n</W>', ['packages/a/src/deep/three.ts']],
  ['<source.tests.R:a.deep.one.test>', ['packages/a/src/deep/one.test.ts']],
  ['<source.config.R:package.name package=a>', ['packages/a/package.json']],
  ['<Grep:one>', undefined],
  ['<R:>', undefined],
  ['<source.tests.R:>', undefined],
])('%s is about the files that it reads, names or changes', async (tag, files) => {
  const { agent, entered } = openSource(FILES);
  await entered;
  const [call] = (await agent.run(asModelText(tag))).calls;
  expect({ files: call?.result.files?.toSorted(), text: call?.result.text }).toEqual({
    files,
    text: call?.result.text,
  });
});
