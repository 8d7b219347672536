import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runProgram, type Program } from './run-program.ts';

const NEVER = new AbortController().signal;

describe('runProgram', () => {
  it('returns what a program writes, and its code', async () => {
    const result = await runProgram(node("console.log('out'); console.error('err'); process.exitCode = 3"), NEVER);
    expect(result).toEqual({ code: 3, output: 'out\n', errors: 'err\n' });
  });

  it('hands arguments over as they are: there is no shell', async () => {
    const args = ['-e', 'console.log(process.argv.slice(1).join())', '$HOME; rm -rf x', '"', '*'];
    expect((await runProgram({ command: process.execPath, args, folder: tmpdir() }, NEVER)).output).toBe(
      '$HOME; rm -rf x,",*\n',
    );
  });

  it('adds to the environment, and asks for no colours', async () => {
    const program = node('console.log(process.env.MINE, process.env.NO_COLOR, process.env.CI)');
    expect((await runProgram({ ...program, environment: { MINE: 'yes' } }, NEVER)).output).toBe('yes 1 1\n');
  });

  it('does not hand over keys to models', async () => {
    process.env['SOME_API_KEY'] = 'secret';
    onTestFinished(() => void delete process.env['SOME_API_KEY']);
    expect((await runProgram(node('console.log(process.env.SOME_API_KEY)'), NEVER)).output).toBe('undefined\n');
  });

  it('hands over no other secrets where none are needed', async () => {
    const secrets = [
      'GITHUB_TOKEN',
      'NPM_TOKEN',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_ACCESS_KEY_ID',
      'DB_PASSWORD',
      'MY_API_KEY_2',
    ];
    const others = ['TOKENIZER', 'KEYBOARD', 'PATH_X', 'SECRETARY'];
    for (const name of [...secrets, ...others]) vi.stubEnv(name, name);
    onTestFinished(() => void vi.unstubAllEnvs());
    const code = `console.log(JSON.stringify(${JSON.stringify([...secrets, ...others])}.filter((name) => name in process.env)))`;
    const seen = async (withoutSecrets: boolean) =>
      JSON.parse((await runProgram({ ...node(code), withoutSecrets }, NEVER)).output) as unknown;
    expect(await seen(true)).toEqual(others);
    expect(await seen(false)).toEqual([...secrets, ...others]);
  });

  it('keeps the last part of a long output', async () => {
    const { output } = await runProgram(node("process.stdout.write('x'.repeat(9 * 1024 * 1024) + 'end')"), NEVER);
    expect(output).toHaveLength(8 * 1024 * 1024);
    expect(output.endsWith('xend')).toBe(true);
  });

  it('fails when there is no such program', async () => {
    const missing = { command: 'no-such-program', args: [], folder: tmpdir() };
    await expect(runProgram(missing, NEVER)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('kills a program, and what it started, when the signal fires', async () => {
    const stop = new AbortController();
    const started = Promise.withResolvers<number>();
    const file = `${tmpdir()}/bae-run-${process.pid}-${Math.random().toString(36).slice(2)}`;
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
      require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));
      setInterval(() => 0, 1000);
    `;
    const run = runProgram(node(script), stop.signal);
    const poll = setInterval(() => {
      const pid = readPid(file);
      if (pid > 0) started.resolve(pid);
    }, 10);
    const grandchild = await started.promise;
    clearInterval(poll);
    expect(isRunning(grandchild)).toBe(true);
    stop.abort(new Error('enough'));
    await expect(run).rejects.toThrow('enough');
    expect(await endsSoon(grandchild)).toBe(true);
    await expect(runProgram(node('0'), stop.signal)).rejects.toThrow('enough');
  });

  it('ends what a program left running in the background', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], { stdio: 'ignore' });
      child.unref();
      console.log(child.pid);
    `;
    const { output } = await runProgram(node(script), NEVER);
    expect(await endsSoon(Number(output))).toBe(true);
  });
});

function node(script: string): Program {
  return { command: process.execPath, args: ['-e', script], folder: tmpdir() };
}

function readPid(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

/** False also for a process that ended and that nobody has asked about yet. */
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
