import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listMarked, makeMarker, untilMarked } from '../test/marked-processes.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { findIsolation } from './find-program.ts';
import type { Isolation } from './platform/platform.ts';
import { createWindows } from './platform/windows.ts';
import { openProgram, type Program, startProgram } from './running-program.ts';

afterEach(() => void vi.unstubAllEnvs());

const found = await findIsolation();
const GROUP: Isolation = { type: 'group' };
/** What Windows has, with another command that ends a tree. */
const TREE: Isolation = {
  type: 'tree',
  command: [process.execPath, join(import.meta.dirname, '../test/kill-tree.mjs'), '/T', '/F', '/PID'],
};
const ISOLATIONS: readonly Isolation[] = found.type === 'namespace' ? [found, GROUP, TREE] : [GROUP, TREE];

function shell(script: string, more: Partial<Program> = {}): Program {
  return { command: '/bin/sh', args: ['-c', script], folder: temporaryFolder(), inherits: 'basics', ...more };
}

describe.each(ISOLATIONS)('a program in a $type', (isolation) => {
  const start = (program: Program) => startProgram(program, isolation);

  it('says how it ended, as a shell does', async () => {
    const codeOf = async (script: string) => (await (await start(shell(script))).ended).code;
    expect(await codeOf('exit 0')).toBe(0);
    expect(await codeOf('exit 7')).toBe(7);
    expect(await codeOf('kill -SEGV $$')).toBe(139);
  });

  it('has its errors in its output where that is wanted, in the order in which they were written', async () => {
    const script = 'echo 1; echo 2 >&2; echo 3; echo 4 >&2';
    expect(await (await start(shell(script, { mergesErrors: true }))).ended).toMatchObject({
      output: '1\n2\n3\n4\n',
      errors: '',
    });
    expect(await (await start(shell(script))).ended).toMatchObject({ output: '1\n3\n', errors: '2\n4\n' });
  });

  it('has its language, which those that start it do without', async () => {
    const environment = { LANG: '--', LC_TIME: 'a "b" $c', LANGUAGE: '' };
    const script = 'echo "$LANG|$LC_TIME|${LANGUAGE-none}"';
    expect((await (await start(shell(script, { environment }))).ended).output).toBe('--|a "b" $c|\n');
  });

  it('has no input, no descriptors but its own, and the basics as environment', async () => {
    vi.stubEnv('NO_COLOR', '1');
    vi.stubEnv('MY_PASS', 'x');
    const closed = '{ true >&3; } 2>/dev/null || echo no 3; { true >&4; } 2>/dev/null || echo no 4';
    const { output } = await (await start(shell(`cat; ${closed}; env`))).ended;
    expect(output).toMatch(/^no 3\nno 4\n/);
    const names = output.split('\n').map((line) => line.split('=')[0]);
    expect(names).not.toContain('NO_COLOR');
    expect(names).not.toContain('MY_PASS');
    expect(names).toContain('PATH');
  });

  it('shows no passwords in URLs that it inherited, while it runs and afterwards', async () => {
    vi.stubEnv('MY_DB', 'postgres://u:hunter2hunter2@h/db');
    let shown = '';
    const onOutput = (text: string) => void (shown += text);
    const script = 'printf "$MY_DB is hunter2"; sleep 0.05; printf "hunter2, hunter"';
    const { output } = await (await start(shell(script, { inherits: 'project', onOutput }))).ended;
    expect(output).toBe('postgres://u:‹masked password›@h/db is ‹masked password›, hunter');
    expect(shown).toBe(output);
  });

  it.runIf(isolation.type !== 'tree')('is asked to end first, so that it can tidy up', async () => {
    const running = await start(shell("trap 'echo tidy; exit' TERM; echo ready; while :; do sleep 0.01; done"));
    await vi.waitUntil(() => running.output.includes('ready'), { timeout: 60_000 });
    await running.stop();
    expect(running.output).toBe('ready\ntidy\n');
    expect((await running.ended).code).toBeNull();
  });

  it('is ended when it does not want to', async () => {
    const marker = makeMarker();
    const running = await start(
      shell(`trap '' TERM; sh -c 'while :; do sleep 0.01; done' ${marker} & echo ready; wait`),
    );
    await vi.waitUntil(() => running.output.includes('ready'), { timeout: 60_000 });
    await running.stop();
    await untilMarked(marker, 0);
  });

  it.runIf(isolation.type !== 'tree')('ends with what it left running in its group', async () => {
    const marker = makeMarker();
    const { ended } = await start(shell(`sh -c 'sleep 1000; :' ${marker} & echo left`));
    expect((await ended).output).toBe('left\n');
    await untilMarked(marker, 0);
  });

  it('ends with bae, however that ends', async () => {
    const marker = makeMarker();
    const module = pathToFileURL(join(import.meta.dirname, 'running-program.ts')).href;
    const args = ['-e', `setInterval(() => 0, 1000) // ${marker}`];
    const program = { command: process.execPath, args, folder: '/' };
    const script = `
      const { startProgram } = await import(${JSON.stringify(module)});
      await startProgram(${JSON.stringify(program)}, ${JSON.stringify(isolation)});
      setInterval(() => 0, 1000);`;
    const bae = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    // The process that stands for bae names the marker too.
    await untilMarked(marker, 2);
    bae.kill('SIGKILL');
    await untilMarked(marker, 0);
  });
});

it.runIf(found.type === 'namespace')('ends with its daemons in a namespace', async () => {
  const marker = makeMarker();
  const daemon = `setsid sh -c 'trap "" TERM HUP; while :; do sleep 0.05; done' ${marker} </dev/null >/dev/null 2>&1 &`;
  const { ended } = await startProgram(
    shell(`${daemon} while ! pgrep -f ${marker} >/dev/null; do :; done; echo up`),
    found,
  );
  expect((await ended).output).toBe('up\n');
  expect(listMarked(marker)).toEqual([]);
});

describe('a program in a tree', () => {
  it('ends with all that runs below it', async () => {
    const marker = makeMarker();
    const deep = `sh -c "sh -c 'sleep 1000; :' ${marker}; :" ${marker}; :`;
    const running = await startProgram(shell(`setsid sh -c '${deep.replaceAll("'", `'\\''`)}' & echo up; wait`), TREE);
    await untilMarked(marker, 3);
    await running.stop();
    await untilMarked(marker, 0);
    expect(await running.ended).toMatchObject({ code: null, output: 'up\n' });
  });

  it('ends even if the command that ends trees does not', async () => {
    const marker = makeMarker();
    for (const command of [['/no/such/program'], [process.execPath, '-e', 'process.exit(1)']] as const) {
      const args = ['-e', `setInterval(() => 0, 1000) // ${marker}`];
      const running = await startProgram({ command: process.execPath, args, folder: '/' }, { type: 'tree', command });
      await untilMarked(marker, 1);
      await running.stop();
      await untilMarked(marker, 0);
    }
  });

  it('says why it could not be started', async () => {
    const folder = temporaryFolder({ broken: '#!/no/such/program\n' });
    chmodSync(join(folder, 'broken'), 0o755);
    const { ended } = await startProgram({ command: './broken', folder }, TREE);
    expect(await ended).toMatchObject({
      code: 126,
      output: '',
      errors: expect.stringMatching(/^spawn .*broken ENOENT\n$/) as string,
    });
  });

  it('does not hand its settings for Node to the process that watches it', async () => {
    const environment = { NODE_OPTIONS: '--no-such-option' };
    expect((await (await startProgram(shell('echo "$NODE_OPTIONS"', { environment }), TREE)).ended).output).toBe(
      '--no-such-option\n',
    );
  });

  it('talks over its input and output, and ends with what it started', async () => {
    const marker = makeMarker();
    const opened = await openProgram(shell(`sh -c 'sleep 1000; :' ${marker} & cat`), TREE);
    const { stdin, stdout } = opened.process;
    stdin!.write('hello\n');
    expect(String((await once(stdout!, 'data'))[0])).toBe('hello\n');
    opened.end();
    await once(opened.process, 'exit');
    await untilMarked(marker, 0);
  });
});

describe('a program on Windows, as far as it runs here', () => {
  it('is started by the shim of a package manager, with the arguments and variables that it was given', async () => {
    const shim = [
      '@SETLOCAL',
      '@IF NOT DEFINED NODE_PATH (',
      '  @SET "NODE_PATH=/packages"',
      ') ELSE (',
      '  @SET "NODE_PATH=/packages;%NODE_PATH%"',
      ')',
      '@IF EXIST "%~dp0\\node.exe" (',
      '  "%~dp0\\node.exe"  "%~dp0\\..\\tool\\cli.js" %*',
      ') ELSE (',
      '  @SET PATHEXT=%PATHEXT:;.JS;=;%',
      '  node  "%~dp0\\..\\tool\\cli.js" %*',
      ')',
    ];
    const script = `
      console.log(JSON.stringify([process.argv.slice(2), process.env.NODE_PATH, process.env.TEMP, process.env.KEY]));
      console.error('warning'); process.exitCode = 3;`;
    const machine = temporaryFolder({ 'npm/tool.cmd': shim.join('\r\n'), 'tool/cli.js': script });
    chmodSync(join(machine, 'npm/tool.cmd'), 0o755);
    symlinkSync(process.execPath, join(machine, 'node.exe'));
    const variables = { Path: `${machine};${join(machine, 'npm')}`, temp: '/t', KEY: 'secret' };
    const platform = createWindows(variables, { ...posix, delimiter: ';' });
    const args = ['a b', '"&calc', '%PATH%', '', 'new\nline', '\\'];
    const program: Program = {
      command: 'TOOL',
      args,
      folder: temporaryFolder(),
      inherits: 'basics',
      mergesErrors: true,
    };
    await expect(startProgram({ ...program, platform }, TREE)).rejects.toMatchObject({ code: 'ENOENT' });
    const { ended } = await startProgram({ ...program, command: 'tool', platform }, TREE);
    expect(await ended).toMatchObject({
      code: 3,
      output: `${JSON.stringify([args, '/packages', null, null])}\nwarning\n`,
    });
  });

  it('is not started with an argument that cmd.exe could run', async () => {
    const folder = temporaryFolder({ 'run.bat': '@echo %*' });
    chmodSync(join(folder, 'run.bat'), 0o755);
    const platform = createWindows({}, posix);
    await expect(startProgram({ command: './run', args: ['"&calc'], folder, platform }, TREE)).rejects.toThrow(
      'the argument "\\"&calc" cannot be handed to run.bat',
    );
  });
});

describe('what is waited for', () => {
  it('is not a process that got away with the output', async () => {
    const marker = makeMarker();
    const { ended } = await startProgram(shell(`setsid sh -c 'sleep 1000; :' ${marker} & sleep 0.2; echo done`), GROUP);
    expect((await ended).output).toBe('done\n');
    for (const id of listMarked(marker)) process.kill(id, 'SIGKILL');
  });
});

describe('a name', () => {
  it('is found in no folder of the project, nor in a relative one', async () => {
    const folder = temporaryFolder({ 'bin/git': '#!/bin/sh\necho false', 'bin/mine': '#!/bin/sh\necho false' });
    for (const name of ['git', 'mine']) chmodSync(join(folder, 'bin', name), 0o755);
    const path = [join(folder, 'bin'), '.', 'bin', '', process.env['PATH']].join(delimiter);
    vi.stubEnv('PATH', path);
    const run = async (command: string, args: readonly string[]) =>
      (await (await startProgram({ command, args, folder, inherits: 'basics' })).ended).output;
    expect(await run('git', ['--version'])).toMatch(/^git version/);
    await expect(run('mine', [])).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await run('sh', ['-c', 'command -v git; command -v mine'])).not.toContain(folder);
    expect(await run('./bin/mine', [])).toBe('false\n');
  });

  it('is that of a file that can be run', async () => {
    const folder = temporaryFolder({ tool: '' });
    symlinkSync('nowhere', join(folder, 'broken'));
    writeFileSync(join(folder, 'plain'), '');
    for (const command of ['./tool', './broken', './plain', '.', '/', ''])
      await expect(startProgram({ command, args: [], folder })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
