import { chmodSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { createWindows } from '@bae/project';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { type Files, temporaryFolder } from '../../test/open-commands.ts';
import { planCommand } from './plan-command.ts';

/** Shim that pnpm writes for a script. */
const SHIM = (script: string): string =>
  [
    '@SETLOCAL',
    '@IF EXIST "%~dp0\\node.exe" (',
    `  "%~dp0\\node.exe"  "%~dp0\\${script}" %*`,
    ') ELSE (',
    '  @SET PATHEXT=%PATHEXT:;.JS;=;%',
    `  node  "%~dp0\\${script}" %*`,
    ')',
    '',
  ].join('\r\n');

/** A folder with these files, all of which can be run. */
function programFolder(files: Files): string {
  const folder = temporaryFolder(files);
  for (const path of Object.keys(files)) chmodSync(join(folder, path), 0o755);
  return folder;
}

/** A workspace as Windows would see it, on the disk of the test. */
function openWindows(files: Files = {}, programs: readonly string[] = ['git.exe', 'node.exe', 'sort.exe']) {
  const folder = programFolder(files);
  const machine = programFolder({
    'System32/cmd.exe': '',
    ...Object.fromEntries(programs.map((name) => [`bin/${name}`, ''])),
  });
  const variables = { Path: join(machine, 'bin'), SystemRoot: machine };
  const platform = createWindows(variables, { ...posix, delimiter: ';' });
  const root = new WorkspaceRoot(folder);
  const plan = async (text: string, isScript = false) => {
    const planned = await planCommand(root, { text, isScript, folder: '' }, platform);
    const shown = planned.shown.replaceAll(machine, 'MACHINE').replaceAll(root.folder, 'PROJECT');
    const names = planned.touches.flatMap((touch) => ('outside' in touch ? [touch.outside] : []));
    return { ...planned, shown, names: names.map((name) => name.replaceAll(machine, 'MACHINE')) };
  };
  return { plan, sh: (text: string) => plan(text, true), root };
}

describe('a command on Windows', () => {
  it('has paths with backslashes as they are, and is known by its name without an ending', async () => {
    const { plan } = openWindows();
    const planned = await plan(`git.exe add src\\a.ts "C:\\My Files\\b.ts" 'it'\\''s' "say \\"hi\\"" D:\\`);
    expect(planned.words).toEqual(['git.exe', 'add', 'src\\a.ts', 'C:\\My Files\\b.ts', "it's", 'say "hi"', 'D:\\']);
    expect((await plan('git.exe push')).names).toEqual([
      'command:git.exe push',
      'command:git push',
      'command:MACHINE/bin/git.exe push',
    ]);
  });

  it('is shown with the script that a shim starts, and asked about again with another one', async () => {
    const { plan, root } = openWindows({ 'bin/tool.cmd': SHIM('..\\lib\\cli.js'), 'lib/cli.js': 'one' });
    const before = await plan('bin/tool --version');
    expect(before.shown).toMatch(/^bin\/tool --version\nruns PROJECT\/lib\/cli\.js \([0-9a-f]{16}-[0-9a-f]{16}\)$/);
    expect(before.launch.args).toEqual([join(root.folder, 'lib/cli.js'), '--version']);
    writeFileSync(join(root.folder, 'lib/cli.js'), 'two');
    expect((await plan('bin/tool --version')).target).not.toBe(before.target);
  });

  it('is refused if cmd.exe could run a part of it', async () => {
    const { plan } = openWindows({ 'run.bat': '@echo %*' });
    expect((await plan('./run one "two three"')).launch.args.at(-1)).toMatch(/^""\/.*\/run\.bat" one "two three""$/);
    await expect(plan(`./run '"&calc'`)).rejects.toMatchObject({
      message: expect.stringContaining('the argument "\\"&calc" cannot be handed to run.bat') as string,
      hints: [`<sh:>\n./run '"&calc'\n</sh>`],
    });
  });

  it('that sets a variable is one for the shell', async () => {
    const hints = async (...programs: readonly string[]) => {
      const { plan } = openWindows({}, programs);
      return plan('CI=1 npm test').catch((error: { readonly hints?: unknown }) => error.hints);
    };
    expect(await hints('sh.exe')).toEqual(['<sh:CI=1 npm test>']);
    expect(await hints()).toEqual(['<sh:set "CI=1" && npm test>']);
  });

  it('is known to only read if its program is the same on all systems', async () => {
    const { plan, sh } = openWindows({}, ['git.exe', 'sort.exe', 'node.exe', 'sh.exe']);
    const reads = async (command: string) => (await plan(command)).reads;
    expect(await reads('git status')).toBe(true);
    expect(await reads('node --version')).toBe(true);
    // Windows has its own, which writes to a file.
    expect(await reads('sort /O b.txt a.txt')).toBe(false);
    expect((await sh('git log | git status')).reads).toBe(true);
    expect((await sh('git log | sort')).reads).toBe(false);
  });
});

describe('a text for the shell of Windows', () => {
  it('is run by sh where there is one, and says so', async () => {
    const { sh } = openWindows({}, ['sh.exe']);
    const { words, shell, shown, launch } = await sh('ls | wc -l');
    expect({ words, shell, args: launch.args }).toEqual({
      words: ['sh', '-c', 'ls | wc -l'],
      shell: 'sh',
      args: ['-c', 'ls | wc -l'],
    });
    expect(shown).toBe('sh:\nls | wc -l');
  });

  it('is run by cmd.exe otherwise, in one line, which is not judged', async () => {
    const { sh } = openWindows();
    const planned = await sh('git status && dir "a b" > nul');
    expect(planned).toMatchObject({ shell: 'cmd', reads: false });
    expect(planned.shown).toMatch(/^cmd\.exe:\ngit status && dir "a b" > nul/);
    expect(planned.target).toBe(`command:cmd /d /e:on /v:off /s /c 'git status && dir "a b" > nul'`);
    expect(planned.launch).toMatchObject({ isQuoted: true });
    expect(planned.launch.args.at(-1)).toBe('"git status && dir "a b" > nul"');
    expect((await sh('git status')).reads).toBe(false);
    await expect(sh('dir\ncd src\n\ndir')).rejects.toMatchObject({
      message: expect.stringContaining('the shell of this machine is cmd.exe, which runs one line.') as string,
      hints: ['<sh:dir && cd src && dir>'],
    });
  });

  it('is compared with rules that deny, however a name is written', async () => {
    const { sh } = openWindows();
    expect((await sh('echo x & d^EL "a.txt"')).names).toEqual(
      expect.arrayContaining(['command:d^EL "a.txt"', 'command:del a.txt']),
    );
  });
});
