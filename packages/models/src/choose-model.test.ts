import { BaeError, type Model } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { chooseModel, type ChooseModelOptions } from './choose-model.ts';

const KEYS = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', GOOGLE_GENERATIVE_AI_API_KEY: 'g' };

/** The choice when no Ollama runs, unless the options have a probe. */
async function choose(options: Partial<ChooseModelOptions> = {}): Promise<readonly (string | undefined)[]> {
  const { model, reason } = await chooseModel({ env: {}, probe: () => Promise.resolve(undefined), ...options });
  return [model?.name, reason];
}

async function complaint(options: Partial<ChooseModelOptions>): Promise<readonly string[]> {
  const failed = await choose(options).then(
    () => undefined,
    (error: unknown) => error,
  );
  return BaeError.is(failed) ? [failed.code, failed.message, ...failed.hints] : [];
}

const own: Model = {
  name: 'mine',
  async *respond() {
    yield { type: 'end', reason: 'stop' };
  },
};

describe('a model asked for by name', () => {
  it.each([
    ['anthropic/claude-opus-5-5', 'anthropic/claude-opus-5-5'],
    ['anthropic', 'anthropic/claude-sonnet-5-5'],
    ['openai', 'openai/gpt-6.1-sol'],
    ['google', 'google/gemini-3.8-flash'],
    ['ollama/llama4', 'ollama/llama4'],
    ['claude-cli', 'claude-cli'],
    ['claude-cli/opus', 'claude-cli/opus'],
  ])('%s is taken', async (name, chosen) => {
    expect(await choose({ name, env: KEYS })).toEqual([chosen, `${chosen}, asked for by name`]);
  });

  it('wins over the configuration and the environment', async () => {
    expect(await choose({ name: 'claude-cli', configured: own, env: KEYS })).toEqual([
      'claude-cli',
      'claude-cli, asked for by name',
    ]);
  });

  it('may be behind a base URL', async () => {
    const chosen = await choose({ name: 'openai-compatible/meta/llama', baseUrl: 'http://127.0.0.1:8080/v1' });
    expect(chosen[0]).toBe('openai-compatible/meta/llama');
  });

  it('ollama alone stands for the first model it has', async () => {
    const urls: string[] = [];
    const probe = (url: string) => Promise.resolve([`model-${urls.push(url)}`]);
    expect((await choose({ name: 'ollama', probe }))[0]).toBe('ollama/model-1');
    expect((await choose({ name: 'ollama', probe, baseUrl: 'http://gpu:9000/v1/' }))[0]).toBe('ollama/model-2');
    expect(urls).toEqual(['http://127.0.0.1:11434', 'http://gpu:9000']);
  });

  it.each<readonly [Partial<ChooseModelOptions>, string, string]>([
    [{ name: 'ollama' }, 'Ollama does not answer on http://127.0.0.1:11434.', 'start it: ollama serve'],
    [
      { name: 'ollama', probe: () => Promise.resolve([]) },
      'Ollama on http://127.0.0.1:11434 has no model.',
      'fetch one: ollama pull NAME',
    ],
    [{ name: 'openai-compatible' }, 'openai-compatible needs the name of a model.', '--model openai-compatible/NAME'],
    [{ name: 'opnai/x' }, "no model provider 'opnai'. Did you mean 'openai/x'?", '--model openai/x'],
    [
      { baseUrl: 'http://127.0.0.1:8080/v1' },
      'a base URL was given without a model.',
      '--model openai-compatible/NAME --base-url http://127.0.0.1:8080/v1',
    ],
  ])('that cannot be had (%j) is an error and not another model', async (options, message, hint) => {
    expect(await complaint({ env: KEYS, ...options })).toEqual(['BAE_CONFIGURATION', message, hint]);
  });

  it('needs its key even where another one is there', async () => {
    const [code, message] = await complaint({ name: 'openai/x', env: { ANTHROPIC_API_KEY: 'a' } });
    expect([code, message]).toEqual(['BAE_CONFIGURATION', 'openai needs a key, and OPENAI_API_KEY is not set.']);
  });
});

describe('the configuration', () => {
  it.each<readonly [NonNullable<ChooseModelOptions['configured']>, string]>([
    ['openai/gpt-6', 'openai/gpt-6'],
    [{ name: 'openai-compatible/x', baseUrl: 'http://127.0.0.1:8080/v1' }, 'openai-compatible/x'],
    [own, 'mine'],
  ])('%j is taken when nothing is asked for by name', async (configured, chosen) => {
    expect(await choose({ configured, env: KEYS })).toEqual([chosen, `${chosen}, from the configuration`]);
  });
});

describe('the environment', () => {
  it.each([
    [KEYS, 'anthropic/claude-sonnet-5-5, because ANTHROPIC_API_KEY is set'],
    [{ ...KEYS, ANTHROPIC_API_KEY: '' }, 'openai/gpt-6.1-sol, because OPENAI_API_KEY is set'],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: 'g' }, 'google/gemini-3.8-flash, because GOOGLE_GENERATIVE_AI_API_KEY is set'],
    [{ GEMINI_API_KEY: 'g' }, 'google/gemini-3.8-flash, because GEMINI_API_KEY is set'],
  ])('gives the provider of its first key: %j', async (env, reason) => {
    expect((await choose({ env, probe: () => Promise.resolve(['llama4']) }))[1]).toBe(reason);
  });
});

describe('Ollama', () => {
  it('is taken without any key, when it runs and has a model', async () => {
    const models = ['llama4:8b', 'qwen3'];
    expect(await choose({ probe: () => Promise.resolve(models), env: { OLLAMA_HOST: 'gpu' } })).toEqual([
      'ollama/llama4:8b',
      'ollama/llama4:8b, because Ollama answers on http://gpu:11434',
    ]);
  });

  it.each([undefined, []])('that gives %j leaves no model, and the reason says what can be done', async (models) => {
    expect(await choose({ probe: () => Promise.resolve(models) })).toEqual([
      undefined,
      'no model: set ANTHROPIC_API_KEY or OPENAI_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY, start Ollama, or name one with --model provider/name',
    ]);
  });
});
