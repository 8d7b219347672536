import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { makeFileWords, resolveSpecifier, translatePath } from './target.ts';
import type { ProjectPackage } from '@bae/project';
import { CodeCatalog } from '../modules/code-catalog.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

async function words() {
  const index = new ModuleIndex(new WorkspaceRoot(temporaryFolder({ 'lib/a.ts': '', 'notes.md': '' })));
  return makeFileWords(await index.catalog());
}

describe('the name and the tags of a file', () => {
  it.each([
    ['lib/a.ts', 'lib.a', '<R:lib.a>', '<W:lib.a>…</W>'],
    ['lib/gone.ts', 'lib.gone', '<R:lib.gone>', '<W:lib.gone>…</W>'],
    ['notes.md', 'notes.md', '@home()', '@home()'],
    ['a\nb.md', 'a\\x0ab.md', '@home()', '@home()'],
  ])('of %j are those of its module, if it is one', async (path, name, read, write) => {
    const { nameOf, tagOf } = await words();
    expect([nameOf(path), tagOf('R', path), tagOf('W', path)]).toEqual([name, read, write]);
  });
});

const pack = (label: string, name: string | undefined, folder: string): ProjectPackage => ({
  label,
  name,
  folder,
  description: '',
});
const catalog = new CodeCatalog(
  [
    'packages/core/src/index.ts',
    'packages/core/src/pipeline.ts',
    'packages/core/src/agent/turn.ts',
    'packages/core/src/agent/view.tsx',
    'packages/core/src/agent/index.ts',
    'packages/core/src/old.js',
    'packages/core/src/module.mts',
    'packages/core/src/types.d.ts',
    'packages/flat/index.js',
    'packages/flat/part.js',
    'root.ts',
    'index.ts',
  ],
  { packages: [pack('core', '@x/core', 'packages/core'), pack('flat', 'flat', 'packages/flat'), pack('', 'root', '')] },
);

describe('an import', () => {
  it.each([
    ['./turn', 'core.agent.turn'],
    ['./turn.ts', 'core.agent.turn'],
    ['./turn.js', 'core.agent.turn'],
    ['./view.js', 'core.agent.view'],
    ['./view.jsx', 'core.agent.view'],
    ['.', 'core.agent'],
    ['./', 'core.agent'],
    ['./index.js', 'core.agent'],
    ['..', 'core'],
    ['../agent', 'core.agent'],
    ['../old', 'core.old'],
    ['../old.js', 'core.old'],
    ['../module.mjs', 'core.module'],
    ['../types', 'core.types.d'],
    ['../../../../root', 'root'],
    ['../../../../', 'index'],
    ['../../../../../outside', undefined],
    ['./missing', undefined],
    ['@x/core', 'core'],
    ['@x/core/pipeline', 'core.pipeline'],
    ['@x/core/agent/turn', 'core.agent.turn'],
    ['@x/core/missing', undefined],
    ['flat', 'flat'],
    ['flat/part.js', 'flat.part'],
    ['zod', undefined],
    ['node:fs', undefined],
    ['@x/other', undefined],
  ])('of %s leads to %s', (specifier, expected) => {
    const from = 'packages/core/src/agent/turn.ts';
    expect(resolveSpecifier(specifier, from, catalog)?.name).toBe(expected);
  });
});

describe('the folder of a package', () => {
  it('is the package, whatever files are in it', () => {
    const files = ['packages/core/index.js', 'packages/core/src/index.ts', 'packages/core/src/turn.ts'];
    const both = new CodeCatalog(files, { packages: [pack('core', '@x/core', 'packages/core')] });
    for (const path of ['packages/core', './packages/core/']) expect(translatePath(path, both)).toBe('core');
    expect(translatePath('packages/core/index.js', both)).toBe('core.index');
    expect(translatePath('packages/flat', catalog)).toBe('flat');
  });
});
