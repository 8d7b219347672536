import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolContext } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { TSCONFIG } from '../../test/temporary-project.ts';
import { CodeBase } from '../modules/code-base.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { ModuleTypes } from '../module-types/module-types.ts';
import { renameSymbol } from './rename-symbol.ts';

const FILES = {
  'tsconfig.json': TSCONFIG,
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': "import { a } from './a.ts';\nexport const b = a;\n",
};
const CONTEXT: ToolContext = {
  signal: new AbortController().signal,
  space: 'source',
  block: false,
  fromCode: false,
  batch: [],
  requestApproval: async () => undefined,
  tag: (tag) => tag,
  session: { id: 'test', seen: new Map() },
};

it('is not made when a module changes right after the answer of the compiler', async () => {
  const folder = temporaryFolder(FILES);
  const path = join(folder, 'src/b.ts');
  const mine = `// mine\n${FILES['src/b.ts']}`;
  const root = new WorkspaceRoot(folder);
  const index = new ModuleIndex(root);
  class Overtaken extends ModuleTypes {
    override async ask<T>(...question: Parameters<typeof ModuleTypes.prototype.ask<T>>): Promise<T> {
      const answer = await super.ask(...question);
      writeFileSync(path, mine);
      return answer;
    }
  }
  const types = new Overtaken(root, index);
  onTestFinished(() => types[Symbol.asyncDispose]());
  const renaming = { types, request: { target: 'a.a', to: 'one' }, context: CONTEXT };
  await expect(renameSymbol(new CodeBase(root, index), renaming)).rejects.toThrow(
    'b changed while a was looked for. Nothing was changed.',
  );
  expect(readFileSync(path, 'utf8')).toBe(mine);
  expect(readFileSync(join(folder, 'src/a.ts'), 'utf8')).toBe(FILES['src/a.ts']);
});
