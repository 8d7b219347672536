import { join } from 'node:path';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OpenSubspace } from '../../test/open-subspace.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { TemporaryProject } from '../../test/temporary-project.ts';
import { tinyRegistry } from '../../test/tiny-registry.ts';
import { DepsSpace } from './deps-space.ts';

const MANIFEST = {
  name: 'my-app',
  version: '1.0.0',
  dependencies: { zod: '^4.0.0', 'zod-extra': '1.x' },
  devDependencies: { vitest: '^5.1.0' },
};

describe('source.deps', () => {
  it('says what a project depends on when it is entered', async () => {
    const project = new TemporaryProject({ 'package.json': JSON.stringify(MANIFEST), 'yarn.lock': '' });
    expect(await open(project).enter()).toBe(
      'my-app: 2 dependencies, 1 devDependency (yarn). 3 not installed: <install:>',
    );
  });

  it('lists what is asked for and what is installed', async () => {
    const project = new TemporaryProject({
      'package.json': JSON.stringify(MANIFEST),
      'node_modules/zod/package.json': '{ "name": "zod", "version": "4.6.7" }',
    });
    expect(await open(project).call('read', { filter: '', package: '' })).toBe(`my-app: 2 dependencies, 1 devDependency
dependencies (2)
  zod ^4.0.0 -> 4.6.7
  zod-extra 1.x, not installed
devDependencies (1)
  vitest ^5.1.0, not installed`);
    expect(await open(project).call('read', { filter: 'extra', package: '' }))
      .toBe(`my-app: 2 dependencies, 1 devDependency
dependencies (1)
  zod-extra 1.x, not installed`);
    expect(await open(project).call('read', { filter: 'react', package: '' })).toBe(
      "ResourceError: my-app does not depend on 'react'. It has 3 dependencies.\nTry: <R:>",
    );
  });

  it('finds the packages of a workspace by name', async () => {
    const project = new TemporaryProject({
      'package.json': '{ "name": "all", "workspaces": ["packages/*"] }',
      'packages/core/package.json': '{ "name": "@all/core", "dependencies": { "zod": "^4.0.0" } }',
    });
    expect(await open(project).call('read', { filter: '', package: 'core' })).toBe(
      '@all/core: 1 dependency\ndependencies (1)\n  zod ^4.0.0, not installed',
    );
    expect(await open(project).call('read', { filter: '', package: 'cor' })).toBe(
      'ResourceError: no package \'cor\' in this project. Packages: core.\nTry: <R: package="core">',
    );
  });

  it('says what to do in a project without package.json, and with a broken one', async () => {
    expect(await open(new TemporaryProject()).call('read', { filter: '', package: '' })).toBe(
      'ResourceError: this project has no package.json, so it has no dependencies. Go home and write one: <W:package.json>{}</W>\nTry: @home()',
    );
    const broken = new TemporaryProject({ 'package.json': '{ "name": }' });
    expect(await open(broken).call('read', { filter: '', package: '' })).toMatch(
      /^ResourceError: package\.json cannot be read: .*\. Fix it: <home.R:package\.json>\nTry: @home\(\)$/,
    );
  });

  it('adds and removes a package with npm, and runs none of its scripts', { tags: ['long'] }, async () => {
    const project = new TemporaryProject({ 'package.json': '{\n  "name": "my-app"\n}\n' });
    writeFileSync(project.path('.npmrc'), `registry=${await tinyRegistry()}\ncache=${project.path('cache')}\n`);
    const space = open(project);
    expect(await space.call('write', { dependency: 'tiny', package: '', dev: true })).toBe(
      'Added tiny 1.2.0 to the devDependencies of my-app with npm; its scripts were not run. package-lock.json is new.',
    );
    expect(JSON.parse(project.read('package.json'))).toEqual({ name: 'my-app', devDependencies: { tiny: '^1.2.0' } });
    expect(existsSync(project.path('node_modules/tiny/index.js'))).toBe(true);
    expect(existsSync(project.path('node_modules/tiny/ran'))).toBe(false);
    expect(await space.call('remove', { dependency: 'tiny', package: '' })).toBe(
      'Removed tiny ^1.2.0 from the devDependencies of my-app with npm.',
    );
    expect(existsSync(project.path('node_modules/tiny'))).toBe(false);
    const missing = await space.call('write', { dependency: 'no-such-thing', package: '', dev: false });
    expect(missing).toContain(
      'PackageError: npm install --ignore-scripts --no-audit --no-fund no-such-thing ended with code 1.',
    );
    expect(missing).toContain('npm error code E404');
    expect(missing).toMatch(/\nTry: <R:>$/);
  });

  it('installs what package.json names, and runs none of its scripts', async () => {
    const manifest = '{\n  "name": "my-app",\n  "devDependencies": { "tiny": "^1.0.0" }\n}\n';
    const project = new TemporaryProject({ 'package.json': manifest });
    writeFileSync(project.path('.npmrc'), `registry=${await tinyRegistry()}\ncache=${project.path('cache')}\n`);
    expect(await open(project).enter()).toBe('my-app: 1 devDependency (npm). 1 not installed: <install:>');
    expect(await open(project).call('install', { package: '' })).toBe(
      'Installed the packages of my-app with npm, 1 that it names was missing; their scripts were not run. package-lock.json is new.',
    );
    expect(project.read('package.json')).toBe(manifest);
    expect(existsSync(project.path('node_modules/tiny/index.js'))).toBe(true);
    expect(existsSync(project.path('node_modules/tiny/ran'))).toBe(false);
    expect(await open(project).enter()).toBe('my-app: 1 devDependency (npm)');
  });

  it('names what is still missing after packages were installed', async () => {
    const project = new TemporaryProject({ 'package.json': JSON.stringify(MANIFEST), 'yarn.lock': '' });
    fakeProgram(
      project,
      'yarn',
      'echo "$*" > "$LOG"; mkdir -p node_modules/zod; echo \'{"version":"4.0.1"}\' > node_modules/zod/package.json',
    );
    expect(await open(project).call('install', { package: '' })).toBe(
      'Installed the packages of my-app with yarn, 1 that it names was missing; their scripts were not run. Still not installed: zod-extra, vitest.',
    );
    expect(project.read('log')).toBe('install --ignore-scripts\n');
  });

  it.each([
    '-g',
    '--registry=http://evil',
    'git+ssh://x/y',
    '../other',
    'file:../x',
    'a b',
    '',
    'zod@$(id)',
    'zod; id',
  ])('takes %j for no package', async (dependency) => {
    const project = new TemporaryProject({ 'package.json': JSON.stringify(MANIFEST) });
    expect(await open(project).call('write', { dependency, package: '', dev: false })).toBe(
      `ParameterError: '${dependency}' is not a package. A package is a name in the registry, perhaps with a version. ` +
        'Folders and addresses are added by hand.\nTry: <W:zod>\nTry: <W:zod@^4.0.0>',
    );
  });

  it('does not remove what is not there', async () => {
    const project = new TemporaryProject({ 'package.json': JSON.stringify(MANIFEST) });
    expect(await open(project).call('remove', { dependency: 'react', package: '' })).toBe(
      "ResourceError: my-app does not depend on 'react'. It has 3 dependencies.\nTry: <R:>",
    );
  });

  it('asks the package manager that the project names, in the folder of the package', async () => {
    const project = new TemporaryProject({
      'package.json': '{ "name": "all", "packageManager": "pnpm@12.21.0" }',
      'pnpm-workspace.yaml': 'packages: [packages/*]',
      'packages/core/package.json': '{ "name": "@all/core" }',
    });
    fakeProgram(project, 'pnpm', 'echo "$PWD $* $npm_config_ignore_scripts" > "$LOG"');
    await open(project).call('write', { dependency: 'zod', package: 'core', dev: true, version: ' ^4.0.0\n' });
    const folder = project.path('packages/core');
    const args = 'add --ignore-scripts --ignore-workspace-root-check --save-dev zod@^4.0.0';
    expect(project.read('log')).toBe(`${folder} ${args} true\n`);
  });

  it('installs a package by itself that is no workspace, with its own package manager and lockfile', async () => {
    const project = new TemporaryProject({
      'package.json': '{ "name": "all" }',
      'package-lock.json': '{}',
      'lerna.json': '{ "packages": ["packages/*"] }',
      'packages/core/package.json': '{ "name": "@all/core" }',
      'packages/web/package.json': '{ "name": "web", "dependencies": { "@all/core": "^1.0.0", "zod": "^4.0.0" } }',
      'packages/web/yarn.lock': '',
      'tools/gen/package.json': '{ "packageManager": "pnpm@12.21.0" }',
    });
    for (const name of ['npm', 'yarn', 'pnpm']) fakeProgram(project, name, `echo "$PWD ${name} $*" >> "$LOG"`);
    const space = open(project);
    const alone = (folder: string) => `${folder} is installed by itself, into its own node_modules.`;
    expect(await space.call('install', { package: 'core' })).toBe(
      `Installed the packages of @all/core with npm, 0 that it names were missing; their scripts were not run.\n${alone('packages/core')}`,
    );
    expect(await space.call('install', { package: 'web' })).toBe(
      'Installed the packages of web with yarn, 0 that it names were missing; their scripts were not run. Still not installed: @all/core, zod.\n' +
        `${alone('packages/web')} @all/core comes from the registry, not from packages/core. ` +
        'To link them: "workspaces": ["packages/web","packages/core"] in package.json, and an install at the root.',
    );
    await space.call('write', { dependency: 'zod', package: 'tools/gen', dev: false });
    expect(project.read('log').replaceAll(project.path('.'), '').split('\n')).toEqual([
      expect.stringMatching(/packages\/core npm install /),
      expect.stringMatching(/packages\/web yarn install /),
      expect.stringMatching(/tools\/gen pnpm add --ignore-scripts --ignore-workspace zod$/),
      '',
    ]);
  });

  it('has npm fetch a package manager that is not installed', async () => {
    const project = new TemporaryProject({ 'package.json': '{ "name": "a", "packageManager": "yarn@4.1.0" }' });
    const folder = fakeProgram(project, 'npx', 'echo "$*" > "$LOG"');
    setEnvironment('PATH', `${folder}:/bin`);
    await open(project).call('write', { dependency: 'zod', package: '', dev: false });
    expect(project.read('log')).toBe('--yes yarn@4.1.0 add zod\n');
  });

  it('names the package manager to install when there is none', async () => {
    const project = new TemporaryProject({ 'package.json': '{ "name": "a" }', 'package-lock.json': '{}' });
    setEnvironment('PATH', project.path('bin'));
    expect(await open(project).call('write', { dependency: 'zod', package: '', dev: false })).toBe(
      'PackageError: npm is not installed, and the project uses it. ' +
        'The user can install it; packages cannot be changed without it.\nTry: <R:>',
    );
  });

  it('kills the package manager when the call is cancelled', async () => {
    const project = new TemporaryProject({ 'package.json': '{ "name": "a" }', 'bun.lock': '' });
    fakeProgram(project, 'bun', 'echo $$ > "$LOG"; sleep 60');
    const stop = new AbortController();
    const result = open(project).call('write', { dependency: 'zod', package: '', dev: false }, stop);
    while (!existsSync(project.path('log'))) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort(new Error('enough'));
    expect(await result).toContain('enough');
  });
});

function open(project: TemporaryProject): OpenSubspace {
  return new OpenSubspace(project.folder, 'deps', (root) => new DepsSpace(root));
}

/** Puts a script on the PATH in place of a program, and returns its folder. Programs in the project are not used. */
function fakeProgram(project: TemporaryProject, name: string, script: string): string {
  const folder = temporaryFolder({ [name]: `#!/bin/sh\n${script}\n` });
  chmodSync(join(folder, name), 0o755);
  setEnvironment('PATH', `${folder}:${process.env['PATH']}`);
  setEnvironment('LOG', project.path('log'));
  return folder;
}

function setEnvironment(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}
