import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { findPackages } from './find-packages.ts';

const manifest = (name: string, more: object = {}) => JSON.stringify({ name, ...more });

async function packages(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const root = new WorkspaceRoot(temporaryFolder(files));
  const found = await findPackages(root, Object.keys(files));
  return found.map(({ label, folder }) => `${label}: ${folder}`);
}

describe('the packages of a project', () => {
  it('are one without workspaces, whatever else has a manifest', async () => {
    expect(await packages({ 'package.json': manifest('demo'), 'examples/a/package.json': manifest('a') })).toEqual([
      ': ',
    ]);
    expect(await packages({ 'a.ts': '' })).toEqual([': ']);
  });

  it.each([
    ['npm', { 'package.json': manifest('demo', { workspaces: ['packages/*', '!packages/old'] }) }],
    ['yarn', { 'package.json': manifest('demo', { workspaces: { packages: ['./packages/*', '!packages/old'] } }) }],
    ['pnpm', { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages:\n  - "packages/*"\n  - "!packages/old"\n' }],
  ])('are those that %s workspaces name', async (_kind, files) => {
    expect(
      await packages({
        ...files,
        'packages/core/package.json': manifest('@bae/core'),
        'packages/nameless/package.json': '{}',
        'packages/broken/package.json': '{',
        'packages/old/package.json': manifest('old'),
        'packages/core/fixtures/package.json': manifest('fixture'),
      }),
    ).toEqual(['broken: packages/broken', 'core: packages/core', 'nameless: packages/nameless', ': ']);
  });

  it('have the name of the one nearest to the root to themselves, the others their scope', async () => {
    expect(
      await packages({
        'package.json': manifest('demo', { workspaces: ['**'] }),
        'deep/er/package.json': manifest('@b/core'),
        'core/package.json': manifest('@a/core'),
        'deep/too/package.json': manifest('core'),
      }),
    ).toEqual(['core: core', 'b-core: deep/er', 'core~2: deep/too', ': ']);
  });

  it('are not found where the list makes no sense', async () => {
    expect(await packages({ 'package.json': '[]', 'pnpm-workspace.yaml': ': : :' })).toEqual([': ']);
  });
});
