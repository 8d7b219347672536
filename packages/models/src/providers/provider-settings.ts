import { ConfigurationError } from '@bae/core';
import { firstSetting, type Environment } from '../environment.ts';

/** Where a provider's model is reached, and with which key. */
export interface ProviderOptions {
  /** Environment variables for whatever is not given here. Default: none. */
  readonly env?: Environment;
  /** Default: the provider's variable in `env`. */
  readonly apiKey?: string;
  /** URL of the API with its version: `https://api.openai.com/v1`. Default: the provider's own. */
  readonly baseUrl?: string;
}

/**
 * The key of a provider, from the options or the environment.
 *
 * @throws ConfigurationError when there is none
 */
export function requireKey(provider: string, variables: readonly string[], options: ProviderOptions): string {
  const key = options.apiKey ?? firstSetting(options.env ?? {}, variables)?.value;
  if (key !== undefined) return key;
  throw new ConfigurationError(`${provider} needs a key, and ${variables.join(' or ')} is not set.`, [
    `export ${variables[0]}=…`,
    'a model that needs no key: --model ollama/NAME, --model claude-cli',
  ]);
}

/**
 * The base URL of a provider: from the options, else the first of the variables that is set.
 *
 * @throws ConfigurationError when it is no http or https URL
 */
export function baseUrlOf(variables: readonly string[], options: ProviderOptions): string | undefined {
  const setting = firstSetting(options.env ?? {}, variables);
  const text = options.baseUrl ?? setting?.value;
  if (text === undefined) return undefined;
  const source = options.baseUrl === undefined ? setting?.variable : 'the base URL';
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ConfigurationError(`${source} is '${text}', which is no http or https URL.`, [
      'write it whole: http://127.0.0.1:8080/v1',
    ]);
  }
  return text.replace(/\/+$/, '');
}
