import { chmodSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { findProgram, prepareProgram } from '../find-program.ts';
import { createWindows } from './windows.ts';

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\r\n`).join('');

/** What npm writes, since version 7 and before. */
const NPM = (options: string, target: string): string =>
  lines(
    '@ECHO off',
    'GOTO start',
    ':find_dp0',
    'SET dp0=%~dp0',
    'EXIT /b',
    ':start',
    'SETLOCAL',
    'CALL :find_dp0',
    '',
    'IF EXIST "%dp0%\\node.exe" (',
    '  SET "_prog=%dp0%\\node.exe"',
    ') ELSE (',
    '  SET "_prog=node"',
    '  SET PATHEXT=%PATHEXT:;.JS;=;%',
    ')',
    '',
    `endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%" ${options} "%dp0%\\${target}" %*`,
  );
const OLD_NPM = (target: string): string =>
  lines(
    '@ECHO off',
    'SETLOCAL',
    'CALL :find_dp0',
    '',
    'IF EXIST "%dp0%\\node.exe" (',
    '  SET "_prog=%dp0%\\node.exe"',
    ') ELSE (',
    '  SET "_prog=node"',
    '  SET PATHEXT=%PATHEXT:;.JS;=;%',
    ')',
    '',
    `"%_prog%"  "%dp0%\\${target}" %*`,
    'ENDLOCAL',
    'EXIT /b %errorlevel%',
    ':find_dp0',
    'SET dp0=%~dp0',
    'EXIT /b',
  );

/** What pnpm, Yarn and corepack write. */
const PNPM = (target: string, nodePath?: string): string =>
  lines(
    '@SETLOCAL',
    ...(nodePath === undefined
      ? []
      : [
          '@IF NOT DEFINED NODE_PATH (',
          `  @SET "NODE_PATH=${nodePath}"`,
          ') ELSE (',
          `  @SET "NODE_PATH=${nodePath};%NODE_PATH%"`,
          ')',
        ]),
    '@IF EXIST "%~dp0\\node.exe" (',
    `  "%~dp0\\node.exe"  "%~dp0\\${target}" %*`,
    ') ELSE (',
    '  @SET PATHEXT=%PATHEXT:;.JS;=;%',
    `  node  "%~dp0\\${target}" %*`,
    ')',
  );

/** The `npm.cmd` beside Node, as its installer writes it. */
const OF_NODE = lines(
  ":: Created by npm, please don't edit manually.",
  '@ECHO OFF',
  '',
  'SETLOCAL',
  '',
  'SET "NODE_EXE=%~dp0\\node.exe"',
  'IF NOT EXIST "%NODE_EXE%" (',
  '  SET "NODE_EXE=node"',
  ')',
  '',
  'SET "NPM_PREFIX_JS=%~dp0\\node_modules\\npm\\bin\\npm-prefix.js"',
  'SET "NPM_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npm-cli.js"',
  `FOR /F "delims=" %%F IN ('CALL "%NODE_EXE%" "%NPM_PREFIX_JS%"') DO (`,
  '  SET "NPM_PREFIX_NPM_CLI_JS=%%F\\node_modules\\npm\\bin\\npm-cli.js"',
  ')',
  'IF EXIST "%NPM_PREFIX_NPM_CLI_JS%" (',
  '  SET "NPM_CLI_JS=%NPM_PREFIX_NPM_CLI_JS%"',
  ')',
  '',
  '"%NODE_EXE%" "%NPM_CLI_JS%" %*',
);

const SCRIPT = { 'pkg/cli.js': '' };

/** The rules of Windows on the disk of the test, with a Node on the PATH. */
async function launchShim(text: string, variables: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder({ ...SCRIPT, 'bin/tool.cmd': text, 'pkg/tool.exe': '' });
  const machine = temporaryFolder({ 'node.exe': '', 'cmd.exe': '' });
  const executable = [join(folder, 'bin/tool.cmd'), join(folder, 'pkg/tool.exe'), join(machine, 'node.exe')];
  for (const file of executable) chmodSync(file, 0o755);
  const platform = createWindows({ Path: machine, SystemRoot: machine, ...variables }, posix);
  const found = await findProgram('bin/tool', { folder, platform });
  const launch = prepareProgram(found!, ['a b', '"&calc', '%PATH%'], platform);
  return {
    file: launch.file.replace(machine, 'MACHINE').replace(folder, 'PROJECT'),
    args: launch.args.map((arg) => arg.replaceAll(folder, 'PROJECT')),
    variables: launch.variables,
    isQuoted: launch.isQuoted,
  };
}

const ARGS = ['a b', '"&calc', '%PATH%'];
const NODE = { file: 'MACHINE/node.exe', args: ['PROJECT/pkg/cli.js', ...ARGS], variables: {}, isQuoted: false };

describe('a shim of a package manager', () => {
  it.each([
    ['npm', NPM('', '..\\pkg\\cli.js')],
    ['npm 6', OLD_NPM('..\\pkg\\cli.js')],
    ['pnpm, Yarn and corepack', PNPM('..\\pkg\\cli.js')],
  ])('of %s starts Node with its script, and any arguments, without cmd.exe', async (_, text) => {
    expect(await launchShim(text)).toEqual(NODE);
  });

  it('keeps the options of Node', async () => {
    const text = NPM('--expose_gc --max-old-space-size=8192', '..\\pkg\\cli.js');
    expect((await launchShim(text)).args.slice(0, 3)).toEqual([
      '--expose_gc',
      '--max-old-space-size=8192',
      'PROJECT/pkg/cli.js',
    ]);
  });

  it('keeps the folders in which Node looks for packages', async () => {
    const text = PNPM('..\\pkg\\cli.js', 'C:\\a\\node_modules;C:\\b\\node_modules');
    expect((await launchShim(text)).variables).toEqual({ NODE_PATH: 'C:\\a\\node_modules;C:\\b\\node_modules' });
    expect((await launchShim(text, { node_path: '/own' })).variables).toEqual({
      NODE_PATH: `C:\\a\\node_modules;C:\\b\\node_modules${posix.delimiter}/own`,
    });
  });

  it('starts a program that is no script', async () => {
    const exe = { file: 'PROJECT/pkg/tool.exe', args: ARGS };
    expect(await launchShim(lines('@SETLOCAL', '@"%~dp0\\..\\pkg\\tool.exe"   %*'))).toMatchObject(exe);
    const text = lines('@ECHO off', 'GOTO start', ':find_dp0', 'SET dp0=%~dp0', 'EXIT /b', ':start', 'SETLOCAL');
    expect(await launchShim(`${text}${lines('CALL :find_dp0', '"%dp0%\\..\\pkg\\tool"   %*')}`)).toMatchObject(exe);
  });

  it('is none if a line does more, or its two calls differ', async () => {
    for (const text of [
      `${NPM('', '..\\pkg\\cli.js')}del /q important\r\n`,
      NPM('', '..\\pkg\\cli.js').replace('SETLOCAL', 'SETLOCAL & calc'),
      NPM('--require "x.js"', '..\\pkg\\cli.js'),
      PNPM('..\\pkg\\cli.js').replace('  node  "%~dp0\\..\\pkg\\cli.js"', '  node  "%~dp0\\..\\pkg\\other.js"'),
      PNPM('..\\pkg\\cli.js').replaceAll(' %*', ' & calc %*'),
      PNPM('..\\pkg\\%USERNAME%.js'),
      PNPM('..\\pkg\\cli.js').replaceAll('node', 'sh'),
      PNPM('..\\pkg\\cli.js').replace('@SETLOCAL', '@SETLOCAL\r\n@SET NODE_OPTIONS=--require=./x.js'),
      lines('@SETLOCAL', '@"%~dp0\\other.cmd" %*'),
      lines('@echo off', 'echo %1'),
      '',
    ]) {
      await expect(launchShim(text)).rejects.toThrow(/"&calc.* cannot be handed to tool\.cmd/);
    }
  });
});

describe('the npm beside Node', () => {
  it('is started without cmd.exe; one that the user has installed comes first', async () => {
    const machine = temporaryFolder({ 'node.exe': '', 'npm.cmd': OF_NODE, 'node_modules/npm/bin/npm-cli.js': '' });
    for (const name of ['node.exe', 'npm.cmd']) chmodSync(join(machine, name), 0o755);
    const home = temporaryFolder({ 'npm/node_modules/npm/bin/npm-cli.js': '' });
    const launch = async (variables: Readonly<Record<string, string>>) => {
      const platform = createWindows({ PATH: machine, ...variables }, posix);
      const found = await findProgram('npm', { folder: temporaryFolder(), platform });
      return prepareProgram(found!, ['test'], platform);
    };
    const script = 'node_modules/npm/bin/npm-cli.js';
    const file = join(machine, 'node.exe');
    expect(await launch({})).toMatchObject({ file, args: [join(machine, script), 'test'] });
    expect(await launch({ APPDATA: temporaryFolder() })).toMatchObject({ args: [join(machine, script), 'test'] });
    expect(await launch({ AppData: home })).toMatchObject({ file, args: [join(home, 'npm', script), 'test'] });
  });
});
