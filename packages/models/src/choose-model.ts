import { ConfigurationError, findNearestName, type Model } from '@bae/core';
import type { CallProtocol } from './native/native-tools.ts';
import { findOllamaUrl, ollamaModel, probeOllama } from './ollama.ts';
import { findSetting, KEY_VARIABLES, type Environment, type ProviderOptions } from './provider-settings.ts';
import { claudeCli } from './claude-cli/claude-cli.ts';
import { anthropicModel, googleModel, openaiCompatibleModel, openaiModel } from './providers.ts';

/** Options for choosing a model. */
export interface ChooseModelOptions {
  /** Requested name: `provider/model`, `claude-cli`, or a provider alone for its default model. */
  readonly name?: string | undefined;
  /** URL of the API of the named or configured model. */
  readonly baseUrl?: string | undefined;
  /** Format of tool calls. Default: `auto`. */
  readonly protocol?: CallProtocol | undefined;
  /** Input that the model accepts in addition to text. Default: the usual input for models of its provider. */
  readonly accepts?: NamedModelOptions['accepts'] | undefined;
  /** Environment variables for keys, base URLs and OLLAMA_HOST. */
  readonly env: Environment;
  /** Model of the configuration: a name, a name with its base URL, or a model. */
  readonly configured?: string | { readonly name: string; readonly baseUrl?: string } | Model | undefined;
  /** Queries an Ollama for its models. Default: over HTTP, with a time limit of half a second. */
  readonly probe?: ((url: string) => Promise<readonly string[] | undefined>) | undefined;
}

/** Chosen model, if any, with the reason as a line for people. */
export interface ModelChoice {
  readonly model: Model | undefined;
  /** Reason such as `anthropic/claude-sonnet-5-5, because ANTHROPIC_API_KEY is set`. */
  readonly reason: string;
}

const FIRST_KEYS = Object.values(KEY_VARIABLES).map(([variable]) => variable);
const NO_MODEL = `no model: set ${FIRST_KEYS.join(' or ')}, start Ollama, or name one with --model provider/name`;

/**
 * Chooses the first available model: the one requested by name, the configured one, that of the provider of the first
 * key in the environment, or the first model of a running Ollama.
 *
 * @returns the model with the reason; if there is nothing to choose, no model and a suggestion
 * @throws ConfigurationError when the named or configured model is not available
 */
export async function chooseModel(options: ChooseModelOptions): Promise<ModelChoice> {
  const { name, env, configured, baseUrl, protocol, accepts, probe = probeOllama } = options;
  const settings: NamedModelOptions = { env, probe, baseUrl, protocol, accepts };
  if (name !== undefined) return makeChoice(await makeNamedModel(name, settings), 'asked for by name');
  if (configured !== undefined)
    return makeChoice(await makeConfiguredModel(configured, settings), 'from the configuration');
  if (baseUrl !== undefined) {
    throw new ConfigurationError('a base URL was given without a model.', [
      `--model openai-compatible/NAME --base-url ${baseUrl}`,
    ]);
  }
  return (await chooseByKey(settings)) ?? (await chooseOllama(settings)) ?? { model: undefined, reason: NO_MODEL };
}

function makeConfiguredModel(
  configured: NonNullable<ChooseModelOptions['configured']>,
  settings: NamedModelOptions,
): Promise<Model> {
  if (typeof configured === 'string') return makeNamedModel(configured, settings);
  if ('respond' in configured) return Promise.resolve(configured);
  const { name, baseUrl } = configured;
  return makeNamedModel(name, { ...settings, baseUrl: settings.baseUrl ?? baseUrl });
}

async function chooseByKey(settings: NamedModelOptions): Promise<ModelChoice | undefined> {
  for (const [provider, variables] of Object.entries(KEY_VARIABLES)) {
    const key = findSetting(settings.env, variables);
    if (key !== undefined)
      return makeChoice(await makeNamedModel(provider, settings), `because ${key.variable} is set`);
  }
  return undefined;
}

async function chooseOllama({ env, probe, protocol }: NamedModelOptions): Promise<ModelChoice | undefined> {
  const url = findOllamaUrl(env);
  const first = (await probe(url))?.[0];
  return first === undefined
    ? undefined
    : makeChoice(ollamaModel(first, { env, protocol }), `because Ollama answers on ${url}`);
}

function makeChoice(model: Model, why: string): ModelChoice {
  return { model, reason: `${model.name}, ${why}` };
}

/** Options for finding a named model, and its format of tool calls. */
interface NamedModelOptions extends Pick<ProviderOptions, 'baseUrl' | 'protocol' | 'accepts'> {
  readonly env: NonNullable<ProviderOptions['env']>;
  /** Queries an Ollama for the models that it has. */
  readonly probe: typeof probeOllama;
}

/**
 * Makes the model for a name such as `anthropic/claude-sonnet-5-5`, `ollama/llama4` or `claude-cli`.
 *
 * @throws ConfigurationError for an unknown provider, a missing key, base URL or model name
 */
async function makeNamedModel(name: string, options: NamedModelOptions): Promise<Model> {
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
