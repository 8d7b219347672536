import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkInstallScripts } from './checks/install-scripts.ts';
import { readRepository } from './source/repository.ts';

const root = join(import.meta.dirname, '../..');

const manifests = readRepository(root).files.filter(({ path }) => /^(packages|apps)\/.*package\.json$/.test(path));

describe('what is installed with a package of this repository', () => {
  it('runs no code while it is installed', () => {
    const folders = manifests.map(({ path }) => join(root, dirname(path)));
    expect(checkInstallScripts(folders)).toEqual([]);
  });

  it('has no exception in the settings of the package manager', () => {
    const settings = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
    const [, allowed = ''] = /^allowBuilds:\n((?: {2}.*\n)+)/m.exec(settings) ?? [];
    expect(allowed).not.toBe('');
    expect(allowed.split('\n').filter((line) => line !== '' && !line.endsWith(': false'))).toEqual([]);
  });

  it('has been public for a day', () => {
    const settings = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
    const [, minutes = 0] = /^minimumReleaseAge: (\d+)$/m.exec(settings) ?? [];
    expect(Number(minutes)).toBeGreaterThanOrEqual(24 * 60);
  });
});

it('a package ships no notes of the compiler', () => {
  const packages = manifests.map(({ path, text }) => ({
    path,
    ...(JSON.parse(text) as { files?: readonly string[] }),
  }));
  const built = packages.filter(({ files = [] }) => files.includes('dist'));
  expect(built.length).toBeGreaterThan(20);
  expect(built.filter(({ files = [] }) => !files.includes('!dist/.tsbuildinfo')).map(({ path }) => path)).toEqual([]);
});

describe('checkInstallScripts', () => {
  let folder = '';

  function install(name: string, manifest: object): void {
    const path = join(folder, '.store', name, 'node_modules', name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name, ...manifest }));
  }

  function link(from: string, name: string): void {
    mkdirSync(join(folder, from, 'node_modules'), { recursive: true });
    symlinkSync(join(folder, '.store', name, 'node_modules', name), join(folder, from, 'node_modules', name));
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bae-install-'));
    mkdirSync(join(folder, 'app'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('finds scripts and native builds, also of what a dependency depends on', () => {
    install('a', { dependencies: { b: '1' }, scripts: { test: 'true' } });
    install('b', { scripts: { postinstall: 'curl evil' }, peerDependencies: { a: '1' } });
    install('c', {});
    writeFileSync(join(folder, '.store/c/node_modules/c/binding.gyp'), '');
    link('.store/a', 'b');
    link('.store/b', 'a');
    link('app', 'a');
    link('app', 'c');
    const dependencies = { a: '1', c: '1', 'not-of-this-platform': '1' };
    writeFileSync(join(folder, 'app/package.json'), JSON.stringify({ name: 'app', dependencies }));
    const found = checkInstallScripts([join(folder, 'app')]).map(({ message }) => message);
    expect(found).toEqual(['b has a postinstall script', 'c has a native build']);
  });

  it('leaves development dependencies out', () => {
    install('a', { scripts: { install: 'make' } });
    link('app', 'a');
    writeFileSync(join(folder, 'app/package.json'), JSON.stringify({ name: 'app', devDependencies: { a: '1' } }));
    expect(checkInstallScripts([join(folder, 'app')])).toEqual([]);
  });
});
