import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../test/scratch-folder.ts';
import { runBuild } from './run-build.ts';

const signal = new AbortController().signal;

function packageWith(build?: string) {
  const { path } = scratchFolder();
  return { name: 'tea', folder: path, entry: join(path, 'index.js'), stamp: () => '', ...(build && { build }) };
}

describe('runBuild', () => {
  it('runs in the folder of the package, with the programs of its packages', async () => {
    const { path, put } = scratchFolder();
    put('node_modules/.bin/brew', '#!/bin/sh\ntouch brewed\n');
    const found = {
      ...packageWith('sh node_modules/.bin/brew && case "$PATH" in "$PWD/node_modules/.bin:"*) ;; *) exit 1; esac'),
    };
    expect(await runBuild({ ...found, folder: path }, signal)).toBeUndefined();
    expect(existsSync(join(path, 'brewed'))).toBe(true);
  });

  it('finds the programs of a project that the package lies in, after its own', async () => {
    const { path, put } = scratchFolder();
    for (const [folder, name] of [
      ['', 'brew'],
      ['', 'pour'],
      ['spaces/tea/', 'pour'],
    ] as const) {
      put(`${folder}node_modules/.bin/${name}`, `#!/bin/sh\necho "$0" >> said\n`);
      chmodSync(join(path, `${folder}node_modules/.bin/${name}`), 0o755);
    }
    const folder = join(path, 'spaces/tea');
    expect(await runBuild({ ...packageWith('brew && pour'), folder }, signal)).toBeUndefined();
    expect(readFileSync(join(folder, 'said'), 'utf8').split('\n')).toEqual([
      join(path, 'node_modules/.bin/brew'),
      join(folder, 'node_modules/.bin/pour'),
      '',
    ]);
  });

  it('has nothing to do where there is nothing to build', async () => {
    expect(await runBuild(packageWith(), signal)).toBeUndefined();
  });

  it('gives back all that a build printed that failed', async () => {
    expect(await runBuild(packageWith('echo one; echo two >&2; exit 3'), signal)).toMatch(/^(one\ntwo|two\none)$/);
    expect(await runBuild(packageWith('exit 3'), signal)).toBe('exit 3 ended with 3');
  });

  it('ends a build when it is asked to', async () => {
    const stop = new AbortController();
    const build = runBuild(packageWith('exec sleep 60'), stop.signal);
    stop.abort();
    expect(await build).toBe('The operation was aborted');
  });
});
