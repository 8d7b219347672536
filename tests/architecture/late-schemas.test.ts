import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';

/** Counts the described schemas that exist once the built-in spaces are loaded. */
const COUNT = `
  import { globalRegistry } from 'zod/v4/core';
  let count = 0;
  const add = globalRegistry.add;
  globalRegistry.add = function (...given) {
    count++;
    return add.apply(this, given);
  };
  const spaces = ['commands', 'filesystem', 'memory', 'search', 'skills', 'source', 'tasks'];
  const modules = await Promise.all(spaces.map((name) => import('@bae/' + name)));
  const loaded = count;
  const { provideWorkspace } = await import('@bae/workspace');
  const { openSpaces } = await import('@bae/core');
  const { tree } = openSpaces({ home: modules[1].FilesystemSpace, provide: [provideWorkspace(process.cwd(), {})] });
  const opened = count;
  tree.home.tools.read.params;
  console.log(JSON.stringify({ loaded, opened, isMadeWhenRead: count > opened }));`;

it('makes no schema of a tool before its space is described or called: a start would be longer by a fifth', () => {
  const parameters = ['--input-type=module', '--eval', COUNT];
  const text = execFileSync(process.execPath, parameters, { cwd: dirname(import.meta.dirname), encoding: 'utf8' });
  expect(JSON.parse(text)).toEqual({ loaded: 0, opened: 0, isMadeWhenRead: true });
});
