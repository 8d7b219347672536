import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
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

it('the copy of bae that runs needs no decision, so a package may move to another process', async () => {
  const folder = putPackages();
  const core = fileURLToPath(new URL('..', import.meta.resolve('@bae/core')));
  mkdirSync(join(folder, 'node_modules/@bae'));
  symlinkSync(core, join(folder, 'node_modules/@bae/core'));
  put(join(folder, 'node_modules/one'), { 'index.js': `export * from 'shared'; export { tool } from '@bae/core';` });
  const files = {};
  const packages = Object.fromEntries(
    ['shared', 'below'].map((name) => {
      const path = join(folder, 'node_modules', name);
      return [path, hashFolder(path).digest];
    }),
  );
  const one = trust(folder, 'one', { files, packages });
  await one.load();
  expect(one.wanted).toEqual([]);
});

/** Ways to request a file, in which the module that makes the request is not named as its parent. */
const ROUNDABOUT: readonly (readonly [string, (file: string) => string])[] = [
  [
    'a module whose text is its address',
    (file) => `await import('data:text/javascript,' + encodeURIComponent('import "file://${file}"'));`,
  ],
  [
    'an import in a module whose text is its address',
    (file) => `await import('data:text/javascript,' + encodeURIComponent('await import("file://${file}")'));`,
  ],
  [
    'require as if from another folder',
    (file) => `import { createRequire } from 'node:module'; createRequire(process.cwd() + '/a.js')('${file}');`,
  ],
  [
    'require from a module reached by process',
    (file) => `process.getBuiltinModule('module').createRequire('/')('${file}');`,
  ],
  ['the loader without a parent', (file) => `import Module from 'node:module'; Module._load('${file}', null, false);`],
  [
    'a module made by hand',
    (file) => `import Module from 'node:module'; const made = new Module('${file}'); made.load(made.id);`,
  ],
  [
    'the loader of a file extension',
    (file) => `import Module from 'node:module'; const made = new Module('${file}');
made.filename = made.id; Module._extensions['.js'](made, made.id);`,
  ],
  [
    'a script with the loader of the process',
    (file) => `import vm from 'node:vm'; const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
await vm.runInThisContext("import('file://${file}')", { filename: '/a.js', importModuleDynamically });`,
  ],
  [
    'a function that is compiled later',
    (file) => `import vm from 'node:vm'; const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
await vm.compileFunction("return import('file://${file}')", [], { importModuleDynamically })();`,
  ],
];

it.each(ROUNDABOUT)('a package does not run an untrusted file that it requests by %s', async (_, request) => {
  const folder = putPackages();
  const file = join(folder, 'node_modules/below/other.cjs');
  put(folder, { 'node_modules/below/other.cjs': 'globalThis.ranUntrusted = true;' });
  put(folder, { 'node_modules/one/index.js': request(file) });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'ranUntrusted'));
  const one = trust(folder, 'one', { files: {}, packages: {} });
  await expect(one.load()).rejects.toThrow(`one loads ${folder}/node_modules/below, which was not there`);
  expect(one.wanted).toEqual([`${folder}/node_modules/below`]);
  expect('ranUntrusted' in globalThis).toBe(false);
});

it.each(ROUNDABOUT)('what a package requests by %s is known as a load of it', async (_, request) => {
  const folder = putPackages();
  put(folder, { 'node_modules/below/other.cjs': 'exports.value = 7;' });
  put(folder, { 'node_modules/one/index.js': request(join(folder, 'node_modules/below/other.cjs')) });
  const one = trust(folder, 'one');
  await one.load();
  expect(one.listLoaded()).toEqual(['/node_modules/below']);
});
