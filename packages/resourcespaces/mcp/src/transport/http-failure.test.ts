import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { explainHttpFailure } from './http-failure.ts';
import { ServerConnection } from '../server-connection.ts';

const PAGE = '<!DOCTYPE html><html><head><title>Sign\n in</title></head><body>xx</body></html>';
/** Answers by the path that they are given at. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/moved': (response) => response.writeHead(307, { location: 'http://me:key@other.example/mcp?key=1' }).end(),
  '/page': (response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE),
  '/empty': (response) => response.writeHead(200).end(),
  '/half': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'),
  '/other': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
  '/tenant': (response) => response.writeHead(400).end('{"error":{"message":"no such tenant"}}'),
  '/closed': (response) => response.destroy(),
};
const server = createServer(({ url = '' }, response) => {
  const path = url.split('?', 1)[0]!;
  if (Object.hasOwn(ANSWERS, path)) ANSWERS[path]!(response);
  else response.writeHead(Number(path.slice(1)), { 'content-type': 'text/html' }).end(PAGE);
});
let host = '';
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close().closeAllConnections());

async function explain(url: string, headers: Readonly<Record<string, string>> = {}, type?: 'sse'): Promise<string> {
  const options = { place: { folder: import.meta.dirname, env: {} }, onChange: () => undefined };
  const connection = new ServerConnection('docs', { url, headers, type }, options);
  const failed = await connection.describe(new AbortController().signal).catch((error: unknown) => error);
  await connection.close();
  return (failed as Error).message.replaceAll(host, 'HOST');
}

it.each([
  [
    '/moved',
    'its address leads to another, http://other.example/mcp, which is not followed: write that into its settings if it is right.',
  ],
  [
    '/page',
    'http://HOST/page answered with text/html, which is not of the protocol: correct the address in its settings.',
  ],
  [
    '/empty',
    'http://HOST/empty answered with nothing, which is not of the protocol: correct the address in its settings.',
  ],
  ['/half', 'http://HOST/half answered with JSON that is not of the protocol.'],
  ['/other', 'http://HOST/other answered with JSON that is not of the protocol.'],
  ['/tenant', 'it refuses the request (status 400: no such tenant).'],
  ['/closed', 'HOST closed the connection without an answer.'],
  ['/401', 'log in from another terminal (bae mcp login docs): it wants to know who is there.'],
  ['/403', 'it denies access: its key or your login does not allow this (status 403: Sign in).'],
  [
    '/404?key=secret',
    'there is no server of the protocol at http://HOST/404: correct the address in its settings (status 404: Sign in).',
  ],
  ['/429', 'it had too many requests: wait a while (status 429: Sign in).'],
  ['/503', 'it is out of order: try again later (status 503: Sign in).'],
])('an answer such as %s is explained with what to do', async (path, expected) => {
  expect(await explain(`http://${host}${path}`)).toBe(`docs: ${expected}`);
});

it('a server that does not accept the key of its settings is not one to log in at', async () => {
  const message = await explain(`http://${host}/401`, { Authorization: 'Bearer a key' });
  expect(message).toBe('docs does not accept the key in its settings: correct it there.');
});

it('an address that cannot be reached is explained', async () => {
  expect(await explain(`https://${host}/`)).toBe('docs: HOST has no encryption: its address begins with http://.');
  expect(await explain('http://nowhere.invalid/mcp?key=1')).toMatch(
    /^docs: it cannot be reached \((?:ENOTFOUND\): there is no host|EAI_AGAIN\): there is no network in which to look for) nowhere\.invalid/,
  );
  for (const type of [undefined, 'sse'] as const) {
    const said = await explain('http://127.0.0.1:9/', {}, type);
    expect(said).toContain('is not used for HTTP: correct the address in its settings.');
  }
  const closed = createServer();
  await once(closed.listen(0, '127.0.0.1'), 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  for (const type of [undefined, 'sse'] as const) {
    const said = await explain(`http://127.0.0.1:${port}/`, {}, type);
    expect(said).toBe(`docs: it cannot be reached (ECONNREFUSED): nothing listens at 127.0.0.1:${port}.`);
  }
});

it('a certificate that is not accepted is explained, and what is not about HTTP is not', () => {
  const text = 'self-signed certificate; if the root CA is installed locally, try running Node.js with --use-system-ca';
  const cause = Object.assign(new Error(text), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(explainHttpFailure(new TypeError('fetch failed', { cause }), 'https://docs.example')).toBe(
    'its certificate is not accepted (self-signed certificate): the variable NODE_EXTRA_CA_CERTS names a file with the certificates of your network',
  );
  expect(explainHttpFailure(new Error('the disk is full'), 'https://docs.example')).toBeUndefined();
});

/** A server with sessions, which forgets them when it is restarted. */
function serveSessions(status: number) {
  const sessions = new Set<string>();
  const calls: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks = (await request.toArray()) as Buffer[];
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { id?: number; method?: string };
    const session = String(request.headers['mcp-session-id']);
    if (request.method !== 'POST') return response.writeHead(405).end();
    if (method !== 'initialize' && !sessions.has(session)) return response.writeHead(status).end('no such session');
    if (id === undefined) return response.writeHead(202).end();
    const opened = `s${calls.length}`;
    if (method === 'initialize') sessions.add(opened);
    calls.push(method!);
    const info = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'x', version: '1' },
    };
    const result = method === 'initialize' ? info : { tools: [{ name: 'a', inputSchema: { type: 'object' } }] };
    const headers = {
      'content-type': 'application/json',
      ...(method === 'initialize' && { 'mcp-session-id': opened }),
    };
    return response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  const listener = createServer((request, response) => void answer(request, response));
  return { listener, calls, restart: () => sessions.clear() };
}

it.each([404, 400])('a server that has lost the session (%i) gets a new one, and the request again', async (status) => {
  const { listener, calls, restart } = serveSessions(status);
  onTestFinished(() => listener.close().closeAllConnections());
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`;
  const options = { place: { folder: import.meta.dirname, env: {} }, onChange: () => undefined };
  const connection = new ServerConnection('docs', { url, headers: {} }, options);
  onTestFinished(() => connection.close());
  const { signal } = new AbortController();
  await connection.describe(signal);
  restart();
  const both = await Promise.all([connection.describe(signal), connection.describe(signal)]);
  expect(both.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['a'], ['a']]);
  expect(calls.filter((method) => method === 'initialize')).toHaveLength(2);
});
