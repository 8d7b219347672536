import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { asModelText } from '@bae/core';
import { expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';

it.each([
  ['<R:./lib/a.ts>', ['lib/a.ts']],
  ['<R:link/a.ts:1>', ['lib/a.ts']],
  ['<R:lib>', ['lib']],
  ['<G:lib/**/*.ts>', ['lib']],
  ['<Grep:one path=link>', ['lib']],
  ['<Grep:one path=lib/a.ts>', ['lib/a.ts']],
  ['<W:lib/new.ts>x</W>', ['lib/new.ts']],
  ['<E:link/a.ts:1>two</E>', ['lib/a.ts']],
  ['<delete:lib/a.ts>', ['lib/a.ts']],
  ['<move:lib/a.ts to=b.ts>', ['lib/a.ts', 'b.ts']],
  // What a search finds, it does not name.
  ['<Grep:one>', undefined],
  ['<G:**/*.ts>', undefined],
  ['<R:.>', undefined],
  ['<R:lib/none.ts>', undefined],
])('%s is about the files that it reads, names or changes', async (tag, files) => {
  const { agent, folder } = openHome({ 'lib/a.ts': 'one\n' });
  symlinkSync('lib', join(folder, 'link'));
  await agent.run(asModelText('<R:lib/a.ts>'));
  const [call] = (await agent.run(asModelText(tag))).calls;
  expect(call?.result.files?.toSorted()).toEqual(files?.toSorted());
});
