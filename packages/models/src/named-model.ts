import { ConfigurationError, findNearestName, type Model } from '@bae/core';
import { claudeCli } from './claude-cli/claude-cli.ts';
import { findOllamaUrl, ollamaModel, type probeOllama } from './ollama.ts';
import type { ProviderOptions } from './provider-settings.ts';
import { anthropicModel, googleModel, openaiCompatibleModel, openaiModel } from './providers.ts';

/** Options for finding a named model, and its format of tool calls. */
export interface NamedModelOptions extends Pick<ProviderOptions, 'baseUrl' | 'protocol' | 'accepts'> {
  readonly env: NonNullable<ProviderOptions['env']>;
  /** Queries an Ollama for the models that it has. */
  readonly probe: typeof probeOllama;
}

/**
 * Makes the model for a name such as `anthropic/claude-sonnet-5-5`, `ollama/llama4` or `claude-cli`.
 *
 * @throws ConfigurationError for an unknown provider, a missing key, base URL or model name
 */
export async function makeNamedModel(name: string, options: NamedModelOptions): Promise<Model> {
  const { provider, model } = parseModelName(name);
  const { env, baseUrl, protocol, accepts } = options;
  const settings = { env, baseUrl, protocol, accepts };
  switch (provider) {
    case 'anthropic':
      return anthropicModel(model, settings);
    case 'openai':
      return openaiModel(model, settings);
    case 'google':
      return googleModel(model, settings);
    case 'ollama':
      return ollamaModel(model ?? (await firstOllamaModel(options)), settings);
    case 'openai-compatible':
      return openaiCompatibleModel(model ?? failWithoutModel(), settings);
    default:
      if (protocol === 'tools') failWithTools();
      return claudeCli({ env, model });
  }
}

function failWithTools(): never {
  throw new ConfigurationError('claude-cli takes no function calls.', ['--protocol tags']);
}

function failWithoutModel(): never {
  throw new ConfigurationError('openai-compatible needs the name of a model.', ['--model openai-compatible/NAME']);
}

async function firstOllamaModel({ env, baseUrl, probe }: NamedModelOptions): Promise<string> {
  const url = baseUrl?.replace(/(\/v1)?\/*$/, '') ?? findOllamaUrl(env);
  const models = await probe(url);
  const first = models?.[0];
  if (first !== undefined) return first;
  if (models === undefined)
    throw new ConfigurationError(`Ollama does not answer on ${url}.`, ['start it: ollama serve']);
  throw new ConfigurationError(`Ollama on ${url} has no model.`, ['fetch one: ollama pull NAME']);
}

/** Providers as written before the slash in the name of a model. */
const PROVIDERS = ['anthropic', 'openai', 'google', 'ollama', 'openai-compatible', 'claude-cli'] as const;

type Provider = (typeof PROVIDERS)[number];

/** Name such as `anthropic/claude-sonnet-5-5`, split at its first slash; without a slash there is no model. */
interface ModelName {
  readonly provider: Provider;
  readonly model: string | undefined;
}

/** Minimum similarity to a provider for a misspelling, and for a mere typing error. */
const FUZZY = 0.5;
const CLOSE = 0.75;

/** Providers by the beginning of their models' names. */
const FAMILIES: readonly (readonly [RegExp, Provider])[] = [
  [/^(claude|opus|sonnet|haiku)/i, 'anthropic'],
  [/^(gpt|o\d)/i, 'openai'],
  [/^gemini/i, 'google'],
];

/**
 * Parses a model's name: `provider/model`, or a provider alone. The model may contain slashes.
 *
 * @throws ConfigurationError for an unknown provider, with the name that was probably meant
 */
export function parseModelName(name: string): ModelName {
  const [provider = '', ...rest] = name.split('/');
  const model = rest.join('/');
  const known = PROVIDERS.find((candidate) => candidate === provider);
  if (known === undefined) throw unknownProviderError(provider, model);
  return { provider: known, model: model || undefined };
}

function unknownProviderError(provider: string, model: string): ConfigurationError {
  const meant = guessName(provider, model);
  const remedy = meant === undefined ? `There are ${PROVIDERS.join(', ')}.` : `Did you mean '${meant}'?`;
  return new ConfigurationError(`no model provider '${provider}'. ${remedy}`, [`--model ${meant ?? 'anthropic/NAME'}`]);
}

function guessName(provider: string, model: string): string | undefined {
  const family = model === '' ? FAMILIES.find(([pattern]) => pattern.test(provider))?.[1] : undefined;
  // A name that may be a model without its provider is corrected only to a very similar provider.
  const nearest = findNearestName(provider, PROVIDERS, family === undefined ? FUZZY : CLOSE);
  if (nearest !== undefined) return model === '' ? nearest : `${nearest}/${model}`;
  return family && `${family}/${provider}`;
}
