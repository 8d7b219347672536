import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { put, scratchFolder } from '../../test/scratch.ts';
import type { KnownLoads } from './trust-store.ts';
import { hashFolder } from './trust-subject.ts';
import { importTrusted, type TrustedCode } from './trusted-modules.ts';

/** Two packages that use `shared`, which uses `below`. */
function putPackages(): string {
  const folder = scratchFolder();
  const manifest = (name: string) => JSON.stringify({ name, type: 'module', exports: './index.js' });
  const names = { one: `export * from 'shared';`, two: `export * from 'shared';`, shared: `export * from 'below';` };
  for (const [name, code] of Object.entries({ ...names, below: 'export const value = 7;' }))
    put(join(folder, 'node_modules', name), { 'package.json': manifest(name), 'index.js': code });
  return folder;
}

function trust(folder: string, name: string, known?: KnownLoads) {
  const path = join(folder, 'node_modules', name);
  const loads = new Map<string, KnownLoads>(known === undefined ? [] : [[path, known]]);
  const wanted: string[] = [];
  const code: TrustedCode = {
    name,
    path,
    files: hashFolder(path).files,
    trust: {
      loadsOf: (of) => loads.get(of),
      addLoads: (of, { files, packages }) => {
        const before = loads.get(of);
        loads.set(of, { files: { ...before?.files, ...files }, packages: { ...before?.packages, ...packages } });
      },
      addWanted: (_of, one) => void wanted.push(one),
    },
  };
  const load = () => importTrusted(code, pathToFileURL(join(path, 'index.js')).href);
  return {
    load,
    wanted,
    listLoaded: () => Object.keys(loads.get(path)?.packages ?? {}).map((one) => one.slice(folder.length)),
  };
}

const BOTH = ['/node_modules/shared', '/node_modules/below'];

it('what a package loads is known of each package that uses it, whichever of them is the first to load it', async () => {
  const folder = putPackages();
  const [one, two] = [trust(folder, 'one'), trust(folder, 'two')];
  await one.load();
  await two.load();
  expect([one.listLoaded(), two.listLoaded()]).toEqual([BOTH, BOTH]);
});

it('the same holds when they are loaded at once, and for a decision that was made anew', async () => {
  const folder = putPackages();
  const [one, two] = [trust(folder, 'one'), trust(folder, 'two')];
  await Promise.all([one.load(), two.load()]);
  const again = trust(folder, 'two');
  await again.load();
  expect([one.listLoaded(), two.listLoaded(), again.listLoaded()]).toEqual([BOTH, BOTH, BOTH]);
});

it('a package does not run what another one has loaded and it may not', async () => {
  const folder = putPackages();
  const two = trust(folder, 'two', { files: {}, packages: {} });
  await trust(folder, 'one').load();
  await expect(two.load()).rejects.toThrow(
    `two loads ${folder}/node_modules/shared, which was not there or was different`,
  );
  expect(two.wanted).toEqual([`${folder}/node_modules/shared`]);
});
