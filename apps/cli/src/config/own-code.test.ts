import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrustStore } from '@bae/plugins';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listLoadedPaths, listPackageCode } from './own-code.ts';

it('the places of packages are protected also where the workspace is opened by a link', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-own-code-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'real/cfg'), { recursive: true });
  writeFileSync(join(folder, 'real/cfg/a.ts'), '');
  symlinkSync('real', join(folder, 'link'));
  for (const name of ['real', 'link'])
    expect(
      listLoadedPaths([join(folder, name, 'cfg/a.ts'), join(folder, name, 'gone.ts')], join(folder, name)),
    ).toEqual(
      expect.arrayContaining(
        ['cfg/a.ts', 'node_modules', 'cfg/node_modules'].map((path) =>
          join(folder, path === 'cfg/a.ts' ? name : 'real', path),
        ),
      ),
    );
});

it('the decisions about packages are read once, however many there are', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-own-code-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = new TrustStore(join(folder, 'trust.json'));
  const folders = Array.from({ length: 5 }, (_, number) => `/p/node_modules/p${number}`);
  const subjects = folders.map((path) => ({ kind: 'plugin', name: 'p', path, digest: 'd', about: [] }) as const);
  store.remember(subjects, 'trusted');
  store.addLoads(folders[3]!, { files: {}, packages: { '/p/node_modules/loaded': 'd', '/p/own': 'd' } });
  using parse = vi.spyOn(JSON, 'parse');
  expect(listPackageCode(folders, store)).toEqual([
    ...folders.slice(0, 4),
    '/p/node_modules/loaded',
    ...folders.slice(4),
  ]);
  expect(parse).toHaveBeenCalledTimes(1);
});
