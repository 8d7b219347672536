import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent, type Provision } from '@bae/core';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { IMPORTS, install, trustOf } from '../../test/sample-package.ts';
import { put, scratchFolder } from '../../test/scratch.ts';
import { placeMounts } from '../load/place-mounts.ts';
import { resolveMounts, type SpaceEntry, type Trust } from '../load/resolve-mounts.ts';
import { writeManifest } from '../manifest/write-manifest.ts';
import type { KnownLoads } from '../trust/trust-store.ts';

/** Stands for what an application provides besides a data folder. */
const provideFolder = (folder: string): Provision => ({ token: Symbol.for('bae.workspace-root'), value: { folder } });

// Time stands still: on a slow machine a process starts later than a package may be loaded.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const NAME = 'bae-resourcespace-box';

const BOX = `${IMPORTS}
const read = { effect: 'read' };
export const space = defineResourcespace({ name: 'box', description: 'A place.', tools: {
  pid: tool('Its number.', {}, () => process.pid, read),
  crash: tool('Ends.', {}, () => { setImmediate(() => { throw new Error('no memory of it'); }); return new Promise(() => undefined); }, read),
} });`;

async function open(
  from: string,
  { entry = 'box', trust = trustOf('trusted') }: { entry?: SpaceEntry; trust?: Trust } = {},
) {
  const found = await resolveMounts({ entries: [entry], discover: false, disabled: [], from, builtIn: {}, trust });
  expect(found.problems).toEqual([]);
  const provide = [provideFolder(from)];
  const agent = createAgent({ spaces: placeMounts(found.mounts, provide), provide, approver: allowAll });
  onTestFinished(() => agent.close());
  const [mount] = found.mounts;
  const run = async (text: string) => (await agent.run(asModelText(text))).calls.at(-1)!.result.text;
  return { run, process: mount!.thing.type === 'plugin' ? mount!.thing.process : undefined };
}

it(
  'an installed package runs in a process of its own, and its crash is the answer of a call',
  { tags: ['long'] },
  async () => {
    const from = scratchFolder();
    await install(from, { name: NAME, code: BOX });
    const { run } = await open(from);
    const first = await run('<box.pid:>');
    expect(first).toMatch(/^\d+$/);
    expect(Number(first)).not.toBe(process.pid);
    expect(await run('<box.crash:>')).toBe(
      `PluginError: the process of ${NAME} exited unexpectedly (exit 1): Error: no memory of it. The outcome of the call is unknown; the next one starts the process again.`,
    );
    expect(await run('<box.pid:>')).not.toBe(first);
  },
);

it('isolate: false keeps it in the process of bae', async () => {
  const from = scratchFolder();
  await install(from, { name: NAME, code: BOX });
  const { run, process: where } = await open(from, { entry: { use: 'box', isolate: false } });
  expect(await run('<box.pid:>')).toBe(String(process.pid));
  expect(where).toEqual({ isOwn: false, reason: 'isolate is false' });
});

it('a linked package, and one that is named by its folder, stay in the process of bae', async () => {
  const from = scratchFolder();
  const installed = await install(from, { name: NAME, code: BOX });
  const linked = join(from, 'box');
  renameSync(installed, linked);
  symlinkSync(linked, installed);
  for (const entry of ['box', './box']) {
    const { run, process: where } = await open(from, { entry });
    expect(await run('<box.pid:>')).toBe(String(process.pid));
    expect(where?.reason).toBe('it is a folder or a link, not installed in node_modules');
  }
});

it('no process is started before the place is entered or called', async () => {
  const from = scratchFolder();
  const folder = await install(from, { name: NAME, code: BOX });
  const { run } = await open(from);
  expect(await run('@nav()')).toContain('box');
  // Whoever starts it now finds other code, which nobody trusts.
  writeFileSync(join(folder, 'dist/index.js'), `${BOX}\n`);
  expect(await run('<box.pid:>')).toContain('was changed since you trusted it, and nothing of it was run');
});

it.each([
  [
    'asks the application for the workspace',
    `export const spaces = (_options, provided) => { provided.get(Symbol.for('bae.workspace-root')).folder; return space; };`,
    'its manifest does not say that it can do without the application',
  ],
  ['has hooks', `export const hooks = [{ name: 'all', beforeCall: () => undefined }];`, 'it has hooks'],
])('a package that %s stays in the process of bae', async (_what, more, reason) => {
  const from = scratchFolder();
  const folder = await install(from, { name: NAME, code: BOX });
  // Node runs the code of a path once.
  const made = join(scratchFolder(), NAME);
  renameSync(folder, made);
  put(made, {
    'dist/index.js': `${BOX.replace('export const space ', 'const space ')}\n${more}${more.includes('spaces') ? '' : '\nexport { space };'}`,
  });
  await writeManifest(made, [provideFolder(from)]);
  renameSync(made, folder);
  const { run, process: where } = await open(from);
  expect(where).toEqual({ isOwn: false, reason });
  expect(await run('<box.pid:>')).toBe(String(process.pid));
});

it('the author can say that a package needs the process of bae', async () => {
  const from = scratchFolder();
  const folder = await install(from, { name: NAME, code: BOX });
  const bae = { api: '^1', spaces: './dist/index.js', manifest: './dist/bae.manifest.json', isolate: false };
  const about = { name: NAME, version: '1.0.0', type: 'module', keywords: ['bae-resourcespace'], bae };
  put(folder, { 'package.json': JSON.stringify(about) });
  expect((await open(from)).process).toEqual({ isOwn: false, reason: 'its author says that it needs this' });
});

it('what it may load is checked and recorded in its process as well', { tags: ['long'] }, async () => {
  const from = scratchFolder();
  put(from, {
    'node_modules/below/package.json': '{"name": "below", "type": "module", "exports": "./index.js"}',
    'node_modules/below/index.js': 'export const value = 7;',
  });
  const code = BOX.replace('() => process.pid', "async () => process.pid + ' ' + (await import('below')).value");
  await install(from, { name: NAME, code: `import 'below';\n${code}` });
  let loads: KnownLoads | undefined;
  const wanted: string[] = [];
  const trust: Trust = {
    ...trustOf('trusted'),
    loadsOf: () => loads,
    addLoads: (_path, { files, packages }) => {
      loads = { files: { ...loads?.files, ...files }, packages: { ...loads?.packages, ...packages } };
    },
    addWanted: (_path, one) => void wanted.push(one),
  };
  const below = join(from, 'node_modules/below');
  const first = await open(from, { trust });
  expect(await first.run('<box.pid:>')).toMatch(/^\d+ 7$/);
  expect(Object.keys(loads!.packages)).toContain(below);
  put(from, { 'node_modules/below/index.js': 'export const value = 8;' });
  const second = await open(from, { trust });
  expect(await second.run('<box.pid:>')).toContain(
    `${NAME} loads ${below}, which was not there or was different when you trusted ${NAME}: it was not run.`,
  );
  expect(wanted).toEqual([below]);
});
