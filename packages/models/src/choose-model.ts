import { ConfigurationError, type Model } from '@bae/core';
import { makeNamedModel, type NamedModelOptions } from './named-model.ts';
import type { CallProtocol } from './native/native-tools.ts';
import { findOllamaUrl, ollamaModel, probeOllama } from './ollama.ts';
import { findSetting, KEY_VARIABLES, type Environment } from './provider-settings.ts';

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
