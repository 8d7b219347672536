import { ConfigurationError, type Model } from '@bae/core';
import { claudeCli } from './claude-cli/claude-cli.ts';
import type { Environment } from './environment.ts';
import { parseModelName } from './model-name.ts';
import { anthropicModel } from './providers/anthropic.ts';
import { googleModel } from './providers/google.ts';
import { ollamaModel, ollamaUrl, type probeOllama } from './providers/ollama.ts';
import { openaiCompatibleModel } from './providers/openai-compatible.ts';
import { openaiModel } from './providers/openai.ts';

/** Where a model that was named is looked for. */
export interface NamedModelOptions {
  readonly env: Environment;
  readonly baseUrl?: string;
  /** Asks an Ollama which models it has. */
  readonly probe: typeof probeOllama;
}

/**
 * The model of a name such as `anthropic/claude-sonnet-5-5`, `ollama/llama4`, `claude-cli`.
 *
 * @throws ConfigurationError for an unknown provider, a missing key, base URL or model name
 */
export async function namedModel(name: string, options: NamedModelOptions): Promise<Model> {
  const { provider, model } = parseModelName(name);
  const settings = { env: options.env, ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }) };
  switch (provider) {
    case 'anthropic':
      return anthropicModel(model, settings);
    case 'openai':
      return openaiModel(model, settings);
    case 'google':
      return googleModel(model, settings);
    case 'ollama':
      return ollamaModel(model ?? (await firstOfOllama(options)), settings);
    case 'openai-compatible':
      return openaiCompatibleModel(model ?? missingModel(), settings);
    default:
      return claudeCli({ env: options.env, ...(model === undefined ? {} : { model }) });
  }
}

function missingModel(): never {
  throw new ConfigurationError('openai-compatible needs the name of a model.', ['--model openai-compatible/NAME']);
}

async function firstOfOllama({ env, baseUrl, probe }: NamedModelOptions): Promise<string> {
  const url = baseUrl?.replace(/(\/v1)?\/*$/, '') ?? ollamaUrl(env);
  const models = await probe(url);
  const first = models?.[0];
  if (first !== undefined) return first;
  if (models === undefined)
    throw new ConfigurationError(`Ollama does not answer on ${url}.`, ['start it: ollama serve']);
  throw new ConfigurationError(`Ollama on ${url} has no model.`, ['fetch one: ollama pull NAME']);
}
