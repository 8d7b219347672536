import { readdir, readFile } from 'node:fs/promises';
import { BaeError, type Model } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { anthropicModel } from './anthropic.ts';
import { googleModel } from './google.ts';
import { openaiCompatibleModel } from './openai-compatible.ts';
import { openaiModel } from './openai.ts';

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
      `${variable} is 'localhost:8080', which is no http or https URL.`,
      'write it whole: http://127.0.0.1:8080/v1',
    ]);
  });

  it('given as an option wins over the environment, and is named as such', () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1/v1' };
    expect(complaint(() => openaiModel('x', { apiKey: 'k', env, baseUrl: 'nonsense' }))[1]).toBe(
      "the base URL is 'nonsense', which is no http or https URL.",
    );
  });

  it('is needed by a compatible service', () => {
    expect(complaint(() => openaiCompatibleModel('llama'))).toEqual([
      'BAE_CONFIGURATION',
      'openai-compatible/llama has no base URL.',
      '--model openai-compatible/llama --base-url http://127.0.0.1:8080/v1',
      'or export OPENAI_COMPATIBLE_BASE_URL=…',
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

it('loads the package of a provider only when it is asked', async () => {
  const folder = new URL('..', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const eager = await Promise.all(
    files.map(async (name) => {
      const source = await readFile(new URL(name, folder), 'utf8');
      return /^import (?!type )[^;]*'@ai-sdk\//m.test(source) ? name : undefined;
    }),
  );
  expect(eager.filter((name) => name !== undefined)).toEqual([]);
});
