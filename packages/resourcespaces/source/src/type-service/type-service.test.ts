// @module-tag long

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TemporaryProject, TSCONFIG } from '../../test/temporary-project.ts';

const FILES = { 'tsconfig.json': TSCONFIG, 'src/a.ts': 'export const one: string = 1;\n' };

/** Under load a signal takes a while to arrive; until then, a query may still succeed. */
function isStopped(pid: number): boolean {
  const status = `/proc/${pid}/stat`;
  return !existsSync(status) || / T /.test(readFileSync(status, 'utf8'));
}

describe('TypeService', () => {
  it('starts no compiler before the first query', async () => {
    const service = new TemporaryProject(FILES).service();
    expect(service.pid).toBeUndefined();
    await service.diagnostics();
    expect(isRunning(service.pid as number)).toBe(true);
  });

  it('ends the compiler when it is disposed, and fails later queries', async () => {
    const service = new TemporaryProject(FILES).service();
    await service.diagnostics();
    const pid = service.pid as number;
    await service[Symbol.asyncDispose]();
    expect(isRunning(pid)).toBe(false);
    expect(service.pid).toBeUndefined();
    await expect(service.diagnostics()).rejects.toMatchObject({ problem: 'closed' });
  });

  it('fails the running query when it is disposed', async () => {
    const service = new TemporaryProject(FILES).service();
    const pending = service.diagnostics();
    const failed = expect(pending).rejects.toMatchObject({ problem: 'closed' });
    await service[Symbol.asyncDispose]();
    await failed;
    expect(service.pid).toBeUndefined();
  });

  it('runs the next query with a new compiler when the old one was killed', async () => {
    const service = new TemporaryProject(FILES).service();
    await service.diagnostics();
    const pid = service.pid as number;
    process.kill(pid, 'SIGKILL');
    expect((await service.diagnostics()).total).toBe(1);
    expect(service.pid).not.toBe(pid);
  });

  it('repeats a query when the compiler is killed meanwhile', async () => {
    const project = new TemporaryProject({ ...FILES, ...manyFiles(200) });
    const service = project.service();
    await service.diagnostics({ files: [project.path('src/a.ts')] });
    const pid = service.pid as number;
    const pending = service.diagnostics();
    setImmediate(() => process.kill(pid, 'SIGKILL'));
    expect((await pending).total).toBe(201);
    expect(service.pid).not.toBe(pid);
  });

  it('stops waiting when the signal aborts, and keeps the compiler', async () => {
    const project = new TemporaryProject({ ...FILES, ...manyFiles(200) });
    const service = project.service();
    const reason = new Error('enough');
    const stop = new AbortController();
    const pending = service.diagnostics({}, stop.signal);
    while (service.pid === undefined) await new Promise(setImmediate);
    const { pid } = service;
    stop.abort(reason);
    await expect(pending).rejects.toBe(reason);
    expect((await service.diagnostics()).total).toBe(201);
    expect(service.pid).toBe(pid);
    await expect(service.references({ file: '/x', offset: 0 }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('fails a waiting query as soon as its signal aborts', async () => {
    const project = new TemporaryProject({ ...FILES, ...manyFiles(100) });
    const service = project.service();
    const stop = new AbortController();
    const order: string[] = [];
    const first = service.diagnostics().then(() => order.push('first'));
    const second = service.diagnostics({}, stop.signal).catch(() => order.push('second'));
    stop.abort();
    await Promise.all([first, second]);
    expect(order).toEqual(['second', 'first']);
  });

  it('gives up, and ends the compiler, when a query takes longer than the limit', async () => {
    const service = new TemporaryProject(FILES).service(2000);
    await service.diagnostics();
    const pid = service.pid as number;
    process.kill(pid, 'SIGSTOP');
    await expect.poll(() => isStopped(pid)).toBe(true);
    await expect(service.diagnostics()).rejects.toMatchObject({
      problem: 'time',
      message: 'the TypeScript compiler took longer than 2 seconds',
    });
    expect(isRunning(pid)).toBe(false);
    expect((await service.diagnostics()).total).toBe(1);
  });

  it('runs simultaneous queries one after the other', async () => {
    const project = new TemporaryProject({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': 'export const one = 1;\n',
      'src/b.ts': "import { one } from './a.ts';\nexport const two: number = one;\n",
    });
    const service = project.service();
    const file = project.path('src/a.ts');
    await service.diagnostics();
    const names = Array.from({ length: 8 }, (_, index) => `name${index}`);
    const reports = names.map((name) =>
      service.introduced({ changes: [{ file, after: `export const one = { ${name}: 1 };\n` }] }),
    );
    const messages = (await Promise.all(reports)).map(({ introduced }) => introduced.map(({ message }) => message));
    expect(messages).toEqual(names.map((name) => [`Type '{ ${name}: number; }' is not assignable to type 'number'.`]));
  });

  it('never installs packages of types, and starts no program of the project', async () => {
    const project = new TemporaryProject({
      'package.json': '{ "dependencies": { "express": "*" } }',
      'a.js': "const express = require('express');\nmodule.exports = express();\n",
      'bin/npm': '#!/bin/sh\ntouch "$(dirname "$0")/called"\n',
      'node_modules/typescript/package.json': '{ "name": "typescript", "version": "7.0.2" }',
    });
    chmodSync(project.path('bin/npm'), 0o755);
    mkdirSync(project.path('home'));
    setEnvironment('PATH', `${project.path('bin')}:${process.env['PATH']}`);
    setEnvironment('HOME', project.path('home'));
    const service = project.service();
    // Only a file that is open makes the compiler look for types.
    await service.introduced({ changes: [{ file: project.path('a.js'), after: "require('express')();\n" }] });
    await service.references(project.find('a.js', 'const |express'));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(existsSync(project.path('bin/called'))).toBe(false);
    expect(existsSync(project.path('home/.cache'))).toBe(false);
  });

  it('passes only the needed environment variables to the compiler', async () => {
    setEnvironment('SECRET_TOKEN', 'secret');
    const service = new TemporaryProject(FILES).service();
    await service.diagnostics();
    const environment = readFileSync(`/proc/${service.pid}/environ`, 'utf8');
    expect(environment).toContain('PATH=\0');
    expect(environment).not.toContain('secret');
  });

  it('keeps no process from ending, and leaves no compiler behind when its own process is killed', async () => {
    const project = new TemporaryProject(FILES);
    const script = join(import.meta.dirname, '../../test/query-once.ts');
    // Ends by itself though nobody disposed the service.
    const output = execFileSync(process.execPath, [script, project.folder], { encoding: 'utf8', timeout: 20_000 });
    expect(output).toMatch(/^1 error, process \d+$/m);
    expect(await endsSoon(Number(/\d+$/m.exec(output)?.[0]))).toBe(true);
    const child = spawn(process.execPath, [script, project.folder, 'wait'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(/\d+$/m.exec(line.toString())?.[0]);
    expect(isRunning(pid)).toBe(true);
    child.kill('SIGKILL');
    expect(await endsSoon(pid)).toBe(true);
  });
});

function manyFiles(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`src/f${index}.ts`, `export const f${index}: string = ${index};\n`]),
  );
}

/** False also for a zombie: a process that ended and was not yet waited for. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function endsSoon(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100 && isRunning(pid); tries++) await new Promise((resolve) => setTimeout(resolve, 20));
  return !isRunning(pid);
}

function setEnvironment(name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  onTestFinished(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}
