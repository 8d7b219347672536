import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openBae, runBae, runProgram } from './run-bae.ts';
import { IMPORTS, install, markingModule } from './sample-plugin.ts';
import { put, scratchFolder } from './scratch-folder.ts';

let cwd: string;
beforeEach(() => {
  cwd = scratchFolder().path;
});

const bae = (...args: readonly string[]) => runBae(args, { cwd });
/** For code that goes by the folder of its process, or is changed and run again. */
const program = (...args: readonly string[]) => runProgram(args, { cwd });
const ran = (): boolean => existsSync(join(cwd, 'ran'));
const DISCOVER = '{"discover": true}';

it('shows names as they are, also where they contain a colour of bae', async () => {
  const name = 'x\u001B[31mred\u001B[0m';
  put(cwd, '.mcp.json', JSON.stringify({ mcpServers: { [name]: { command: 'nothing' } } }));
  const commands = [
    ['trust', '--yes'],
    ['mcp', 'remove', name],
    ['mcp', 'logout', name],
  ];
  for (const command of commands) {
    const { out, err } = await bae(...command);
    expect(out + err, command.join(' ')).toContain('x␛[31mred␛[0m');
    expect(out + err, command.join(' ')).not.toContain('\u001B');
  }
});

describe('a package that nobody trusts', () => {
  it('runs no line of its code, whatever is asked', { tags: ['long'] }, async () => {
    await install(cwd, 'tickets');
    put(cwd, 'bae.config.json', '{"spaces": ["tickets"]}');
    const commands = [
      ['spaces'],
      ['inspect'],
      ['doctor'],
      ['trust'],
      ['trust', 'tickets'],
      ['parse', '-'],
      ['spaces', '--config', 'bae.config.json'],
    ];
    for (const command of commands) {
      const { out, err } = await bae(...command);
      expect(`${out}${err}`).not.toContain('printed by');
    }
    const { out, err } = await runProgram(['do', '--config', 'bae.config.json'], {
      cwd,
      input: '@tickets()\n<tickets.R:>\n',
    });
    expect(err).not.toContain('printed by');
    expect(out).toContain('@tickets() names no place, so nothing ran.');
    expect(ran()).toBe(false);
  });

  it('is listed in one line with all others', async () => {
    await install(cwd, 'tickets');
    await install(cwd, 'mail');
    put(cwd, 'named.json', DISCOVER);
    expect((await bae('spaces', '--config', 'named.json')).err).toBe(
      'bae-resourcespace-mail, bae-resourcespace-tickets are not trusted and not used. To look at them and trust them: bae trust\n',
    );
  });
});

describe('bae trust', () => {
  it('leads from the word list to its option, not to a package of that name', async () => {
    expect(await bae('trust', 'list')).toEqual({
      code: 2,
      out: '',
      err: "bae: no package 'list' here. What was decided before: bae trust --list\nMore: bae trust --help\n",
    });
  });

  it('shows what a package is and does, and trusts it when it is told to', async () => {
    const more =
      "read: tool('One.', {}, () => 'read it'), close: tool('Closed.', {}, () => 'x'), mail: tool('Sent.', {}, () => 'x', { effect: 'external' })";
    const folder = await install(cwd, 'tickets', markingModule(cwd, 'tickets', more));
    put(cwd, 'bae.config.json', '{"spaces": [{"use": "tickets", "as": "support"}]}');
    const shown = `\
bae-resourcespace-tickets -- ${folder}
  version 1.2.0
  tickets() -- The tickets.
    reads: read
    writes: close
    leaves this machine or costs money: mail
`;
    expect(await bae('trust', 'tickets')).toEqual({
      code: 1,
      out: shown,
      err: 'bae: not trusted: no one is available to confirm it.\nTry: bae trust --yes\n',
    });
    expect(await bae('trust', '--yes')).toEqual({
      code: 0,
      out: `bae.config.json -- ${join(cwd, 'bae.config.json')}\n  settings: spaces\ntrusted: bae.config.json\n${shown}trusted: bae-resourcespace-tickets\n`,
      err: '',
    });
    expect(await bae('trust')).toEqual({ code: 0, out: '(nothing here waits to be trusted)\n', err: '' });
    expect((await bae('trust', 'tickets')).out).toBe('bae-resourcespace-tickets: trusted already, as it is\n');
    const { out, err } = await bae('spaces');
    expect(out).toContain('  support() -- The tickets.\n    read, close, mail\n');
    expect(err).toBe('');
    expect(ran()).toBe(false);
  });

  it(
    'lets a package run when it is entered or called, and keeps apart what it prints',
    { tags: ['long'] },
    async () => {
      await install(cwd, 'tickets');
      put(cwd, 'bae.config.json', DISCOVER);
      await bae('trust', '--yes');
      const { code, out, err } = await runProgram(['do', '--json'], { cwd, input: '{"text": "<tickets.R:>"}\n' });
      expect(JSON.parse(out)).toMatchObject({ results: [{ ok: true, text: 'read it' }] });
      expect({ code, err }).toEqual({ code: 0, err: 'printed by tickets\n' });
      expect(ran()).toBe(true);
    },
  );

  it('asks again when anything of a package has changed', async () => {
    const folder = await install(cwd, 'tickets');
    put(cwd, 'named.json', DISCOVER);
    await bae('trust', 'tickets', '--yes');
    expect((await bae('spaces', '--config', 'named.json')).out).toContain('tickets()');
    put(folder, 'dist/deep/helper.js', 'evil();');
    const { out, err } = await bae('spaces', '--config', 'named.json');
    expect(out).not.toContain('tickets()');
    expect(err).toContain('bae-resourcespace-tickets is not trusted and not used.');
    expect((await bae('trust', 'tickets')).out).toContain(
      'bae-resourcespace-tickets (changed since you decided about it) -- ',
    );
    expect((await bae('trust', '--list')).out).toBe(`changed   bae-resourcespace-tickets -- ${folder}\n`);
    expect(ran()).toBe(false);
  });

  it('is remembered by path: the same package elsewhere is another one', async () => {
    await install(cwd, 'tickets');
    await bae('trust', 'tickets', '--yes');
    const other = scratchFolder().path;
    await install(other, 'tickets');
    put(other, 'named.json', DISCOVER);
    const env = { HOME: cwd };
    expect((await runBae(['spaces', '--config', 'named.json'], { cwd: other, env })).err).toContain('is not trusted');
  });

  it('runs settings in code, TypeScript too, until they or what they import change', { tags: ['long'] }, async () => {
    put(
      cwd,
      'lib/spaces.ts',
      `${IMPORTS} export const mine = defineResourcespace({ name: 'mine', description: 'Mine.', tools: {} });`,
    );
    put(
      cwd,
      'bae.config.ts',
      `import { writeFileSync } from 'node:fs'; import { mine } from './lib/spaces.ts';
       writeFileSync('ran', ''); const cap: number = 300; export default { cap, spaces: [mine, { use: mine, as: 'yours', under: 'work' }] };`,
    );
    expect((await program('spaces')).err).toBe(
      'bae.config.ts is code and was not run. To use it: bae trust, or --config bae.config.ts\n',
    );
    expect(ran()).toBe(false);
    expect((await program('trust', '--yes')).out).toBe(
      `bae.config.ts -- ${join(cwd, 'bae.config.ts')}\n  settings in code, which runs whenever bae starts here\ntrusted: bae.config.ts\n`,
    );
    const { out, err } = await program('spaces');
    expect(out).toMatch(/ {2}mine\(\) -- Mine\.\n[^]* {4}work\.yours\(\) -- Mine\.\n/);
    expect(err).toBe('');
    put(cwd, 'lib/spaces.ts', 'export const mine = evil();');
    expect((await program('spaces')).err).toContain('bae.config.ts is code and was not run.');
  });

  it('takes what a found file may not do otherwise, once it is trusted', async () => {
    put(cwd, 'bae.config.json', '{"approve": "all", "discover": true}');
    const write = () => runBae(['do'], { cwd, input: '<W:a.txt>x</W>' });
    const { err, code } = await write();
    expect(err).toBe(
      'bae.config.json: approve: "all" is not used, because the file was only found here. To use it: bae trust, or --config bae.config.json\n' +
        'bae.config.json: discover is not used, because the file was only found here. To use it: bae trust, or --config bae.config.json\n',
    );
    expect(code).toBe(1);
    await bae('trust', '--yes');
    expect(await write()).toMatchObject({ err: '', code: 0 });
  });

  it('keeps its file for the user alone, in a folder that can be chosen', async () => {
    await install(cwd, 'tickets');
    await bae('trust', 'tickets', '--yes');
    expect(statSync(join(cwd, '.config/bae/trust.json')).mode & 0o777).toBe(0o600);
    await runBae(['trust', 'tickets', '--yes'], { cwd, env: { BAE_HOME: join(cwd, 'mine') } });
    const { entries } = JSON.parse(readFileSync(join(cwd, 'mine/trust.json'), 'utf8')) as {
      readonly entries: unknown[];
    };
    expect(entries).toHaveLength(1);
  });

  it('trusts nothing when its file is damaged, and reports it', async () => {
    await install(cwd, 'tickets');
    put(cwd, 'named.json', DISCOVER);
    await bae('trust', 'tickets', '--yes');
    put(cwd, '.config/bae/trust.json', '{"version": 1, "entries": "all"}');
    const { code, out, err } = await bae('spaces', '--config', 'named.json');
    expect(code).toBe(0);
    expect(out).not.toContain('tickets()');
    expect(err).toContain(
      'trust.json does not hold what bae wrote there: nothing is trusted. Fix it or move it away.\n',
    );
    expect(await bae('trust', 'tickets', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('Try: mv ') as string,
    });
  });

  it.each([
    [['trust', 'tickts'], 1, 'no package bae-resourcespace-tickts is installed. Did you mean "tickets"?'],
    [['trust', './nowhere'], 1, 'expected the folder of a package; got "./nowhere", and nothing is there.'],
    [['trust', 'a', 'b'], 2, 'bae trust takes one file, folder, package or server; got 2.'],
    [['trust', 'a', '--list'], 2, 'bae trust takes one file, folder, package or server; --list takes none.'],
    [['untrust', 'a', 'b'], 2, 'bae untrust takes one file, folder or package; got 2.'],
  ])('explains what is wrong with %j', async (args, code, message) => {
    await install(cwd, 'tickets');
    expect(await bae(...args)).toMatchObject({ code, err: expect.stringContaining(message) as string });
  });
});

describe('bae untrust', () => {
  it('forgets one thing, or all of a folder', async () => {
    const folder = await install(cwd, 'tickets');
    put(cwd, 'bae.config.json', DISCOVER);
    await bae('trust', '--yes');
    expect((await bae('untrust', 'tickets')).out).toBe(`forgotten bae-resourcespace-tickets -- ${folder}\n`);
    expect((await bae('spaces')).err).toContain('bae-resourcespace-tickets is not trusted');
    expect(await bae('untrust', 'tickets')).toEqual({ code: 1, out: '(nothing was decided about that)\n', err: '' });
    await bae('trust', '--yes');
    expect((await bae('untrust')).out).toBe(
      `forgotten bae.config.json -- ${join(cwd, 'bae.config.json')}\nforgotten bae-resourcespace-tickets -- ${folder}\n`,
    );
    expect((await bae('trust', '--list')).out).toBe('(nothing is trusted)\n');
  });
});

describe('the shell', () => {
  const open = (...args: readonly string[]) => openBae(args, { cwd, interactive: true });

  it('asks once, and continues with what was trusted', async () => {
    await install(cwd, 'tickets');
    put(cwd, 'bae.config.json', DISCOVER);
    const shell = open();
    await shell.shows('settings: discover');
    await shell.shows('trust it? y = yes, all of it, n = no, and do not ask again: ');
    shell.type('y\r');
    await shell.shows('    reads: read');
    await shell.shows('trust it?', 2);
    shell.type('yes\r');
    await shell.shows('tickets() -- The tickets.');
    await shell.shows('home>');
    shell.type('tickets()\r');
    await shell.shows('all is well');
    shell.type('exit\r');
    expect((await shell.end).code).toBe(0);
    const again = open();
    await again.shows('home>');
    expect(again.screen()).not.toContain('trust it?');
    again.type('exit\r');
    await again.end;
  });

  it('does not ask again after a no, until something changes', async () => {
    const folder = await install(cwd, 'tickets');
    put(cwd, 'named.json', DISCOVER);
    const args = ['--config', 'named.json'];
    const shell = open(...args);
    await shell.shows('trust it?');
    shell.type('n\r');
    await shell.shows('To look at it and trust it: bae trust');
    await shell.shows('home>');
    shell.type('exit\r');
    await shell.end;
    const again = open(...args);
    await again.shows('home>');
    expect(again.screen()).not.toContain('trust it?');
    again.type('exit\r');
    await again.end;
    put(folder, 'README.md', 'new');
    const later = open(...args);
    await later.shows('(changed since you decided about it)');
    await later.shows('trust it?');
    later.type('\u0003');
    await later.shows('home>');
    later.type('exit\r');
    await later.end;
    expect(ran()).toBe(false);
  });
});
