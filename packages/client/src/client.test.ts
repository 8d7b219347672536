import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from './client.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const event = (seq: number, fields: object): string =>
  `id: ${seq}\nevent: x\ndata: ${JSON.stringify({ label: '1', turn: 1, ...fields })}\n\n`;

describe('a client', () => {
  it('goes on where it was when a stream breaks, in the middle of an event too', async () => {
    const asked: (string | undefined)[] = [];
    const all = Array.from({ length: 6 }, (_, place) => event(place + 1, { type: 'notice', code: 'retry', text: 'x' }));
    const url = await serve((request, response) => {
      const after = String(request.headers['last-event-id']);
      asked.push(after);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const rest = all.slice(Number(after));
      response.write(rest[0]! + (rest[1] ?? '').slice(0, 20));
      setTimeout(() => response.destroy(), 5);
    });
    const seen: number[] = [];
    const client = new Client({ url, token: 't' });
    for await (const { seq } of client.follow('s')) {
      seen.push(seq!);
      if (seq === 4) break;
    }
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual(['0', '1', '2', '3']);
  });

  it('waits as long as the server says, and sends a prompt again under its key', async () => {
    const keys: unknown[] = [];
    const url = await serve((request, response) => {
      keys.push(request.headers['idempotency-key']);
      if (keys.length === 1) return void request.socket.destroy();
      if (keys.length === 2) {
        response.writeHead(429, { 'retry-after': '1' });
        return void response.end('{"error": {"code": "too_many", "message": "later"}}');
      }
      response.writeHead(202, { 'content-type': 'application/json' });
      return void response.end('{"id": "p"}');
    });
    expect(await new Client({ url, token: 't' }).addPrompt('s', 'Hello')).toEqual({ id: 'p' });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('rejects with what the server says, and does not try again what will not work', async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests++;
      response.writeHead(403);
      response.end('{"error": {"code": "forbidden", "message": "not this", "try": "that"}}');
    });
    const client = new Client({ url, token: 't' });
    const refused = { name: 'RefusedError', status: 403, code: 'forbidden', message: 'not this', hint: 'that' };
    await expect(client.createSession()).rejects.toMatchObject(refused);
    await expect(client.follow('s').next()).rejects.toMatchObject(refused);
    expect(requests).toBe(2);
  });

  it('takes its token to no other server', async () => {
    const seen: unknown[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    });
    const url = await serve((_, response) => {
      response.writeHead(302, { location: other });
      response.end();
    });
    await expect(new Client({ url, token: 't', tries: 1 }).getSession('s')).rejects.toThrow();
    expect(seen).toEqual([]);
  });

  it(
    'takes no answer or line of events that is too long, compressed or not, and asks for it once',
    { tags: ['long'] },
    async () => {
      const asked: (string | undefined)[] = [];
      const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '));
      const url = await serve(({ url: path }, response) => {
        asked.push(path);
        const isStream = path?.endsWith('/events') === true;
        if (!isStream) response.setHeader('content-encoding', 'gzip');
        response.end(isStream ? `data: ${'x'.repeat(8 * 1024 * 1024)}\n\n` : bomb);
      });
      const client = new Client({ url, token: 't' });
      await expect(client.getSession('s')).rejects.toThrow('a response of the server is longer than 64 MB');
      await expect(client.follow('s').next()).rejects.toThrow('a line of the events is longer than 8 MB');
      expect(asked).toEqual(['/v1/sessions/s', '/v1/sessions/s/events']);
    },
  );

  it('takes no patch, export or refusal that is too long', { tags: ['long'] }, async () => {
    const refusal = Buffer.from('{"error":{"code":"x","message":"y"}}');
    const bomb = gzipSync(Buffer.concat([refusal, Buffer.alloc(65 * 1024 * 1024, ' ')]));
    let status = 200;
    const url = await serve((_, response) => response.writeHead(status, { 'content-encoding': 'gzip' }).end(bomb));
    const client = new Client({ url, token: 't' });
    await expect(client.getPatch('s')).rejects.toThrow('longer than 64 MB');
    await expect(client.export('s')).rejects.toThrow('longer than 64 MB');
    status = 400;
    await expect(client.getSession('s')).rejects.toMatchObject({ code: 'unknown', status: 400 });
  });

  it('does not send twice what may have been done once', async () => {
    let requests = 0;
    const url = await serve((request) => {
      requests++;
      request.socket.destroy();
    });
    await expect(new Client({ url, token: 't' }).createSession()).rejects.toThrow();
    expect(requests).toBe(1);
  });

  it('ends when its signal aborts', async () => {
    const url = await serve((_, response) => void response.writeHead(200).write(': hello\n\n'));
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 20);
    expect(await collect(new Client({ url, token: 't' }).follow('s', { signal: stop.signal }))).toEqual([]);
  });
});
