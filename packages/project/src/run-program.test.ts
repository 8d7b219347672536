import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeMarker, untilMarked } from '../test/marked-processes.ts';
import { runProgram, type Program } from './running-program.ts';

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
      'npm_config__authToken',
      'npm_config__auth',
      'PGPASSWORD',
      'MYSQL_PWD',
      'SMTP_PASS',
      'SSHPASS',
      'GH_PAT',
      'RAILS_MASTER_KEY',
    ];
    const others = ['TOKENIZER', 'KEYBOARD', 'PATH_X', 'SECRETARY', 'OLDPWD', 'COMPASS', 'SSH_AUTH_SOCK', 'MASTER'];
    for (const name of [...secrets, ...others]) vi.stubEnv(name, name);
    onTestFinished(() => void vi.unstubAllEnvs());
    const code = `console.log(JSON.stringify(${JSON.stringify([...secrets, ...others])}.filter((name) => name in process.env)))`;
    const seen = async (inherits: 'project' | 'quiet') =>
      JSON.parse((await runProgram({ ...node(code), inherits }, NEVER)).output) as unknown;
    expect(await seen('project')).toEqual(others);
    expect(await seen('quiet')).toEqual([...secrets, ...others]);
  });

  it('keeps the last part of a long output', async () => {
    const { output } = await runProgram(node("process.stdout.write('x'.repeat(11 * 1024 * 1024) + 'end')"), NEVER);
    expect(output).toHaveLength(10 * 1024 * 1024);
    expect(output.endsWith('xend')).toBe(true);
  });

  it('fails when there is no such program', async () => {
    const missing = { command: 'no-such-program', args: [], folder: tmpdir() };
    await expect(runProgram(missing, NEVER)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('ends a program when the signal fires, and starts none afterwards', async () => {
    const stop = new AbortController();
    const marker = makeMarker();
    const run = runProgram(node(`setInterval(() => 0, 1000) // ${marker}`), stop.signal);
    await untilMarked(marker, 1);
    stop.abort(new Error('enough'));
    await expect(run).rejects.toThrow('enough');
    await untilMarked(marker, 0);
    await expect(runProgram(node('0'), stop.signal)).rejects.toThrow('enough');
  });
});

function node(script: string): Program {
  return { command: process.execPath, args: ['-e', script], folder: tmpdir() };
}
