import { WorkspaceRoot } from '@bae/workspace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPackageFolder, findPackages, matchesSegments } from './find-packages.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

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
    ['lerna', { 'package.json': '{}', 'lerna.json': '{"packages":["packages/*","!packages/old"]}' }],
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

  it('are found by name, with or without scope, and by folder', async () => {
    const root = new WorkspaceRoot(
      temporaryFolder({
        'package.json': manifest('demo', { workspaces: ['packages/*'] }),
        'packages/core/package.json': manifest('@bae/kernel'),
        'tools/gen/package.json': '{}',
      }),
    );
    for (const name of ['@bae/kernel', 'kernel', 'packages/core', './packages/core/'])
      expect(await findPackageFolder(root, name)).toBe('packages/core');
    for (const name of ['', '.', './']) expect(await findPackageFolder(root, name)).toBe('');
    expect(await findPackageFolder(root, './tools/gen/')).toBe('tools/gen');
    await expect(findPackageFolder(root, 'gen')).rejects.toMatchObject({
      message: expect.stringContaining('Packages: kernel, tools/gen.') as string,
      hints: ['<R: package="tools/gen">'],
    });
    await expect(findPackageFolder(root, 'packages/cor')).rejects.toThrow("no package 'packages/cor'");
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

const matches = (pattern: string, name: string) => matchesSegments(pattern.split('.'), name.split('.'));

describe('a pattern of names', () => {
  it.each([
    ['core.*', 'core.agent', true],
    ['core.*', 'core', false],
    ['core.*', 'core.agent.turn', false],
    ['core.**', 'core.agent.turn', true],
    ['core.**', 'core', true],
    ['**', 'core.agent', true],
    ['**.turn', 'core.agent.turn', true],
    ['**.turn', 'turn', true],
    ['core.**.turn', 'core.turn', true],
    ['core.a*t', 'core.agent', true],
    ['core.a?ent', 'core.agent', true],
    ['core.a?ent', 'core.aent', false],
    ['*.*', 'a', false],
    ['core.[id]', 'core.[id]', true],
  ])('%s and %s: %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  it('matches as a regular expression of the same meaning does', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 });
    const part = fc.oneof(
      fc.constant('**'),
      fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 4 }),
    );
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 1, maxLength: 5 }),
        (pattern, names) => {
          const source = pattern
            .map((one) =>
              one === '**' ? '(?:[ab]+[.])*' : `${one.replaceAll('*', '[ab]*').replaceAll('?', '[ab]')}[.]`,
            )
            .join('');
          expect(matchesSegments(pattern, names)).toBe(new RegExp(`^${source}$`).test(`${names.join('.')}.`));
        },
      ),
    );
  });

  it('takes no longer for patterns that are hard for others', { tags: ['long'] }, () => {
    expect(matchesSegments([`${'*a'.repeat(500)}b`], ['a'.repeat(5000)])).toBe(false);
  });
});
