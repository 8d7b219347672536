import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, globalAgent, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { postJson } from './wire-model.ts';

/** Address of a server that responds so, and what it was sent. */
async function startServer(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const sent: { readonly path: string | undefined; readonly key: string | undefined; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => (body += String(bytes)));
    request.on('end', () => {
      sent.push({ path: request.url, key: request.headers.authorization, body });
      respond(request, response);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    globalAgent.destroy();
    server.close();
  });
  return { server, sent, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function post(url: string, signal = new AbortController().signal): Promise<string> {
  const { body } = await postJson(
    { url, headers: { authorization: 'Bearer secret' }, body: { text: 'größe' } },
    signal,
  );
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('a connection', () => {
  it('is used for request after request', async () => {
    const { server, url } = await startServer((_, response) => response.end('fine'));
    let connections = 0;
    server.on('connection', () => connections++);
    for (let round = 0; round < 3; round++) expect(await post(url)).toBe('fine');
    expect(connections).toBe(1);
  });

  it('that the service has just closed is replaced, without an error', async () => {
    const { server, url } = await startServer((_, response) => response.end('fine'));
    await post(url);
    let connections = 0;
    server.on('connection', () => connections++);
    server.prependOnceListener('request', ({ socket }: IncomingMessage) => socket.resetAndDestroy());
    expect(await post(url)).toBe('fine');
    expect(connections).toBe(1);
  });

  it('that a second request waits on ends with it when it is cancelled', async () => {
    const { server, sent, url } = await startServer((_, response) => response.end('fine'));
    await post(url);
    const stop = new AbortController();
    server.removeAllListeners('request').on('request', () => stop.abort());
    await expect(post(url, stop.signal)).rejects.toThrow('socket hang up');
    expect(sent).toHaveLength(1);
  });

  it('that cannot be made is given up after ten seconds', async () => {
    const full = fork('-', { execArgv: ['-e', FULL], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    onTestFinished(() => void full.kill('SIGKILL'));
    const [port] = (await once(full, 'message')) as [number];
    const waiting = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    onTestFinished(() => waiting.forEach((socket) => socket.destroy()));
    await once(waiting[0]!, 'connect');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const posted = post(`http://127.0.0.1:${port}`).catch((error: unknown) => error);
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await posted).toMatchObject({ code: 'ETIMEDOUT', message: 'no connection within 10 s' });
  });

  it('is closed when the request is cancelled, before and after the response begins', async () => {
    for (const begins of [false, true]) {
      const stop = new AbortController();
      const { server, url } = await startServer((_, response) => {
        if (begins) response.write('first');
        stop.abort();
      });
      const closed = once(server, 'connection').then(([socket]) => once(socket as never, 'close'));
      await expect(post(url, stop.signal)).rejects.toThrow();
      await closed;
    }
  });
});

/** A process that listens and takes no connection. */
const FULL = `
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    process.send(server.address().port, () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with %i to another origin carries nothing there', async (status) => {
    const other = await startServer((_, response) => response.end('caught'));
    const { url } = await startServer((_, response) => response.writeHead(status, { location: other.url }).end());
    await expect(post(url)).rejects.toThrow(`redirects to ${other.url}; nothing was sent there.`);
    expect(other.sent).toEqual([]);
  });

  it('within the origin is followed with the whole request', async () => {
    const { sent, url } = await startServer(({ url: path }, response) =>
      path === '/b' ? response.end('fine') : response.writeHead(308, { location: '/b' }).end(),
    );
    expect(await post(`${url}/a`)).toBe('fine');
    expect(sent.at(-1)).toEqual({ path: '/b', key: 'Bearer secret', body: '{"text":"größe"}' });
  });
});

it.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', (bytes: Buffer) => bytes],
])('reads a body that comes as %s', async (encoding, compress) => {
  const { url } = await startServer((_, response) => {
    response.setHeader('content-encoding', encoding);
    response.end(compress(Buffer.from('größe')));
  });
  expect(await post(url)).toBe('größe');
});

it('reports a connection that breaks off while nobody reads', async () => {
  const { url } = await startServer((_, response) => {
    response.write('first');
    setImmediate(() => response.socket?.resetAndDestroy());
  });
  const { body } = await postJson({ url, headers: {}, body: {} }, new AbortController().signal);
  await new Promise((resolve) => body.once('close', resolve));
  await expect(body.toArray()).rejects.toThrow();
});
