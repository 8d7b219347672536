import { ConfigurationError, nearestName } from '@bae/core';

/** Everything that may stand before the slash of a model's name. */
const PROVIDERS = ['anthropic', 'openai', 'google', 'ollama', 'openai-compatible', 'claude-cli'] as const;

type Provider = (typeof PROVIDERS)[number];

/** `anthropic/claude-sonnet-5-5` taken apart; without a slash there is no model. */
export interface ModelName {
  readonly provider: Provider;
  readonly model: string | undefined;
}

/** Similarity from which a name counts as a misspelt provider, and as a plain slip of the finger. */
const FUZZY = 0.5;
const CLOSE = 0.75;

/** Which provider a model's own name gives away. */
const FAMILIES: readonly (readonly [RegExp, Provider])[] = [
  [/^(claude|opus|sonnet|haiku)/i, 'anthropic'],
  [/^(gpt|o\d)/i, 'openai'],
  [/^gemini/i, 'google'],
];

/**
 * Reads a model's name: `provider/model`, or a provider alone. The model may contain slashes.
 *
 * @throws ConfigurationError for an unknown provider, with the name that was probably meant
 */
export function parseModelName(name: string): ModelName {
  const slash = name.indexOf('/');
  const provider = slash < 0 ? name : name.slice(0, slash);
  const model = slash < 0 ? '' : name.slice(slash + 1);
  const known = PROVIDERS.find((candidate) => candidate === provider);
  if (known === undefined) throw unknownProvider(provider, model);
  return { provider: known, model: model === '' ? undefined : model };
}

function unknownProvider(provider: string, model: string): ConfigurationError {
  const meant = guess(provider, model);
  const remedy = meant === undefined ? `There are ${PROVIDERS.join(', ')}.` : `Did you mean '${meant}'?`;
  return new ConfigurationError(`no model provider '${provider}'. ${remedy}`, [`--model ${meant ?? 'anthropic/NAME'}`]);
}

function guess(provider: string, model: string): string | undefined {
  const family = model === '' ? FAMILIES.find(([pattern]) => pattern.test(provider))?.[1] : undefined;
  // Of a model's name without its provider only a very close provider is a misspelling.
  const nearest = nearestName(provider, PROVIDERS, family === undefined ? FUZZY : CLOSE);
  if (nearest !== undefined) return model === '' ? nearest : `${nearest}/${model}`;
  return family && `${family}/${provider}`;
}
