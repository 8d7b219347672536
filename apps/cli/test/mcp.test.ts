// @module-tag long

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openBae, runBae, runProgram, startProgram } from './run-bae.ts';
import { put, scratchFolder } from './scratch-folder.ts';

const FIXTURE = join(import.meta.dirname, '../../../packages/resourcespaces/mcp/test/fixture-server.mjs');

let cwd: string;
let env: Readonly<Record<string, string>>;
beforeEach(() => {
  cwd = scratchFolder().path;
  env = { BAE_HOME: join(cwd, '.home') };
});

const bae = (...args: readonly string[]) => runProgram(args, { cwd, env });
const server = (kind = 'normal') => ({ command: process.execPath, args: [FIXTURE, kind] });
const putServers = (servers: object): void => put(cwd, '.mcp.json', JSON.stringify({ mcpServers: servers }));

describe('servers of a project', () => {
  it('start nothing before they are trusted, and again when they change', async () => {
    putServers({ box: server() });
    const before = await bae('spaces');
    expect(before.out).not.toContain('box()');
    expect(before.err).toContain('box is not trusted and not used.');
    expect(existsSync(join(cwd, '.home'))).toBe(false);
    expect((await bae('trust')).out).toContain(`  starts: ${process.execPath} ${FIXTURE} normal\n`);
    await bae('trust', '--yes');
    const { out, err } = await bae('do', '--yes', '@box()', '<add:1 b=2>');
    expect(out).toContain('<add:a b=number> [note]  -- The sum of two numbers.');
    expect(out).toContain('\n3\n');
    expect(err).toBe('');
  });

  it('ask again when anything about them changes: command, arguments, variables, address, headers', async () => {
    const docs = { url: 'https://docs.example/mcp' };
    const trusted = { box: { ...server(), env: { TOKEN: '1' } }, docs };
    putServers(trusted);
    const here = (...args: readonly string[]) => runBae(args, { cwd, env });
    await here('trust', '--yes');
    const states = async () => Array.from((await here('mcp')).out.matchAll(/^(\w+ {2}\w+)/gm), ([, state]) => state);
    const changes: readonly (readonly [changed: string, servers: object])[] = [
      ['box', { ...trusted, box: { ...trusted.box, command: '/bin/sh' } }],
      ['box', { ...trusted, box: { ...trusted.box, args: [FIXTURE, 'exit'] } }],
      ['box', { ...trusted, box: { ...trusted.box, env: { TOKEN: '1', MORE: '1' } } }],
      ['docs', { ...trusted, docs: { url: 'https://docs.example/other' } }],
      ['docs', { ...trusted, docs: { ...docs, headers: { 'x-more': '1' } } }],
      ['box', { ...trusted, box: { ...trusted.box, sampling: true } }],
    ];
    for (const [name, servers] of changes) {
      putServers(servers);
      expect(await states()).toContain(`${name}  changed`);
      expect((await here('spaces')).out).not.toContain(`${name}() -- `);
    }
    expect((await here('trust')).out).toContain('  and may ask your model\n');
    putServers(trusted);
    expect(await states()).toEqual(['box  used', 'docs  used']);
  });

  it('do not take the name of a server of the user, which is said', async () => {
    const own = { command: process.execPath, args: [FIXTURE, 'normal'] };
    put(cwd, '.home/mcp.json', JSON.stringify({ mcpServers: { box: own } }));
    putServers({ box: { ...server(), args: [FIXTURE, 'rooted'] } });
    await bae('trust', '--yes');
    const { out } = await bae('mcp');
    expect(out).toMatch(
      /^box {2}used, 11 tools .*\.home\/mcp\.json\n.* normal\nbox {2}used as mcp_box\(\), 11 tools .*\.mcp\.json\n/m,
    );
    const called = await bae('do', '--yes', '<box.add:1 b=2>');
    expect(called.out).toContain('\n3\n');
    expect(called.err).toContain(
      `box of ${join(cwd, '.mcp.json')} is mcp_box() here: ${join(cwd, '.home/mcp.json')} has one of that name`,
    );
    expect((await bae('do', '--yes', '<mcp_box.add:1 b=2>')).out).toContain('file://');
    expect((await bae('mcp', 'inspect', 'box')).out).toContain('home > box -- ');
    expect((await bae('mcp', 'inspect', 'mcp_box')).out).toContain('home > mcp_box -- ');
  });

  it('repeat their secrets to nobody', async () => {
    putServers({ box: { ...server('values'), env: { TOKEN: '${DESK}' } } });
    await bae('trust', '--yes');
    const secret = 'correct horse battery';
    const { out } = await runProgram(['do', '--yes', '@box()', '<env:>'], {
      cwd,
      env: { ...env, DESK: secret },
    });
    expect(out).toContain('\nthe token is ‹masked secret›\n');
  });

  it('are not believed: what is said to only read asks all the same', async () => {
    putServers({ box: server() });
    await bae('trust', '--yes');
    expect((await bae('do', '@box()', '<add:1 b=2>')).out).toContain(
      "ApprovalError: add was not run: it has the effect 'external'",
    );
  });

  it('whose tools have changed say which, refuse calls in few words, and are renewed with bae trust NAME', async () => {
    const tools = (...named: readonly (readonly [name: string, text: string])[]) =>
      put(
        cwd,
        'tools.json',
        JSON.stringify(named.map(([name, description]) => ({ name, description, inputSchema: { type: 'object' } }))),
      );
    const box = { command: process.execPath, args: [FIXTURE, 'list', join(cwd, 'tools.json')] };
    tools(['add', 'Adds.'], ['look', 'Looks.'], ['old', 'Is old.']);
    put(cwd, '.home/mcp.json', JSON.stringify({ mcpServers: { box } }));
    const call = () => bae('do', '--yes', '@box()', '<box.look:>');
    expect((await call()).out).toMatch(/\n\{\}\n/);
    // Also a list that only grew has to be allowed again.
    tools(['add', 'Adds.'], ['look', 'Looks and tells.'], ['new', 'Is new.']);
    const refused = await call();
    expect(refused.out).toContain(
      '3 tools of fixture 1.0.0. Its tools are not those that you allowed (new: new; changed: look; removed: old): ' +
        'the next call asks for consent to all of them, or the user allows them with: bae trust box\n',
    );
    expect(refused.out).toContain(
      'ApprovalError: look was not called: the tools of box are not those that the user allowed ' +
        '(new: new; changed: look; removed: old), and no one is here to allow them.\n' +
        'Try: bae trust box (the user runs it)\n',
    );
    expect(refused.out).not.toContain('"approve"');
    const shown = await bae('trust', 'box');
    expect(shown.out).toBe(
      'box: its tools are not those that you allowed.\n' +
        '  new: new -- Is new.\n  changed: look -- Looks and tells.\n  removed: old -- Is old.\n',
    );
    expect(shown.err).toContain('Try: bae trust box --yes');
    expect((await call()).out).toContain('ApprovalError');
    expect((await bae('trust', 'box', '--yes')).out).toContain('trusted: box\n');
    expect((await call()).out).toMatch(/\n\{\}\n/);
    tools(['add', 'Adds.'], ['look', 'Looks and tells.'], ['new', 'Is new.'], ['more', 'Is more.']);
    expect((await call()).out).toContain('(new: more)');
    await bae('trust', 'box', '--yes');
    expect((await bae('trust', 'box')).out).toBe('box: trusted already, as it is\n');
  });

  it('that do not start are named, and everything else works', async () => {
    putServers({ broken: server('exit'), box: server(), gone: { command: 'bae-no-program' } });
    await bae('trust', '--yes');
    const { out, code } = await bae('mcp', 'doctor');
    expect(out).toMatch(/^no {2}broken: .*the token is missing$/m);
    expect(out).toContain(
      'no  gone: there is no program bae-no-program. Try: install bae-no-program, or name it by its path',
    );
    expect(out).toMatch(/^ok {2}box: 11 tools$/m);
    expect(code).toBe(1);
  });

  it('that are written wrongly are left out with the field, and everything else works', async () => {
    const run = (...args: readonly string[]) => runBae(args, { cwd, env });
    putServers({ box: { args: [] }, web: { type: 'ws', url: 'ws://x' }, fine: server() });
    const { out, err, code } = await run('do', '<R:.mcp.json:1>');
    expect(err).toContain('left out: ');
    expect(err).toContain('.mcp.json: box.command: ');
    expect(err).toContain('.mcp.json: web.type: ');
    expect([out.includes('mcpServers'), code]).toEqual([true, 0]);
    expect((await run('mcp')).out).toMatch(/^fine {2}not trusted/m);
    put(cwd, '.mcp.json', '{\n"mcpServers": {]');
    const broken = await run('do', '<R:.mcp.json:1>');
    expect(broken.err).toMatch(/\.mcp\.json: cannot be read: \w+ in line 2\./);
    expect(broken.code).toBe(0);
  });

  it('may be listed with comments and trailing commas, as editors write them', async () => {
    put(cwd, '.mcp.json', `{ // ours\n"mcpServers": { "box": { "command": "node", }, }, }`);
    const { out, err } = await runBae(['mcp'], { cwd, env });
    expect(out).toMatch(/^box {2}not trusted/m);
    expect(err).not.toContain('cannot be read');
  });
});

describe('bae mcp', () => {
  it('adds and removes servers of the user, which are there at once and everywhere', async () => {
    expect((await bae('mcp')).out).toContain('(no servers)');
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE);
    expect((await bae('do', '@box()', '<add:1 b=2>')).out).toContain('\n3\n');
    expect((await bae('mcp')).out).toMatch(/^box {2}used, 11 tools/);
    expect((await bae('mcp', 'remove', 'box')).code).toBe(0);
    expect((await bae('mcp', 'remove', 'box')).code).toBe(1);
    expect((await bae('mcp', 'lst')).err).toContain('Did you mean bae mcp list?');
    expect((await bae('mcp', 'add', 'box')).err).toContain('bae mcp add takes a name');
  });

  it('takes nothing that is no server, and nothing in place of another', async () => {
    const add = async (...args: readonly string[]) => {
      const { code, err } = await runBae(['mcp', 'add', ...args], { cwd, env });
      return code === 0 ? 'added' : err;
    };
    expect(await add('docs', 'htp://docs.example')).toContain('docs.url: expected an address such as https://');
    expect(await add('docs', 'https://')).toContain('docs.url: expected an address such as https://');
    const secret = await add('docs', 'https://me:secret@docs.example/mcp');
    expect(secret).toContain('docs.url: expected an address without a password: put it into headers');
    expect(secret).not.toContain('me:secret');
    expect(existsSync(join(cwd, '.home/mcp.json'))).toBe(false);
    expect(await add('memory', '--', process.execPath, FIXTURE)).toBe('added');
    expect(await add('memory', 'https://docs.example/mcp')).toContain(
      `there is a server memory already (starts: ${process.execPath} ${FIXTURE}).`,
    );
    // The name of a place of bae's own is taken.
    expect((await runBae(['mcp'], { cwd, env })).out).toMatch(/^memory {2}used as mcp_memory\(\) {2}/);
    expect((await runBae(['mcp', 'list', 'memory'], { cwd, env })).err).toContain('bae mcp inspect NAME');
    for (const command of ['doctor', 'import', 'serve'])
      expect((await runBae(['mcp', command, 'memory'], { cwd, env })).err).toContain(
        `bae mcp ${command} takes no name`,
      );
  });

  it('shows the servers of other agents, and takes them over only when it is told to', async () => {
    put(cwd, '.claude.json', JSON.stringify({ mcpServers: { box: server() }, projects: {} }));
    const docs = { url: 'https://docs.example/mcp' };
    put(cwd, '.cursor/mcp.json', JSON.stringify({ mcpServers: { wrong: { args: [] }, docs } }));
    const home = { ...env, HOME: cwd };
    const shown = await runProgram(['mcp', 'import'], { cwd, env: home });
    expect(shown.out).toContain('box  (Claude Code)\n  starts: ');
    expect(shown.out).toContain('docs  (Cursor)\n  connects to https://docs.example/mcp\n');
    expect(shown.err).toMatch(/^bae: left out: .*\.cursor\/mcp\.json: wrong\.command: /);
    expect(shown.code).toBe(1);
    expect(existsSync(join(cwd, '.home/mcp.json'))).toBe(false);
    await runProgram(['mcp', 'import', '--yes'], { cwd, env: home });
    expect(
      Object.keys((JSON.parse(readFileSync(join(cwd, '.home/mcp.json'), 'utf8')) as { mcpServers: object }).mcpServers),
    ).toEqual(['box', 'docs']);
  });

  it('takes over what Claude Code has for this folder, and both of two that differ; what is there stays', async () => {
    put(cwd, '.home/mcp.json', JSON.stringify({ mcpServers: { mine: { command: 'mine' } } }));
    const ofFolder = { mcpServers: { local: { command: 'local' } } };
    put(cwd, '.claude.json', JSON.stringify({ mcpServers: { box: server() }, projects: { [cwd]: ofFolder } }));
    put(cwd, '.cursor/mcp.json', JSON.stringify({ mcpServers: { box: { command: 'other' }, mine: { command: 'x' } } }));
    put(cwd, '.codeium/windsurf/mcp_config.json', JSON.stringify({ mcpServers: { box: server() } }));
    put(cwd, '.gemini/settings.json', '{"mcpServers": {');
    const { out, err, code } = await runBae(['mcp', 'import', '--yes'], { cwd, env: { ...env, HOME: cwd } });
    expect(err).toMatch(/^bae: left out: .*\.gemini\/settings\.json: cannot be read: /);
    expect(out).toContain('mine  (Cursor; you have one of this name, which stays)');
    expect(out).toContain('\ntaken over: local, box, box_Cursor, in ');
    expect(code).toBe(0);
    const kept = JSON.parse(readFileSync(join(cwd, '.home/mcp.json'), 'utf8')) as { mcpServers: object };
    expect(kept.mcpServers).toMatchObject({ mine: { command: 'mine' }, box_Cursor: { command: 'other' } });
    const again = await runBae(['mcp', 'import', '--yes'], { cwd, env: { ...env, HOME: cwd } });
    expect(again.out).toMatch(/\n\(nothing new\)\n$/);
  });
});

describe('bae mcp inspect', () => {
  it('shows what a model sees of a server, and what that costs against the flat list', async () => {
    const tools = join(import.meta.dirname, '../../../tests/servers/stdio-server.mjs');
    const data = join(import.meta.dirname, '../../../tests/data/mcp-tools/gitlab.jsonl');
    await bae('mcp', 'add', 'gl', '--', process.execPath, tools, data);
    const { out, err } = await bae('mcp', 'inspect', 'gl');
    expect(err).toBe('');
    expect(out).toContain(
      'home > gl -- The tools of the MCP server gl. 118 tools of data 1.0.0.\nSubspaces:\n  gl.branch() -- 10 tools: create_branch, ',
    );
    expect(out).toContain('home > gl > merge_request -- 23 tools: ');
    expect(out).toMatch(
      /^gl: 118 tools\. As a flat list they are 3\d{4} tokens of every request;\nhere they are \d+ at home/m,
    );
    const { screens } = JSON.parse((await bae('mcp', 'inspect', 'gl', '--json')).out) as {
      readonly screens: readonly { readonly place: string; readonly tokens: number }[];
    };
    expect(screens[0]!.place).toBe('gl');
    expect(Math.max(...screens.map(({ tokens }) => tokens))).toBeLessThanOrEqual(500);
    expect((await bae('mcp', 'doctor')).out).toBe('ok  gl: 118 tools\n');
    expect((await bae('mcp', 'inspect', 'gll')).err).toContain('Try: bae mcp inspect gl');
    await bae('mcp', 'add', 'broken', '--', 'no-such-program');
    expect(await bae('mcp', 'inspect', 'broken')).toMatchObject({
      code: 1,
      err: expect.stringContaining('broken: there is no program no-such-program') as string,
    });
  });
});

describe('bae mcp login', () => {
  it('keeps a login for the user alone, until bae mcp logout', async () => {
    const guarded = spawn(process.execPath, [join(FIXTURE, '../guarded-server.mjs')], { stdio: ['ignore', 'pipe', 2] });
    const [line] = (await once(guarded.stdout!, 'data')) as [Buffer];
    try {
      const added = await bae('mcp', 'add', 'desk', String(line).trim());
      expect(added.code).toBe(0);
      expect((await bae('mcp', 'doctor')).out).toContain(
        'no  desk: log in from another terminal (bae mcp login desk): it wants to know who is there.',
      );
      const login = startProgram(['mcp', 'login', 'desk'], { cwd, env });
      await login.printed('/authorize?');
      const { href } = new URL(/http:\S+authorize\S+/.exec(login.out())![0]);
      await fetch(href);
      expect(await login.end).toMatchObject({ code: 0, out: expect.stringContaining('logged in at desk') });
      const [file = ''] = readdirSync(join(cwd, '.home/logins'));
      expect(statSync(join(cwd, '.home/logins', file)).mode & 0o777).toBe(0o600);
      expect((await bae('do', '--yes', '@desk()', '<whoami:>')).out).toContain('registered 1');
      expect((await bae('mcp', 'login', 'dsk')).err).toContain('bae mcp login desk');
      expect((await bae('mcp', 'logout', 'desk')).out).toBe('logged out of desk\n');
      expect((await bae('mcp', 'logout', 'desk')).out).toBe('there was no login at desk\n');
      expect((await bae('mcp', 'doctor')).out).toContain(
        'no  desk: log in from another terminal (bae mcp login desk): it wants to know who is there.',
      );
    } finally {
      guarded.kill();
    }
  });

  it('sends a client secret only where a person lets it go', async () => {
    const guarded = spawn(process.execPath, [join(FIXTURE, '../guarded-server.mjs'), 'secret'], {
      stdio: ['ignore', 'pipe', 2],
    });
    onTestFinished(() => void guarded.kill());
    const [line] = (await once(guarded.stdout!, 'data')) as [Buffer];
    const url = String(line).trim();
    const { origin } = new URL(url);
    await bae('mcp', 'add', 'desk', url, '--client-id', 'known', '--client-secret', '${DESK_SECRET}');
    const start = { cwd, env: { ...env, DESK_SECRET: 'hush' } };
    expect(await runBae(['mcp', 'login', 'desk'], start)).toMatchObject({
      code: 1,
      out: `desk wants its client secret sent to ${origin}.\n`,
      err: expect.stringContaining(`desk: the client secret was not sent to ${origin}, because nobody allowed it.`),
    });
    const login = openBae(['mcp', 'login', 'desk'], { ...start, interactive: true });
    await login.shows('Send it there? y or n: ');
    login.type('y\r');
    await login.shows('/authorize?');
    await fetch(/http:\S+authorize\S+/.exec(login.screen())![0]);
    expect(await login.end).toMatchObject({ code: 0, out: expect.stringContaining('logged in at desk') });
    expect(await (await fetch(new URL('/seen', url))).json()).toEqual([`Basic ${btoa('known:hush')}`]);
  });

  it('is not for programs', async () => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE);
    expect((await bae('mcp', 'login', 'box')).err).toContain('box is a program: it needs no login.');
    expect((await bae('mcp', 'login')).err).toContain('bae mcp login takes one name');
  });
});
