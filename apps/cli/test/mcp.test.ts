import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LAUNCHER, runBae, runProgram, startProgram } from './run-bae.ts';
import { put, scratchFolder } from './scratch-folder.ts';

const FIXTURE = join(import.meta.dirname, '../../../packages/resourcespaces/mcp/test/fixture-server.mjs');

let cwd: string;
let env: Readonly<Record<string, string>>;
const clients = new Set<Client>();
beforeEach(() => {
  cwd = scratchFolder().path;
  env = { BAE_HOME: join(cwd, '.home') };
});
afterEach(async () => {
  for (const client of clients) await client.close();
  clients.clear();
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

  it('are not believed: what is said to only read asks all the same', async () => {
    putServers({ box: server() });
    await bae('trust', '--yes');
    expect((await bae('do', '@box()', '<add:1 b=2>')).out).toContain(
      "ApprovalError: add was not run: it has the effect 'external'",
    );
  });

  it('that do not start are named, and everything else works', async () => {
    putServers({ broken: server('exit'), box: server() });
    await bae('trust', '--yes');
    const { out, code } = await bae('mcp', 'doctor');
    expect(out).toMatch(/^no {2}broken: .*the token is missing$/m);
    expect(out).toMatch(/^ok {2}box: 11 tools$/m);
    expect(code).toBe(1);
  });

  it('that are written wrongly are reported with the field', async () => {
    putServers({ box: { args: [] } });
    expect((await bae('spaces')).err).toContain('.mcp.json: box.command: ');
    put(cwd, '.mcp.json', '{');
    expect((await bae('spaces')).err).toContain('.mcp.json: cannot be read: ');
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
      expect((await bae('mcp', 'doctor')).out).toContain('no  desk: it wants to know who is there.');
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
      expect((await bae('mcp', 'doctor')).out).toContain('no  desk: it wants to know who is there.');
    } finally {
      guarded.kill();
    }
  });

  it('is not for programs', async () => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE);
    expect((await bae('mcp', 'login', 'box')).err).toContain('box is a program: it needs no login.');
    expect((await bae('mcp', 'login')).err).toContain('bae mcp login takes one name');
  });
});

describe('bae mcp serve --http', () => {
  /** Starts it, and takes from what it prints where it is and for whom. */
  async function serve() {
    const started = startProgram(['mcp', 'serve', '--http', '0'], { cwd, env });
    const [line] = (await once(started.child.stderr, 'data')) as [string];
    const [url = ''] = /http:\S+/.exec(line)!;
    const [, token = ''] = /Bearer (\S+)/.exec(line)!;
    return { url, token, started };
  }
  const connect = async (url: string, token: string, mode: 'legacy' | 'auto') => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    clients.add(client);
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return client;
  };

  it('serves both forms of the protocol to who has the token of the folder, until it is ended', async () => {
    put(cwd, 'a.txt', 'needle\n');
    const { url, token, started } = await serve();
    const read = { name: 'look_up', arguments: { tool: 'read', arguments: { target: 'a.txt' } } };
    const content = [{ type: 'text', text: 'needle\n' }];
    for (const mode of ['legacy', 'auto'] as const) {
      const client = await connect(url, token, mode);
      expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
      expect(await client.callTool(read)).toMatchObject({ content });
      await client.close();
    }
    started.child.kill('SIGINT');
    expect((await started.end).code).toBe(130);
    const again = await serve();
    expect(again.token).toBe(token);
    again.started.child.kill();
    await again.started.end;
  });

  it('answers nobody else: no other program, and no page in a browser', async () => {
    const { url, token, started } = await serve();
    const ask = async (headers: Readonly<Record<string, string>>, to = url) =>
      (await fetch(to, { method: 'POST', headers, body: '{}' })).status;
    const authorization = `Bearer ${token}`;
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: `${authorization}x` })).toBe(401);
    expect(await ask({ authorization, origin: 'https://page.example' })).toBe(403);
    expect(await ask({ authorization }, url.replace('/mcp', '/other'))).toBe(404);
    const named = request(url, { method: 'POST', headers: { authorization, host: 'rebound.example' } }).end();
    expect(((await once(named, 'response')) as [IncomingMessage])[0].statusCode).toBe(403);
    const taken = await runProgram(['mcp', 'serve', '--http', new URL(url).port], { cwd, env });
    expect(taken.err).toContain(`the port ${new URL(url).port} is taken.`);
    started.child.kill();
    await started.end;
  });
});

describe('bae mcp serve', () => {
  async function connect(answer?: 'allow' | 'deny', revision?: string) {
    const asked: string[] = [];
    const capabilities = answer === undefined ? {} : { elicitation: { form: {} } };
    const versionNegotiation = revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } };
    const client = new Client({ name: 'test', version: '1' }, { capabilities, ...versionNegotiation });
    if (answer !== undefined) {
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params.message);
        return { action: 'accept', content: { decision: answer } };
      });
    }
    const { PATH = '' } = process.env;
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [LAUNCHER, 'mcp', 'serve'],
        cwd,
        env: { PATH, ...env },
      }),
    );
    clients.add(client);
    const call = async (name: string, given: Record<string, unknown>) => {
      const { content, isError = false } = await client.callTool({ name, arguments: given });
      return { text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'), isError };
    };
    return { client, call, asked };
  }

  it('has six tools that take less than 900 tokens, whatever places there are', async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['see', 'look_up', 'call', 'run', 'read_result', 'find']);
    expect(countTokens(JSON.stringify(tools))).toBeLessThan(900);
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint === true)).toHaveLength(4);
  });

  it('shows places, calls tools, runs code and reads cut results', async () => {
    put(cwd, 'a.txt', 'needle\n');
    put(cwd, 'long.txt', Array.from({ length: 900 }, (_, n) => `needle ${n} ${'x'.repeat(60)}`).join('\n'));
    const { call } = await connect();
    expect((await call('see', {})).text).toContain('tasks() -- ');
    expect((await call('see', { place: 'tasks' })).text).toContain('home > tasks');
    expect((await call('see', { tool: 'grep' })).text).toContain('grep(pattern: string');
    expect(await call('see', { place: 'nowhere' })).toMatchObject({ isError: true });
    expect(await call('look_up', { tool: 'read', arguments: { target: 'a.txt' } })).toEqual({
      text: 'needle\n',
      isError: false,
    });
    expect(await call('look_up', { place: 'tasks', tool: 'R' })).toEqual({ text: '(no tasks)', isError: false });
    const cut = await call('look_up', { tool: 'grep', arguments: { pattern: 'needle', path: 'long.txt' } });
    const [, result = ''] = /<R:(result:\d+)/.exec(cut.text)!;
    expect((await call('read_result', { result, lines: '1-2' })).text).toContain('long.txt:2: needle 1 x');
    // Some clients make numbers of texts that look like one.
    expect((await call('read_result', { result, lines: 2 })).text).toContain('long.txt:2: needle 1 x');
    expect((await call('run', { code: 'print((await read("a.txt")).trim()); 1 + 1' })).text).toBe('needle\n2');
    expect((await call('find', { query: 'type errors of a module' })).text).toContain('source  diagnostics');
    expect(await call('look_up', { tool: 'reed' })).toMatchObject({ isError: true });
    expect(await call('read_result', { result: 'a' })).toMatchObject({ isError: true });
  });

  it('refuses what changes something where it only reads, and where nobody can be asked', async () => {
    const { call } = await connect();
    const write = { tool: 'write', arguments: { target: 'b.txt', content: 'x' } };
    expect((await call('look_up', write)).text).toContain('write changes something, or leaves this machine: use call.');
    expect((await call('call', write)).text).toContain('no one is available to approve it');
    expect((await call('run', { code: 'await write("b.txt", "x")' })).text).toContain(
      'no one is available to approve it',
    );
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false);
  });

  it('asks the person with the whole change, and does what they decide', async () => {
    const { call, asked } = await connect('allow');
    const content = `first\n\u001b[31m\u200bred <W:c.txt>no</W>\n`;
    expect(await call('call', { tool: 'write', arguments: { target: 'b.txt', content } })).toMatchObject({
      isError: false,
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('home: write b.txt');
    expect(asked[0]).toContain(String.raw`+\u{1b}[31m\u{200b}red <W:c.txt>no</W>`);
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe(content);
    expect(existsSync(join(cwd, 'c.txt'))).toBe(false);
    const other = await connect('deny');
    expect(await other.call('call', { tool: 'write', arguments: { target: 'd.txt', content } })).toMatchObject({
      isError: true,
    });
    expect(existsSync(join(cwd, 'd.txt'))).toBe(false);
  });

  it('asks clients of the stateless revision with the result of a call, and goes on with the reply', async () => {
    put(cwd, 'a.txt', 'needle\n');
    const { client, call, asked } = await connect('allow', '2026-07-28');
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect((await call('look_up', { tool: 'read', arguments: { target: 'a.txt' } })).text).toBe('needle\n');
    const write = { tool: 'write', arguments: { target: 'b.txt', content: 'x' } };
    expect(await call('call', write)).toMatchObject({ isError: false });
    expect(asked).toEqual([expect.stringContaining('home: write b.txt')]);
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('x');
    const nobody = await connect(undefined, '2026-07-28');
    expect((await nobody.call('call', { ...write, arguments: { target: 'c.txt', content: 'x' } })).text).toContain(
      'no one is available to approve it',
    );
    expect(existsSync(join(cwd, 'c.txt'))).toBe(false);
  });

  it('serves mounted servers too: one server in front of all', async () => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE);
    const { call } = await connect();
    expect((await call('find', { query: 'sum of numbers' })).text).toMatch(/^box {2}add -- /);
    expect(await call('look_up', { place: 'box', tool: 'add', arguments: { a: 1, b: 2 } })).toEqual({
      text: '3',
      isError: false,
    });
    expect((await call('look_up', { place: 'box', tool: 'keep', arguments: { items: [] } })).text).toContain(
      'use call',
    );
  });

  it('passes on the pictures of a mounted server', async () => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE);
    const { client } = await connect('allow');
    const picture = { type: 'image', mimeType: 'image/png', data: 'AAAA'.repeat(1000) };
    const called = { name: 'call', arguments: { place: 'box', tool: 'picture', arguments: {} } };
    const line = { type: 'text', text: '[image result:1: image/png, 3 kB]' };
    expect((await client.callTool(called)).content).toEqual([line, picture]);
    const again = { name: 'read_result', arguments: { result: 'result:1' } };
    expect((await client.callTool(again)).content).toEqual([line, picture]);
  });

  it('passes on what a mounted server asks', async () => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE, 'asking');
    const { call, asked } = await connect('allow');
    await call('call', { place: 'box', tool: 'fail', arguments: {} });
    expect(asked).toEqual([expect.stringContaining('box: fail'), String.raw`box (fail) asks: Where to?\u{1b}[2J`]);
  });
});
