import { ConfigurationError, type Model } from '@bae/core';
import { firstSetting, type Environment } from './environment.ts';
import { namedModel, type NamedModelOptions } from './named-model.ts';
import { ANTHROPIC_KEYS } from './providers/anthropic.ts';
import { GOOGLE_KEYS } from './providers/google.ts';
import { ollamaModel, ollamaUrl, probeOllama } from './providers/ollama.ts';
import { OPENAI_KEYS } from './providers/openai.ts';

/** What there is to choose from. */
export interface ChooseModelOptions {
  /** Asked for by name: `provider/model`, `claude-cli`, or a provider alone for its default model. */
  readonly name?: string;
  /** URL of the API of the named or configured model. */
  readonly baseUrl?: string;
  /** Environment variables: keys, base URLs, OLLAMA_HOST. */
  readonly env: Environment;
  /** What the configuration says: a name, a name with its base URL, or a model. */
  readonly configured?: string | { readonly name: string; readonly baseUrl?: string } | Model;
  /** Asks an Ollama for its models. Default: over HTTP, for half a second. */
  readonly probe?: (url: string) => Promise<readonly string[] | undefined>;
}

/** The model that was chosen, if any, and why: a line for people. */
export interface ModelChoice {
  readonly model: Model | undefined;
  /** `anthropic/claude-sonnet-5-5, because ANTHROPIC_API_KEY is set` */
  readonly reason: string;
}

const KEYED = [
  ['anthropic', ANTHROPIC_KEYS],
  ['openai', OPENAI_KEYS],
  ['google', GOOGLE_KEYS],
] as const;

const NO_MODEL =
  `no model: set ${KEYED.map(([, [variable]]) => variable).join(' or ')}, ` +
  'start Ollama, or name one with --model provider/name';

/**
 * Chooses the model: the one asked for by name, else the configured one, else the provider of the
 * first key in the environment, else the first model of an Ollama that answers.
 *
 * @returns no model, and what could be done about it, when there is nothing to choose
 * @throws ConfigurationError when the named or configured model cannot be had
 */
export async function chooseModel(options: ChooseModelOptions): Promise<ModelChoice> {
  const { name, env, configured, baseUrl, probe = probeOllama } = options;
  const settings: NamedModelOptions = { env, probe, ...(baseUrl === undefined ? {} : { baseUrl }) };
  if (name !== undefined) return chosen(await namedModel(name, settings), 'asked for by name');
  if (configured !== undefined) return chosen(await configuredModel(configured, settings), 'from the configuration');
  if (baseUrl !== undefined) {
    throw new ConfigurationError('a base URL was given without a model.', [
      `--model openai-compatible/NAME --base-url ${baseUrl}`,
    ]);
  }
  return (await byKey(settings)) ?? (await byOllama(settings)) ?? { model: undefined, reason: NO_MODEL };
}

function configuredModel(
  configured: NonNullable<ChooseModelOptions['configured']>,
  settings: NamedModelOptions,
): Promise<Model> {
  if (typeof configured === 'string') return namedModel(configured, settings);
  if ('respond' in configured) return Promise.resolve(configured);
  const { name, baseUrl } = configured;
  return namedModel(name, { ...(baseUrl === undefined ? {} : { baseUrl }), ...settings });
}

async function byKey(settings: NamedModelOptions): Promise<ModelChoice | undefined> {
  for (const [provider, variables] of KEYED) {
    const key = firstSetting(settings.env, variables);
    if (key !== undefined) return chosen(await namedModel(provider, settings), `because ${key.variable} is set`);
  }
  return undefined;
}

async function byOllama({ env, probe }: NamedModelOptions): Promise<ModelChoice | undefined> {
  const url = ollamaUrl(env);
  const first = (await probe(url))?.[0];
  return first === undefined ? undefined : chosen(ollamaModel(first, { env }), `because Ollama answers on ${url}`);
}

function chosen(model: Model, why: string): ModelChoice {
  return { model, reason: `${model.name}, ${why}` };
}
