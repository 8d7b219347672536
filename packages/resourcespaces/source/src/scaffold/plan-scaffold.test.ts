import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { MetaHost } from '../meta/meta-host.ts';
import { CodeBase } from '../modules/code-base.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { planScaffold } from './plan-scaffold.ts';

/** Plans a space with one file. */
function plan(file: string, files: Readonly<Record<string, string>> = {}) {
  const root = new WorkspaceRoot(temporaryFolder(files));
  const made = new Map([[file, { text: '', about: '' }]]);
  const host: Partial<MetaHost> = {
    scaffold: async ({ name }) => ({ type: 'files', folder: `spaces/${name}`, files: made, steps: [] }),
  };
  return planScaffold({
    base: new CodeBase(root, new ModuleIndex(root)),
    request: { target: ' tea ', content: '\n', overwrite: false, export: false, strict: false },
    host: host as MetaHost,
  });
}

describe('planScaffold', () => {
  it('names the files as they are below the root', async () => {
    expect(await plan('src/tea.js')).toEqual({
      name: 'tea',
      folder: 'spaces/tea',
      files: [{ path: 'spaces/tea/src/tea.js', name: 'src/tea.js', text: '', about: '' }],
      steps: [],
    });
  });

  it.each([
    ['.env', {}, 'spaces/tea/.env may hold passwords'],
    ['bae.config.json', {}, 'spaces/tea/bae.config.json belongs to bae'],
    [
      'a.js',
      { spaces: 'a file' },
      'spaces is there already, and the new resourcespace tea would be made in spaces/tea.',
    ],
  ])('refuses %s beside %j before anybody is asked', async (file, files, problem) => {
    await expect(plan(file, files)).rejects.toThrow(problem);
  });
});
