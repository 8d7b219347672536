import { chmodSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { createEnvironment, listProgramFolders } from './environment.ts';
import { findProgram, findShell, prepareProgram, prepareShell } from './find-program.ts';
import { POSIX } from './platform/this-platform.ts';
import { createWindows } from './platform/windows.ts';

/** A folder with programs, which hold nothing. */
function programFolder(...names: readonly string[]): string {
  const folder = temporaryFolder(Object.fromEntries(names.map((name) => [name, ''])));
  for (const name of names) chmodSync(join(folder, name), 0o755);
  return folder;
}

/** Finds programs as Windows does, on the disk of the test. */
function onWindows(project: string, variables: Readonly<Record<string, string>>) {
  const platform = createWindows(variables, { ...posix, delimiter: ';' });
  return async (name: string) =>
    (await findProgram(name, { folder: project, platform }))?.path.replace(project, 'PROJECT');
}

describe('a name on Windows', () => {
  it('is looked up with the endings of PATHEXT, in the PATH however it is written', async () => {
    const [first, second] = [programFolder('b.cmd', 'c.bat'), programFolder('a.exe', 'b.exe', 'plain', 'x.js')];
    const find = onWindows(temporaryFolder(), { pAtH: `"${first}";${second}` });
    expect(await find('a')).toBe(join(second, 'a.exe'));
    expect(await find('b')).toBe(join(first, 'b.cmd'));
    expect(await find('b.exe')).toBe(join(second, 'b.exe'));
    expect(await find('c')).toBe(join(first, 'c.bat'));
    expect(await find('missing')).toBeUndefined();
    // Windows would ask which program opens these.
    expect(await find('plain')).toBeUndefined();
    expect(await find('x')).toBeUndefined();
    expect(await find('x.js')).toBeUndefined();
    expect(await onWindows(temporaryFolder(), { PATH: first, PATHEXT: '.EXE;.CMD' })('c')).toBeUndefined();
  });

  it('is a program before it is a batch file, in the same folder', async () => {
    const folder = programFolder('npm.cmd', 'npm.bat', 'npm.com', 'npm.exe');
    const find = (pathext: string) => onWindows(temporaryFolder(), { PATH: folder, PATHEXT: pathext })('npm');
    expect(await find('.BAT;.CMD;.EXE;.COM')).toBe(join(folder, 'npm.exe'));
    expect(await find('.BAT;.CMD;.COM;.EXE')).toBe(join(folder, 'npm.com'));
    expect(await find('.CMD;.BAT;.VBS')).toBe(join(folder, 'npm.cmd'));
  });

  it('is found neither in the current folder nor in the project', async () => {
    const project = programFolder('git.exe', 'bin/git.exe', 'bin/mine.exe');
    const own = programFolder('git.exe');
    const find = onWindows(project, { PATH: [project, '.', '', 'bin', join(project, 'bin'), own].join(';') });
    expect(await find('git')).toBe(join(own, 'git.exe'));
    expect(await find('mine')).toBeUndefined();
    expect(await find('./git')).toBe('PROJECT/git.exe');
    expect(await find('bin/mine.exe')).toBe('PROJECT/bin/mine.exe');
    expect(await find(join(project, 'bin', 'mine'))).toBe('PROJECT/bin/mine.exe');
  });

  it('is neither a stream in a file nor what Windows reads differently', async () => {
    const project = programFolder('a.bat', 'a.bat.exe', 'a.exe:b.exe', 'a.exe');
    const find = onWindows(project, { PATH: '' });
    expect(await find('./a.bat')).toBe('PROJECT/a.bat');
    for (const name of ['./a.bat.', './a.bat ', './a.bat. .', './a.exe:b.exe', './a?', './*', './a.exe"', '', '.'])
      expect(await find(name)).toBeUndefined();
  });

  it('is looked up where Windows is if there is no PATH, and ignores the case of paths', () => {
    const list = (variables: Readonly<Record<string, string>>) =>
      listProgramFolders('C:\\Users\\Ann\\Shop', createWindows(variables));
    expect(list({ SYSTEMROOT: 'D:\\Win' })).toEqual(['D:\\Win\\System32', 'D:\\Win']);
    const folders = [
      'c:\\users\\ann\\SHOP\\bin',
      'C:\\Users\\Ann\\Shopping',
      'D:\\Tools',
      'C:\\Users\\Ann\\Shop',
      'bin',
    ];
    expect(list({ Path: folders.join(';') })).toEqual(['C:\\Users\\Ann\\Shopping', 'D:\\Tools']);
  });
});

describe('the environment on Windows', () => {
  it('has the basics of Windows, whatever their case', () => {
    const variables = {
      Path: 'C:\\Tools;C:\\Shop\\bin',
      SystemRoot: 'C:\\Windows',
      ComSpec: 'C:\\Windows\\System32\\cmd.exe',
      PATHEXT: '.EXE',
      Temp: 'C:\\Temp',
      USERPROFILE: 'C:\\Users\\Ann',
      APPDATA: 'C:\\Users\\Ann\\AppData\\Roaming',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
      PROCESSOR_ARCHITECTURE: 'AMD64',
      GITHUB_TOKEN: 'secret',
      NODE_OPTIONS: '--require=x',
      OPENAI_API_KEY: 'secret',
    };
    const platform = createWindows(variables);
    const { GITHUB_TOKEN: _1, NODE_OPTIONS, OPENAI_API_KEY: _2, Path: _3, ...basics } = variables;
    expect(createEnvironment({ inherits: 'basics', project: 'C:\\Shop', platform })).toEqual({
      ...basics,
      PATH: 'C:\\Tools',
      NoDefaultCurrentDirectoryInExePath: '1',
    });
    const own = createEnvironment({ inherits: 'project', project: 'C:\\Shop', platform });
    expect(own).toEqual({ ...basics, NODE_OPTIONS, Path: variables.Path });
  });

  it('has each variable once, the last one that is set', () => {
    const platform = createWindows({ Path: 'C:\\a', Home: 'C:\\b' });
    const request = { inherits: 'project', project: 'C:\\Shop', platform } as const;
    expect(createEnvironment(request, { PATH: 'C:\\c' }, { home: 'C:\\d', x: undefined })).toEqual({
      PATH: 'C:\\c',
      home: 'C:\\d',
    });
    const both = createEnvironment({ ...request, platform: { ...POSIX, variables: { Path: '1' } } }, { PATH: '2' });
    expect(both).toEqual({ Path: '1', PATH: '2' });
  });
});

describe('the shell', () => {
  it('is sh, as a name on the PATH', async () => {
    const shell = (await findShell({ folder: temporaryFolder() }))!;
    expect(shell).toMatchObject({ name: 'sh', options: ['-c'] });
    expect(prepareShell(shell, 'echo "$HOME"')).toMatchObject({ args: ['-c', 'echo "$HOME"'], isQuoted: false });
  });

  it('is that of Git on a Windows that has one, and otherwise cmd.exe', async () => {
    const windows = programFolder('System32/cmd.exe');
    const git = programFolder('cmd/git.exe', 'bin/sh.exe');
    const own = programFolder('sh.exe');
    const find = async (...folders: readonly string[]) => {
      const variables = { Path: folders.join(';'), SystemRoot: windows };
      const platform = createWindows(variables, { ...posix, delimiter: ';' });
      const shell = (await findShell({ folder: temporaryFolder(), platform }))!;
      return { name: shell.name, ...prepareShell(shell, 'echo "a b" & dir', platform) };
    };
    expect(await find(own, join(git, 'cmd'))).toMatchObject({ name: 'sh', file: join(own, 'sh.exe') });
    expect(await find(join(git, 'cmd'))).toMatchObject({
      name: 'sh',
      file: join(git, 'bin/sh.exe'),
      args: ['-c', 'echo "a b" & dir'],
      isQuoted: false,
    });
    expect(await find(programFolder('git.exe', 'sh.cmd', 'sh.bat'))).toMatchObject({
      name: 'cmd',
      file: join(windows, 'System32/cmd.exe'),
      args: ['/d', '/e:on', '/v:off', '/s', '/c', '"echo "a b" & dir"'],
      isQuoted: true,
    });
  });
});

describe('a batch file', () => {
  const platform = createWindows({ SystemRoot: 'C:\\Windows' });
  const prepare = (path: string, ...args: readonly string[]) =>
    prepareProgram({ path, realPath: path }, args, platform);

  it('is run by the cmd.exe of Windows, with quoted arguments', () => {
    const args = ['test', '--tests', 'a b', 'C:\\dir with blank\\', 'C:\\dir\\', '', 'a,b;c=d', '(x)', "it's"];
    expect(prepare('C:\\Shop (1)\\gradlew.bat', ...args)).toEqual({
      file: 'C:\\Windows\\System32\\cmd.exe',
      args: [
        '/d',
        '/e:on',
        '/v:off',
        '/s',
        '/c',
        `""C:\\Shop (1)\\gradlew.bat" test --tests "a b" "C:\\dir with blank\\\\" "C:\\dir\\\\" "" "a,b;c=d" "(x)" "it's""`,
      ],
      variables: {},
      isQuoted: true,
    });
    expect(prepare('C:\\a\\B.CMD', '-v').args.at(-1)).toBe('""C:\\a\\B.CMD" -v"');
  });

  it.each([
    '"&calc',
    '%PATH%',
    '%CMDCMDLINE:~-1%&calc',
    'a&calc',
    'a|calc',
    'a\ncalc',
    'a\r',
    'a^',
    '!x!',
    '<x',
    '\0',
    '\u001A',
  ])('is not given an argument that cmd.exe could run: %j', (arg) => {
    for (const file of ['C:\\a\\x.bat', 'C:\\a\\x.CMD'])
      expect(() => prepare(file, 'fine', arg)).toThrow(
        `the argument ${JSON.stringify(arg)} cannot be handed to ${win32.basename(file)}: cmd.exe runs batch files, and could run `,
      );
    // A program gets it as it is.
    expect(prepare('C:\\a\\x.exe', arg)).toMatchObject({ args: [arg], isQuoted: false });
  });

  it('is not started from a path that cmd.exe would read as something else', () => {
    expect(() => prepare('C:\\%TEMP%\\x.bat')).toThrow('x.bat cannot be started: cmd.exe reads the path');
    expect(prepare('C:\\a & b\\x.bat').args.at(-1)).toBe('""C:\\a & b\\x.bat""');
  });

  it('is known to rules by its name without an ending, in lower case', () => {
    expect(platform.listNames('C:\\Tools\\RM.EXE')).toEqual(['RM.EXE', 'RM', 'rm']);
    expect(platform.listNames('.\\bin/Run.Cmd')).toEqual(['Run.Cmd', 'Run', 'run']);
    expect(platform.listNames('git')).toEqual(['git', 'git', 'git']);
  });
});
