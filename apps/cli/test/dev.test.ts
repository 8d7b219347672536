// @module-tag long

import { describe, expect, it } from 'vitest';
import { hasTerminal, openTerminal } from './open-terminal.ts';
import { runProgram, startProgram } from './run-bae.ts';
import { scratchFolder } from './scratch-folder.ts';

const CORE = JSON.stringify(import.meta.resolve('@bae/core'));

const tea = (text: string) => `
import { defineResourcespace, tool } from ${CORE};
import { leaf } from './leaf.js';
export const tea = defineResourcespace({
  name: 'tea', description: 'Tea.', tools: { read: tool('What there is.', {}, () => '${text} ' + leaf) },
});`;

function packageWithTea() {
  const folder = scratchFolder();
  folder.put('package.json', { name: 'bae-resourcespace-tea', type: 'module', main: 'index.js' });
  folder.put('index.js', tea('a cup of'));
  folder.put('leaf.js', "export const leaf = 'green';");
  return folder;
}

describe('bae dev', () => {
  it('stands in the space, and follows its code', async () => {
    const { path: cwd, put } = packageWithTea();
    const bae = startProgram(['dev'], { cwd });
    await bae.printed('Entering tea');
    bae.child.stdin.write('<R:>\n');
    await bae.printed('a cup of green');
    put('leaf.js', "export const leaf = 'black';");
    await bae.printed('loaded bae-resourcespace-tea: tea (read)\n');
    bae.child.stdin.write('<R:>\n');
    await bae.printed('a cup of black');
    bae.child.stdin.end();
    expect(await bae.end).toMatchObject({ code: 0, err: '' });
  });

  it('runs the hooks of the package, as they are now', async () => {
    const { path: cwd, put } = packageWithTea();
    const withHook = (words: string) =>
      `${tea('a cup of')}\nexport const hooks = [{ name: 'closed', beforeCall: ({ tool }) => (tool === 'read' ? { refuse: '${words}' } : undefined) }];`;
    put('index.js', withHook('not on Sundays'));
    const bae = startProgram(['dev'], { cwd });
    await bae.printed('Entering tea');
    bae.child.stdin.write('<R:>\n');
    await bae.printed('the hook closed refuses it: not on Sundays');
    put('index.js', withHook('not on Mondays'));
    await bae.printed('loaded bae-resourcespace-tea: tea (read); hook closed\n');
    bae.child.stdin.end('<R:>\n');
    expect((await bae.end).out).toContain('the hook closed refuses it: not on Mondays');
  });

  it('keeps what works when the code does not, and explains why in one line', async () => {
    const { path: cwd, put } = packageWithTea();
    const bae = startProgram(['dev', '.'], { cwd });
    await bae.printed('Entering tea');
    put('leaf.js', 'export const leaf = ;');
    await bae.printed("not loaded, what was there before stays: SyntaxError: Unexpected token ';'\n");
    bae.child.stdin.end('<R:>\n');
    const { code, out } = await bae.end;
    expect(code).toBe(0);
    expect(out).toMatch(/\na cup of green\n$/);
  });

  it('runs code with the tools of the space', async () => {
    const bae = startProgram(['dev'], { cwd: packageWithTea().path });
    await bae.printed('Entering tea');
    bae.child.stdin.end('/code (await read()).toUpperCase()\n');
    expect(await bae.end).toMatchObject({ code: 0, out: expect.stringContaining('A CUP OF GREEN\n') as string });
  });

  it('waits for code that works when there is none', async () => {
    const { path: cwd, put } = packageWithTea();
    put('index.js', "throw new Error('no licence');");
    const bae = startProgram(['dev'], { cwd });
    await bae.printed('not loaded, what was there before stays: Error: no licence\n');
    put('index.js', tea('a pot of'));
    await bae.printed('loaded bae-resourcespace-tea: tea (read)\n');
    bae.child.stdin.end('@tea()\n<R:>\n');
    expect((await bae.end).out).toContain('\na pot of green\n');
  });

  it('ends by itself when the input does, and refuses to write where nobody can be asked', async () => {
    const { path: cwd, put } = packageWithTea();
    put('index.js', tea('').replace('read: tool', 'pour: tool'));
    const { code, out } = await runProgram(['dev'], { cwd, input: '<pour:>\n' });
    expect(code).toBe(0);
    expect(out).toContain('ApprovalError: pour was not run');
  });

  it('stops when it is asked to', async () => {
    const { path: cwd } = packageWithTea();
    const bae = startProgram(['dev'], { cwd });
    await bae.printed('Entering tea');
    bae.child.kill('SIGTERM');
    expect((await bae.end).code).toBe(143);
  });

  it.each([
    [['a', 'b'], 2, 'bae: bae dev takes one folder: bae dev ./my-space.\nMore: bae dev --help\n'],
    [['--json'], 2, 'bae: bae dev takes one folder, and no --json: bae dev ./my-space.\nMore: bae dev --help\n'],
    [['./nowhere'], 1, 'bae: ./nowhere: there is no such folder or module.\nTry: bae create space NAME\n'],
  ])('answers %j with exit code %i and what to do', async (args, code, err) => {
    const { path: cwd } = packageWithTea();
    expect(await runProgram(['dev', ...args], { cwd })).toEqual({ code, out: '', err });
  });

  it.runIf(hasTerminal)('tells of a reload above what is being typed', async () => {
    const { path: cwd, put } = packageWithTea();
    const { shows, type, code, screen } = openTerminal({ cwd, args: 'dev' });
    await shows('home > tea>');
    type('<R');
    await shows('<R');
    put('leaf.js', "export const leaf = 'black';");
    await shows('loaded bae-resourcespace-tea: tea (read)');
    type(':>\r');
    await shows('a cup of black');
    expect(screen()).toContain('<R:>');
    type('exit\r');
    expect(await code).toBe(0);
  });
});
