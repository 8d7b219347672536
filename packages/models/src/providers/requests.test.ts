import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Model } from '@bae/core';
import { expect, it } from 'vitest';
import { anthropicModel } from './anthropic.ts';
import { googleModel } from './google.ts';
import { ollamaModel } from './ollama.ts';
import { openaiCompatibleModel } from './openai-compatible.ts';
import { openaiModel } from './openai.ts';

/** Asks a model at a server that refuses everything, and returns what it asked for: path and key. */
async function requestOf(make: (origin: string) => Model): Promise<readonly unknown[]> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(400, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const model = make(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { signal } = new AbortController();
  for await (const part of model.respond([{ role: 'user', text: 'Hi' }], { signal })) expect(part.type).toBe('error');
  server.closeAllConnections();
  server.close();
  const { authorization, 'x-api-key': key, 'x-goog-api-key': google } = requests[0]!.headers;
  return [requests[0]?.url, authorization ?? key ?? google];
}

it.each(['', '/', '/v1', '/v1/'])('asks Anthropic under its version, given the URL with %j', async (path) => {
  const env = (origin: string) => ({ ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: origin + path });
  expect(await requestOf((origin) => anthropicModel('m', { env: env(origin) }))).toEqual(['/v1/messages', 'key']);
});

it('asks another address than OpenAI’s own in the chat format', async () => {
  const request = await requestOf((origin) =>
    openaiModel('m', { env: { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: `${origin}/v1` } }),
  );
  expect(request).toEqual(['/v1/chat/completions', 'Bearer key']);
});

it('asks Google for a stream', async () => {
  const request = await requestOf((origin) => googleModel('m', { baseUrl: origin, env: { GEMINI_API_KEY: 'key' } }));
  expect(request).toEqual(['/models/m:streamGenerateContent?alt=sse', 'key']);
});

it('asks Ollama under the address that OLLAMA_HOST gives', async () => {
  const request = await requestOf((origin) =>
    ollamaModel('m', { env: { OLLAMA_HOST: origin.replace('http://', '') } }),
  );
  expect(request).toEqual(['/v1/chat/completions', 'Bearer ollama']);
});

it('keeps the OpenAI key from a compatible service elsewhere', async () => {
  const request = await requestOf((origin) =>
    openaiCompatibleModel('m', { baseUrl: `${origin}/v1`, env: { OPENAI_API_KEY: 'secret' } }),
  );
  expect(request).toEqual(['/v1/chat/completions', undefined]);
});

it('sends the OpenAI key to where OPENAI_BASE_URL points', async () => {
  const request = await requestOf((origin) =>
    openaiCompatibleModel('m', { env: { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: `${origin}/v1` } }),
  );
  expect(request).toEqual(['/v1/chat/completions', 'Bearer key']);
});
