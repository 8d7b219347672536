import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { findOllamaUrl, probeOllama } from './ollama.ts';

it.each([
  [undefined, 'http://127.0.0.1:11434'],
  ['', 'http://127.0.0.1:11434'],
  ['127.0.0.1:9000', 'http://127.0.0.1:9000'],
  ['gpu-box', 'http://gpu-box:11434'],
  [':9000', 'http://127.0.0.1:9000'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:9000', 'http://127.0.0.1:9000'],
  ['[::]:9000', 'http://127.0.0.1:9000'],
  ['http://gpu-box:9000/', 'http://gpu-box:9000'],
  ['https://ollama.example.com', 'https://ollama.example.com'],
])('reads OLLAMA_HOST=%s', (host, url) => {
  expect(findOllamaUrl({ OLLAMA_HOST: host })).toBe(url);
});

it('refuses an OLLAMA_HOST that is not an address', () => {
  expect(() => findOllamaUrl({ OLLAMA_HOST: 'not an address' })).toThrow(
    "OLLAMA_HOST is 'not an address', which is not an address.",
  );
});

async function probe(status: number, body: string): Promise<readonly string[] | undefined> {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const models = await probeOllama(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.closeAllConnections();
  server.close();
  expect(paths).toEqual(['/api/tags']);
  return models;
}

describe('probing', () => {
  it('lists the models in the order of the service', async () => {
    const models = await probe(200, '{"models":[{"name":"llama4:8b"},{"name":"qwen3"},{"odd":true}]}');
    expect(models).toEqual(['llama4:8b', 'qwen3']);
  });

  it.each([
    [200, '{}', []],
    [200, 'not json', undefined],
    [404, '{"models":[]}', undefined],
  ])('takes %i %s for %j', async (status, body, expected) => {
    expect(await probe(status, body)).toEqual(expected);
  });

  it('finds nothing where nobody listens', async () => {
    expect(await probeOllama('http://127.0.0.1:1')).toBeUndefined();
  });

  it('finds nothing at a server that leads elsewhere, and asks nobody else', async () => {
    const paths: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      paths.push(request.url);
      response.end('{"models":[{"name":"evil"}]}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const server = createServer((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    expect(await probeOllama(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toBeUndefined();
    expect(paths).toEqual([]);
    for (const one of [server, other]) {
      one.closeAllConnections();
      one.close();
    }
  });

  it('does not wait for a server that accepts and sends nothing', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    expect(await probeOllama(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toBeUndefined();
    server.closeAllConnections();
    server.close();
  });
});
