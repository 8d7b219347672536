import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BaeError, type Model } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { ollamaModel } from './ollama.ts';
import { anthropicModel, googleModel, openaiCompatibleModel, openaiModel } from './providers.ts';

function complaint(make: () => Model): readonly string[] {
  try {
    make();
  } catch (error) {
    if (BaeError.is(error)) return [error.code, error.message, ...error.hints];
  }
  return [];
}

const NO_KEY_NEEDED = 'a model that needs no key: --model ollama/NAME, --model claude-cli';

describe('a missing key', () => {
  it.each([
    [anthropicModel, 'anthropic needs a key, and ANTHROPIC_API_KEY is not set.', 'export ANTHROPIC_API_KEY=…'],
    [openaiModel, 'openai needs a key, and OPENAI_API_KEY is not set.', 'export OPENAI_API_KEY=…'],
    [
      googleModel,
      'google needs a key, and GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY is not set.',
      'export GOOGLE_GENERATIVE_AI_API_KEY=…',
    ],
  ])('is reported at once, with its variable and the alternatives', (make, message, hint) => {
    const expected = ['BAE_CONFIGURATION', message, hint, NO_KEY_NEEDED];
    expect(complaint(() => make('x'))).toEqual(expected);
    expect(
      complaint(() => make('x', { env: { ANTHROPIC_API_KEY: ' ', OPENAI_API_KEY: '', GEMINI_API_KEY: '' } })),
    ).toEqual(expected);
  });
});

describe('a base URL', () => {
  it.each([
    ['ANTHROPIC_BASE_URL', anthropicModel],
    ['OPENAI_BASE_URL', openaiModel],
    ['GOOGLE_GENERATIVE_AI_BASE_URL', googleModel],
    ['OPENAI_COMPATIBLE_BASE_URL', openaiCompatibleModel],
  ])('in %s that is none is reported at once', (variable, make) => {
    expect(complaint(() => make('x', { apiKey: 'k', env: { [variable]: 'localhost:8080' } }))).toEqual([
      'BAE_CONFIGURATION',
      `${variable} is 'localhost:8080', which is not an http or https URL.`,
      'write it whole: http://127.0.0.1:8080/v1',
    ]);
  });

  it('given as an option wins over the environment, and is named as such', () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1/v1' };
    expect(complaint(() => openaiModel('x', { apiKey: 'k', env, baseUrl: 'nonsense' }))[1]).toBe(
      "the base URL is 'nonsense', which is not an http or https URL.",
    );
  });

  it('is needed by a compatible service', () => {
    expect(complaint(() => openaiCompatibleModel('llama'))).toEqual([
      'BAE_CONFIGURATION',
      'openai-compatible/llama has no base URL.',
      '--model openai-compatible/llama --base-url http://127.0.0.1:8080/v1',
      'export OPENAI_COMPATIBLE_BASE_URL=…',
    ]);
  });
});

it('names each model after its provider', () => {
  const options = { apiKey: 'k' };
  expect([
    anthropicModel(undefined, options).name,
    openaiModel(undefined, options).name,
    googleModel(undefined, options).name,
    openaiCompatibleModel('m', { baseUrl: 'http://127.0.0.1/v1' }).name,
  ]).toEqual(['anthropic/claude-sonnet-5-5', 'openai/gpt-6.1-sol', 'google/gemini-3.8-flash', 'openai-compatible/m']);
});

it('loads the package of a provider only with the first request', async () => {
  const folder = new URL('.', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const eager = await Promise.all(
    files.map(async (name) => {
      const source = await readFile(new URL(name, folder), 'utf8');
      return /^import (?!type )[^;]*'@ai-sdk\//m.test(source) ? name : undefined;
    }),
  );
  expect(eager.filter((name) => name !== undefined)).toEqual([]);
});

/** Sends a request to a server that refuses everything, and returns its path and key. */
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
