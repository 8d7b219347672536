// @module-tag long

import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  Client,
  StreamableHTTPClientTransport,
  type ClientOptions,
  type ElicitResult,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readVersion } from '../src/package-folder.ts';
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

describe('bae mcp serve --http', () => {
  /** Starts it, and takes from what it prints where it is and for whom. */
  async function serve(...more: readonly string[]) {
    const started = startProgram(['mcp', 'serve', '--http', '0', ...more], { cwd, env });
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
      expect(client.getServerVersion()?.version).toBe(readVersion());
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

  it('says why it cannot listen', async () => {
    const taken = createServer();
    await once(taken.listen(0, '127.0.0.1'), 'listening');
    const { port } = taken.address() as AddressInfo;
    const retry = 'Try: bae mcp serve --http 0\n';
    expect(await bae('mcp', 'serve', '--http', String(port))).toMatchObject({
      code: 1,
      err: `bae: the port ${port} is taken.\n${retry}`,
    });
    taken.close();
    expect(await bae('mcp', 'serve', '--http', '99999')).toMatchObject({
      code: 1,
      err: `bae: there is no port 99999: the last one is 65535.\n${retry}`,
    });
  });

  it('keeps clients apart: variables, changes to undo, and the handles of cut results', async () => {
    put(cwd, 'long.txt', Array.from({ length: 900 }, (_, n) => `needle ${n} ${'x'.repeat(60)}`).join('\n'));
    const { url, token, started } = await serve('--yes');
    const open = async (mode: 'legacy' | 'auto') => {
      const client = await connect(url, token, mode);
      return async (name: string, given: object) => {
        const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...given } });
        const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
        const { session, result } = Object(structuredContent) as {
          readonly session?: string;
          readonly result?: string;
        };
        return { text, isError, session, result };
      };
    };
    const search = { tool: 'grep', arguments: { pattern: 'needle', path: 'long.txt' } };
    const write = { tool: 'write', arguments: { target: 'b.txt', content: 'x' } };
    const undo = { tool: 'undo', arguments: {} };
    const define = { code: 'const secret = 42' };
    const use = { code: 'typeof secret' };

    const [first, second] = [await open('legacy'), await open('legacy')];
    await first('run', define);
    expect((await first('run', use)).text).toBe('number');
    expect((await second('run', use)).text).toBe('undefined');
    const { result } = await first('look_up', search);
    expect((await first('read_result', { result, lines: '1' })).text).toContain('needle 0 x');
    expect((await second('read_result', { result })).text).toContain('no kept result');
    await first('call', write);
    expect((await second('call', undo)).text).toContain('Nothing to undo');
    expect(existsSync(join(cwd, 'b.txt'))).toBe(true);
    expect((await first('call', undo)).isError).toBeUndefined();
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false);

    // Nothing identifies a client here but what it sends.
    const stateless = await open('auto');
    const { session, text } = await stateless('run', define);
    expect(text).toContain(`[session ${session}: send it with run or call, to keep variables and to undo]`);
    expect((await stateless('run', { ...use, session })).text).toMatch(/^number\n/);
    expect((await stateless('run', use)).text).toMatch(/^undefined\n/);
    expect((await stateless('run', { ...use, session: 'guessed' })).text).toContain('no session "guessed" any more');
    expect((await stateless('call', undo)).text).toContain('send the session that run has named');
    await stateless('call', { ...write, session });
    expect((await stateless('call', { ...undo, session: (await stateless('run', use)).session })).text).toContain(
      'Nothing to undo',
    );
    await stateless('call', { ...undo, session });
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false);
    const cut = await stateless('look_up', search);
    expect(cut.result).toMatch(/^result:\d{15}$/);
    expect((await stateless('read_result', { result: cut.result, lines: '1' })).text).toContain('needle 0 x');
    expect((await stateless('read_result', { result: 'result:1' })).text).not.toContain(cut.result);
    started.child.kill();
    await started.end;
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

type Elicitation = NonNullable<NonNullable<ClientOptions['capabilities']>['elicitation']>;

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
    expect(countTokens(JSON.stringify(tools)) + countTokens(client.getInstructions()!)).toBeLessThan(900);
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
    const wrong = async (name: string, given: Record<string, unknown>) => {
      const { text, isError } = await call(name, given);
      expect(isError).toBe(true);
      return text;
    };
    expect(await wrong('look_up', { tool: 'reed' })).toBe(
      'home has no tool "reed". Did you mean "read"? See what is there: see({"place":"home"}).',
    );
    expect(await wrong('look_up', { place: 'taks', tool: 'read' })).toBe(
      'There is no place "taks". Did you mean "tasks"? See what is there: see({"place":"home"}).',
    );
    expect(await wrong('see', { place: 'source.test' })).toContain('Did you mean source.tests()?');
    expect(await wrong('call', { place: 'tasks', tool: 'go_away' })).toContain('Supported here: read, write');
    expect((await call('look_up', { place: 'tasks()', tool: 'read' })).text).toBe('(no tasks)');
    expect(await call('read_result', { result: 'a' })).toMatchObject({ isError: true });
  });

  it.each(['2025-11-25', '2026-07-28'])(
    'answers with structured content as its schemas say, in %s',
    async (revision) => {
      put(cwd, 'a.txt', 'needle\n');
      put(cwd, 'long.txt', Array.from({ length: 900 }, (_, n) => `needle ${n} ${'x'.repeat(60)}`).join('\n'));
      await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE);
      const { client } = await connect('allow', revision === '2026-07-28' ? revision : undefined);
      // With the list, the client compares every answer with its schema.
      const { tools } = await client.listTools();
      expect(tools.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true);
      const ask = async (name: string, given: object) =>
        (await client.callTool({ name, arguments: { ...given } })).structuredContent;
      const place = await ask('see', { place: 'box' });
      expect(place).toEqual({ text: expect.stringContaining('home > box') as string });
      expect(await ask('look_up', { tool: 'read', arguments: { target: 'a.txt' } })).toEqual({ text: 'needle\n' });
      expect(await ask('call', { place: 'box', tool: 'data' })).toEqual({ data: { degrees: 21 } });
      const cut = (await ask('look_up', { tool: 'grep', arguments: { pattern: 'needle', path: 'long.txt' } })) as {
        result: string;
      };
      expect(cut).toMatchObject({
        text: expect.any(String) as string,
        result: expect.stringMatching(/^result:\d+$/) as string,
      });
      const line = await ask('read_result', { result: cut.result, lines: '1' });
      expect(line).toEqual({ text: expect.stringContaining('long.txt:1: needle 0 x') as string });
      expect(await ask('run', { code: 'print(JSON.stringify({ sum: 1 + 1 }))' })).toEqual({ data: { sum: 2 } });
      expect(await ask('run', { code: 'print("Error: none")' })).toEqual({ text: 'Error: none' });
      const found = { place: 'box', tool: 'add', description: 'The sum of two numbers.' };
      expect(await ask('find', { query: 'sum of numbers' })).toMatchObject({
        tools: expect.arrayContaining([found]) as object,
      });
      expect(await ask('look_up', { tool: 'read', arguments: { target: 'b.txt' } })).toBeUndefined();
    },
  );

  it('suggests calls as this client makes them', async () => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE);
    const { call } = await connect('allow');
    const suggested = async (name: string, given: Record<string, unknown>) =>
      /^Try: .*/m.exec((await call(name, given)).text)?.[0];
    // The schema of the server is silent about other names, so it may know them.
    expect(await suggested('look_up', { place: 'box', tool: 'add', arguments: { c: 1 } })).toBe(
      'Try: look_up({"place":"box","tool":"add","arguments":{"a":"…","b":"…","c":1}})',
    );
    expect(await suggested('call', { place: 'box', tool: 'strict' })).toBe(
      'Try: call({"place":"box","tool":"strict","arguments":{"level":"…"}})',
    );
    expect(await suggested('look_up', { tool: 'read', arguments: { target: 'b.txt' } })).toBe(
      'Try: look_up({"tool":"read","arguments":{"target":"."}})',
    );
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

  it('says which tools of a mounted server have changed, also where it only reads', async () => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE, 'changing', join(cwd, 'started'));
    const { call } = await connect();
    const { text } = await call('look_up', { place: 'box', tool: 'add', arguments: { a: 1, b: 2 } });
    expect(text).toMatch(/^ApprovalError: add was not called: the tools of box are not those that the user allowed \(/);
    expect(text).toMatch(/\nTry: bae trust box \(the user runs it\)$/);
  });

  it('says so of a tool that acts, too, instead of sending the client to the one for such calls', async () => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE, 'changing', join(cwd, 'started'));
    const { call } = await connect('allow');
    const keep = { place: 'box', tool: 'keep', arguments: { items: [] } };
    const { text } = await call('look_up', keep);
    expect(text).toMatch(
      /^ApprovalError: keep was not called: the tools of box are not those that the user allowed \(/,
    );
    expect(text).toMatch(/\nTry: bae trust box \(the user runs it\)$/);
    expect((await call('call', keep)).isError).toBe(false);
    expect((await call('look_up', keep)).text).toContain('use call');
  });

  it('reads a mounted server in the program in which it acts, which may have a state', async () => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE, 'reading');
    const { call } = await connect('allow');
    const pid = { place: 'box', tool: 'pid' };
    await call('see', { place: 'box' });
    const { text } = await call('call', pid);
    expect(text).toMatch(/^\d+$/);
    expect(await call('look_up', pid)).toEqual({ text, isError: false });
    expect((await call('run', { code: 'print(await box.pid())' })).text).toBe(text);
    const refused = await call('look_up', { place: 'box', tool: 'keep', arguments: { items: [] } });
    expect(refused.text).toContain('use call');
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

  it('shows what a mounted server asks without terminal codes', async () => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE, 'asking');
    const { call, asked } = await connect('allow');
    await call('call', { place: 'box', tool: 'fail', arguments: {} });
    expect(asked).toEqual([expect.stringContaining('box: fail'), String.raw`box (fail) asks: Where to?\u{1b}[2J`]);
  });

  it.each(['legacy', 'auto'] as const)('passes on what a mounted server asks, with its schema: %s', async (mode) => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE, 'choosing');
    const ask = async (reply: ElicitResult) => {
      const asked: unknown[] = [];
      const options = { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } };
      const client = new Client({ name: 'test', version: '1' }, options);
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push({ message: params.message, ...('requestedSchema' in params && { schema: params.requestedSchema }) });
        return reply;
      });
      clients.add(client);
      const args = [LAUNCHER, 'mcp', 'serve', '--yes'];
      const { PATH = '' } = process.env;
      await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, env: { PATH, ...env } }));
      const called = { name: 'call', arguments: { place: 'box', tool: 'fail' } };
      const { content } = await client.callTool(called);
      return { asked, text: content[0]?.type === 'text' ? content[0].text : '' };
    };
    const accepted = await ask({ action: 'accept', content: { size: 's', colours: ['red', 'blue'] } });
    expect(accepted.asked).toEqual([
      {
        message: 'box (fail) asks: How?',
        schema: {
          type: 'object',
          properties: {
            size: {
              type: 'string',
              oneOf: [
                { const: 's', title: 'Small' },
                { const: 'l', title: 'Large' },
              ],
            },
            colours: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] }, default: ['red'] },
          },
          required: ['size'],
        },
      },
    ]);
    expect(accepted.text).toBe('{"action":"accept","content":{"size":"s","colours":["red","blue"]}}');
    expect((await ask({ action: 'decline' })).text).toBe('{"action":"decline"}');
    expect((await ask({ action: 'cancel' })).text).toBe('{"action":"cancel"}');
  });

  it('passes on the page that a mounted server wants opened, to clients that can show one', async () => {
    await bae('mcp', 'add', 'box', '--', process.execPath, FIXTURE, 'opening');
    const called = { name: 'call', arguments: { place: 'box', tool: 'fail', arguments: {} } };
    const ask = async (elicitation: Elicitation, mode: 'legacy' | 'auto') => {
      const asked: { readonly mode?: string | undefined; readonly url?: string }[] = [];
      const client = new Client(
        { name: 'test', version: '1' },
        { capabilities: { elicitation }, versionNegotiation: { mode } },
      );
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push({ mode: params.mode, ...('url' in params && { url: params.url }) });
        return { action: 'accept', ...(params.mode !== 'url' && { content: { decision: 'allow' } }) };
      });
      clients.add(client);
      const args = [LAUNCHER, 'mcp', 'serve', '--yes'];
      const { PATH = '' } = process.env;
      await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, env: { PATH, ...env } }));
      const { content } = await client.callTool(called);
      return { asked, content };
    };
    const url = 'https://me:key@xn--dcs-sna.example:8443/log-in?state=%3CW:a.txt%3E%E2%80%AE';
    for (const mode of ['legacy', 'auto'] as const) {
      const able = await ask({ form: {}, url: {} }, mode);
      expect(able).toEqual({ asked: [{ mode: 'url', url }], content: [{ type: 'text', text: '{"action":"accept"}' }] });
      const unable = await ask({ form: {} }, mode);
      expect(unable).toEqual({ asked: [], content: [{ type: 'text', text: '{"action":"cancel"}' }] });
    }
  });
});
