// @module-tag long

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readableFetch } from './readable-fetch.ts';

/** URL of a server that responds with these bytes, each in a packet of its own. */
async function serverOf(bytes: Uint8Array, status = 200): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'x-kept': 'yes' });
    const next = (index: number): void => {
      if (index < bytes.length) response.write(bytes.subarray(index, index + 1), () => setImmediate(next, index + 1));
      else response.end();
    };
    next(0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('passes on status, headers and every character, however its bytes arrive', async () => {
  const response = await readableFetch(await serverOf(Buffer.from('größe 😀\uFFFD'), 201));
  expect([response.status, response.headers.get('x-kept')]).toEqual([201, 'yes']);
  expect(await response.text()).toBe('größe 😀\uFFFD');
});

it.each([
  ['a byte that begins nothing', Buffer.of(0x61, 0xff, 0x62)],
  ['a character that is not finished', Buffer.of(0x61, 0xf0, 0x9f)],
  ['half of a pair', Buffer.of(0xed, 0xa0, 0x80)],
])('breaks off at %s', async (_, bytes) => {
  const response = await readableFetch(await serverOf(bytes));
  await expect(response.text()).rejects.toMatchObject({ code: 'ERR_ENCODING_INVALID_ENCODED_DATA' });
});

it('leaves a response without a body alone', async () => {
  const response = await readableFetch(await serverOf(Buffer.of(), 204));
  expect([response.status, response.body]).toEqual([204, null]);
});

/** Address of a server that responds so, and what it was asked. */
async function startServer(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: { readonly path: string | undefined; readonly key: string | undefined; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => (body += String(bytes)));
    request.on('end', () => {
      asked.push({ path: request.url, key: request.headers.authorization, body });
      respond(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const REQUEST = { method: 'POST', body: 'prompt', headers: { authorization: 'Bearer secret' } };

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with %i to another origin carries nothing there', async (status) => {
    const other = await startServer((_, response) => response.end('caught'));
    const { url } = await startServer((_, response) => response.writeHead(status, { location: other.url }).end());
    await expect(readableFetch(url, REQUEST)).rejects.toThrow(`redirects to ${other.url}; nothing was sent there.`);
    expect(other.asked).toEqual([]);
  });

  it('within the origin is followed with the whole request, a few times', async () => {
    const { asked, url } = await startServer(({ url: path }, response) =>
      path === '/b' ? response.end('fine') : response.writeHead(308, { location: '/b' }).end(),
    );
    expect(await (await readableFetch(`${url}/a`, REQUEST)).text()).toBe('fine');
    expect(asked.at(-1)).toEqual({ path: '/b', key: 'Bearer secret', body: 'prompt' });
    const endless = await startServer((_, response) => response.writeHead(307, { location: '/again' }).end());
    await expect(readableFetch(endless.url, REQUEST)).rejects.toThrow('redirects more than 5 times');
    expect(endless.asked).toHaveLength(6);
  });
});

describe('a response that is too long', () => {
  const MEGABYTE = 'x'.repeat(1024 * 1024);
  const send = (pieces: number, piece: string, zip: boolean) =>
    startServer((_, response) => {
      if (zip) response.setHeader('content-encoding', 'gzip');
      const source = Readable.from(Array.from({ length: pieces }, () => piece));
      (zip ? source.pipe(createGzip()) : source).pipe(response);
    });

  it.each([
    ['one line', 9, MEGABYTE, false, 'a line of the response is longer than 8 MB'],
    ['many lines', 65, `${MEGABYTE.slice(1)}\n`, false, 'the response is longer than 64 MB'],
    ['compressed', 400, `${MEGABYTE.slice(1)}\n`, true, 'the response is longer than 64 MB'],
  ])('breaks off: %s', async (_, pieces, piece, zip, message) => {
    const { url } = await send(pieces, piece, zip);
    await expect((await readableFetch(url)).text()).rejects.toThrow(message);
  });

  it('is not one of 60 MB in lines', async () => {
    const { url } = await send(60, `${MEGABYTE.slice(1)}\n`, false);
    expect((await (await readableFetch(url)).text()).length).toBe(60 * 1024 * 1024);
  });
});
