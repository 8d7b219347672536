import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { asModelText, createAgent } from '@bae/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeServerFetch } from './transport/bounded-fetch.ts';
import { mcpServer } from './mcp-space.ts';
import { ServerConnection } from './server-connection.ts';
import { logIn, type Login, type LoginStore } from './server-login.ts';
import type { ServerSettings } from './server-settings.ts';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

/** Starts a server that answers by path, otherwise with 404, and records everything that it receives. */
async function start(answer: (path: string, own: string, body: string) => Answer | undefined = () => undefined) {
  const received: string[] = [];
  const server = createServer((request, response) => void respond(request, response));
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request);
    received.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${sent}`);
    const { status = 200, headers = {}, body = '' } = answer(request.url!, url, sent) ?? { status: 404 };
    const isJson = typeof body === 'object';
    response.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...headers });
    response.end(isJson ? JSON.stringify(body) : body);
  }
  onTestFinished(() => server.close().closeAllConnections());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received };
}

const KEY = 'key-of-the-user';
const CLIENT = { client_id: 'a', redirect_uris: ['http://127.0.0.1/callback'] };

/** Answers of an authorization server. */
const authorize = (path: string, at: string): Answer | undefined => {
  if (path === '/register') return { status: 201, body: CLIENT };
  if (path === '/token') return { body: { access_token: 'new', token_type: 'Bearer' } };
  if (!path.startsWith('/.well-known/oauth-authorization-server')) return undefined;
  const endpoints = ['authorization', 'token', 'registration'].map((name) => [`${name}_endpoint`, `${at}/${name}`]);
  const metadata = {
    ...Object.fromEntries(endpoints),
    token_endpoint: `${at}/token`,
    registration_endpoint: `${at}/register`,
  };
  const supported = { response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] };
  return { body: { issuer: at, ...metadata, ...supported } };
};

/** Answers of a server that wants a login at another one. */
const demand = (path: string, own: string, at: string): Answer =>
  path.startsWith('/.well-known/oauth-protected-resource')
    ? { body: { resource: `${own}/mcp`, authorization_servers: [at] } }
    : { status: 401, headers: { 'www-authenticate': 'Bearer' } };

/** Opens a server whose settings have keys, with a login, then logs in again, unless it is one over `sse`. */
async function visit(settings: { readonly url: string; readonly type?: 'sse' }): Promise<void> {
  const { url } = settings;
  const whole = { headers: { 'x-api-key': KEY, Authorization: `Bearer ${KEY} ` }, ...settings } as ServerSettings;
  const issued = { issuer: new URL(url).origin } as object;
  const tokens = { access_token: 'old-access', token_type: 'Bearer', refresh_token: 'old-refresh', ...issued };
  let login: Login = { url, client: { ...CLIENT, ...issued }, tokens };
  const store: LoginStore = { read: () => login, write: (next) => void (login = next) };
  const place = { folder: '/tmp', env: {}, login: () => store };
  const agent = createAgent({ spaces: [mcpServer({ name: 'box', settings: whole, place, trusted: true })] });
  onTestFinished(() => agent.close());
  await agent.describe(['box']);
  if (settings.type === 'sse') return;
  const ended = new AbortController();
  const seen = { show: () => ended.abort(), pasted: () => new Promise<never>(() => undefined) };
  const request = { name: 'box', settings: whole, env: {}, store, confirm: async () => true, ...seen };
  await logIn({ ...request, signal: ended.signal }).catch(() => undefined);
}

/** Starts a server without a login that answers a request with the result of its method, also as JSON, or an error. */
function serve(results: Readonly<Record<string, string | object>>) {
  const server = { capabilities: { tools: {}, prompts: {}, resources: {} }, serverInfo: { name: 'x', version: '1' } };
  const known: Readonly<Record<string, string | object>> = {
    initialize: { protocolVersion: '2025-06-18', ...server },
    'prompts/list': { prompts: [] },
    ...results,
  };
  return start((path, _own, sent) => {
    const { id, method } = JSON.parse(sent === '' ? '{}' : sent) as { readonly id?: number; readonly method?: string };
    if (id === undefined) return { status: path === '/mcp' && sent === '' ? 405 : 202 };
    const result = known[method!];
    if (result === undefined)
      return { body: { jsonrpc: '2.0', id, error: { code: -32_601, message: 'no such method' } } };
    const text = typeof result === 'string' ? result : JSON.stringify(result);
    return { headers: { 'content-type': 'application/json' }, body: `{"jsonrpc":"2.0","id":${id},"result":${text}}` };
  });
}

function connect(url: string): ServerConnection {
  const settings = { url: `${url}/mcp`, headers: {} } as ServerSettings;
  const place = { folder: '/tmp', env: {} };
  const server = new ServerConnection('box', settings, { place, onChange: () => undefined });
  onTestFinished(() => server.close());
  return server;
}

const MEGABYTE = 1024 * 1024;
const SCHEMA = { type: 'object' };

/** A wrong entry of a list, as JSON, by what is said of the first. */
const WRONG_ENTRIES: readonly (readonly [words: string, entry: string])[] = [
  ['no. 1 (no name)', '7'],
  ['no. 1 (no name)', `{"description":"${'x'.repeat(100)}"}`],
  ['a (wrong inputSchema)', '{"name":"a","inputSchema":{"type":"string"}}'],
  ['a (too large)', `{"name":"a","inputSchema":{"type":"object","a":${'{"a":'.repeat(500)}7${'}'.repeat(500)}}}`],
];

describe('a list of tools', () => {
  it.each([1, 5, 20].flatMap((size) => WRONG_ENTRIES.map(([words, entry]) => [size, words, entry] as const)))(
    'of %i MB is read as far as it takes to say: %s',
    { tags: ['long'] },
    async (size, words, entry) => {
      const count = Math.ceil((size * MEGABYTE) / (entry.length + 1));
      const { url } = await serve({ 'tools/list': `{"tools":[${`${entry},`.repeat(count)}${entry}]}` });
      const facts = connect(url).describe(new AbortController().signal);
      const error: unknown = await facts.catch((reason: unknown) => reason);
      const { message } = error as Error;
      const said = /^box: it has no tools that can be used: (\d+) of its tools were left out: ([^,]*),/.exec(message);
      expect(said?.[2]).toBe(words);
      expect(Number(said?.[1])).toBeLessThanOrEqual(2000);
      expect(message.length).toBeLessThan(400);
    },
  );

  it('loses what is wrong, and the place says so', async () => {
    const tools = [
      { name: 'a', inputSchema: SCHEMA },
      7,
      { name: 'big', inputSchema: { ...SCHEMA, title: 'x'.repeat(300_000) } },
    ];
    const prompts = [{ name: 'p' }, {}];
    const { url } = await serve({ 'tools/list': { tools }, 'prompts/list': { prompts } });
    const settings = { url: `${url}/mcp`, headers: {} } as ServerSettings;
    const agent = createAgent({ spaces: [mcpServer({ name: 'box', settings, place: { folder: '/tmp', env: {} } })] });
    onTestFinished(() => agent.close());
    expect(await agent.describe(['box'])).toContain(
      '1 tool of x 1. 2 of its tools were left out: no. 2 (no name), big (too large). 1 of its prompts was left out: no. 2 (no name).\n',
    );
  });
});

describe('resources', () => {
  it('that are wrong are left out, and every list of them says so', async () => {
    const resources = [{ uri: 'memo://a', name: 'a' }, { name: 'b' }];
    const { url } = await serve({
      'tools/list': { tools: [] },
      'resources/list': { resources },
      'resources/templates/list': { resourceTemplates: [7] },
      'resources/read': { contents: [{ uri: 'memo://a', text: 'one' }] },
    });
    const settings = { url: `${url}/mcp`, headers: {} } as ServerSettings;
    const place = { folder: '/tmp', env: {} };
    const agent = createAgent({ spaces: [mcpServer({ name: 'box', settings, place })] });
    onTestFinished(() => agent.close());
    const { calls } = await agent.run(asModelText('@box()\n@box.resources()\n<R:>\n<G:**>\n<Grep:one>'));
    const leftOut = '1 of its resources was left out: b (no uri).';
    expect(calls.slice(2).map(({ result }) => result.text)).toEqual([
      `memo://a -- a\n${leftOut} 1 of its resource templates was left out: no. 1 (no uriTemplate).`,
      `memo://a\n${leftOut}`,
      `memo://a:1: one\n${leftOut}`,
    ]);
  });
});

describe('another origin', () => {
  it.each([301, 302, 303, 307, 308])('gets nothing by a redirect of a server with %i', async (status) => {
    const other = await start();
    const server = await start(() => ({ status, headers: { location: `${other.url}/mcp` } }));
    await visit({ url: `${server.url}/mcp` });
    await visit({ url: `${server.url}/mcp`, type: 'sse' });
    expect(server.received.join('\n')).toContain(KEY);
    expect(other.received).toEqual([]);
  });

  it('gets nothing if a stream names it as the place for messages', async () => {
    const other = await start();
    const body = `event: endpoint\ndata: ${other.url}/messages\n\n`;
    const server = await start(() => ({ headers: { 'content-type': 'text/event-stream' }, body }));
    await visit({ url: `${server.url}/sse`, type: 'sse' });
    expect(server.received).not.toEqual([]);
    expect(other.received).toEqual([]);
  });

  it.each(['/token', '/register', '/.well-known/oauth-authorization-server', '/.well-known/oauth-protected-resource'])(
    'gets nothing by a redirect of %s',
    async (moved) => {
      const other = await start(authorize);
      const server = await start((path, own) =>
        path.startsWith(moved)
          ? { status: 307, headers: { location: `${other.url}${path}` } }
          : (authorize(path, own) ?? demand(path, own, own)),
      );
      await visit({ url: `${server.url}/mcp` });
      expect(server.received.map((line) => line.split(' ')[1]!.startsWith(moved))).toContain(true);
      expect(other.received).toEqual([]);
    },
  );

  it('gets no key that was appended to another header', async () => {
    const other = await start();
    const send = makeServerFetch('http://127.0.0.1/mcp', {
      Authorization: `Bearer ${KEY}`,
      'X-Key': KEY,
      'x-empty': '',
    });
    const appended = new Headers({ authorization: `Bearer ${KEY}`, 'x-key': KEY, 'x-other': '1' });
    appended.append('authorization', 'Basic own');
    await send(other.url, { headers: appended });
    expect(other.received.join('\n')).toContain('"authorization":"Basic own"');
    expect(other.received.join('\n')).toContain('"x-other":"1"');
    expect(other.received.join('\n')).not.toContain(KEY);
  });

  it('gets neither keys nor tokens of a server as its authorization server', async () => {
    const other = await start(authorize);
    const server = await start((path, own) => demand(path, own, other.url));
    await visit({ url: `${server.url}/mcp` });
    expect(server.received.join('\n')).toContain(KEY);
    expect(other.received.map((line) => line.split(' ')[1])).toContain('/register');
    expect(other.received.join('\n')).not.toMatch(/key-of-the-user|old-/);
  });
});
