import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LAUNCHER, runProgram, startProgram } from './run-bae.ts';
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
    putServers({ box: { ...server(), env: { MORE: '1' } } });
    expect((await bae('spaces')).out).not.toContain('box()');
    expect((await bae('mcp')).out).toMatch(/^box {2}changed/);
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

  it('shows the servers of other agents, and takes them over only when it is told to', async () => {
    put(cwd, '.claude.json', JSON.stringify({ mcpServers: { box: server() }, projects: {} }));
    put(cwd, '.cursor/mcp.json', JSON.stringify({ mcpServers: { docs: { url: 'https://docs.example/mcp' } } }));
    const home = { ...env, HOME: cwd };
    const shown = await runProgram(['mcp', 'import'], { cwd, env: home });
    expect(shown.out).toContain('box  (Claude Code)\n  starts: ');
    expect(shown.out).toContain('docs  (Cursor)\n  connects to https://docs.example/mcp\n');
    expect(shown.code).toBe(1);
    expect(existsSync(join(cwd, '.home/mcp.json'))).toBe(false);
    await runProgram(['mcp', 'import', '--yes'], { cwd, env: home });
    expect(
      Object.keys((JSON.parse(readFileSync(join(cwd, '.home/mcp.json'), 'utf8')) as { mcpServers: object }).mcpServers),
    ).toEqual(['box', 'docs']);
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
    expect((await call('run', { code: 'print((await read("a.txt")).trim()); 1 + 1' })).text).toBe('needle\n2');
    expect((await call('find', { query: 'type errors of a module' })).text).toContain('source  diagnostics');
    expect(await call('look_up', { tool: 'reed' })).toMatchObject({ isError: true });
    expect(await call('read_result', { result: 'a' })).toMatchObject({ isError: true });
  });

  it('refuses what changes something where it only reads, and where nobody can be asked', async () => {
    const { call } = await connect();
    const write = { tool: 'write', arguments: { target: 'b.txt', content: 'x' } };
    expect((await call('look_up', write)).text).toContain('write changes something, or leaves this machine: use call.');
    expect((await call('call', write)).text).toContain('nobody is here to approve it');
    expect((await call('run', { code: 'await write("b.txt", "x")' })).text).toContain('nobody is here to approve it');
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

  it('serves clients of the stateless revision, which cannot be asked in the middle of a call', async () => {
    put(cwd, 'a.txt', 'needle\n');
    const { client, call } = await connect('allow', '2026-07-28');
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect((await call('look_up', { tool: 'read', arguments: { target: 'a.txt' } })).text).toBe('needle\n');
    const write = await call('call', { tool: 'write', arguments: { target: 'b.txt', content: 'x' } });
    expect(write.text).toContain('nobody is here to approve it');
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false);
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
