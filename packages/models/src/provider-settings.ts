import { ConfigurationError } from '@bae/core';
import type { CallProtocol } from './native/native-tools.ts';
import type { Accepted } from './wire-model.ts';

/**
 * Default models by provider: the balanced model of the current line.
 *
 * Change them here when a provider releases a new line. Checked in November 2026.
 */
export const DEFAULT_MODELS = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.1-sol',
  google: 'gemini-3.8-flash',
} as const;

/** Variables that may contain the key of a provider, in order of precedence. */
export const KEY_VARIABLES = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  // The name used by the AI SDK comes first.
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
} as const;

/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the first of several variables that is not blank; undefined if there is none. */
export function findSetting(
  env: Environment,
  variables: readonly string[],
): { readonly variable: string; readonly value: string } | undefined {
  for (const variable of variables) {
    const value = env[variable]?.trim();
    if (value !== undefined && value !== '') return { variable, value };
  }
  return undefined;
}

/** Request settings of a model. A service refuses or ignores the settings that it does not support. */
export interface ModelSettings {
  /** Sampling temperature: 0 for the most likely words, higher for others. Default: that of the service. */
  readonly temperature?: number | undefined;
  /** Maximum length of a response, in tokens. Default: the maximum of the service. */
  readonly maxOutputTokens?: number | undefined;
  /** Texts that end a response. Default: none. */
  readonly stop?: readonly string[] | undefined;
  /** Effort of thinking before the response. Default: that of the service. */
  readonly reasoning?: 'none' | 'low' | 'medium' | 'high' | undefined;
  /** Headers that are added to every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Address and key of a provider's model. */
export interface ProviderOptions extends ModelSettings {
  /** Environment variables for settings that are not given here. Default: none. */
  readonly env?: Environment;
  /** Key of the provider. Default: the provider's variable in `env`. */
  readonly apiKey?: string;
  /** URL of the API with its version: `https://api.openai.com/v1`. Default: that of the provider. */
  readonly baseUrl?: string | undefined;
  /** Format of tool calls: tags in the text, or function calls. Default: `auto`, which is `tags`. */
  readonly protocol?: CallProtocol | undefined;
  /**
   * Input that the model accepts in addition to text. Default: images and documents for Anthropic, OpenAI and Google,
   * and sounds for Google; none for other services, which may refuse it.
   */
  readonly accepts?: readonly Accepted[] | undefined;
}

/** Picks the model settings from other options. */
export function pickSettings({ temperature, maxOutputTokens, stop, reasoning, headers }: ModelSettings): ModelSettings {
  return { temperature, maxOutputTokens, stop, reasoning, headers };
}

/**
 * Returns the key of a provider, from the options or the environment.
 *
 * @throws ConfigurationError when there is none
 */
export function requireKey(provider: keyof typeof KEY_VARIABLES, options: ProviderOptions): string {
  const variables = KEY_VARIABLES[provider];
  const key = options.apiKey ?? findSetting(options.env ?? {}, variables)?.value;
  if (key !== undefined) return key;
  throw new ConfigurationError(`${provider} needs a key, and ${variables.join(' or ')} is not set.`, [
    `export ${variables[0]}=…`,
    'a model that needs no key: --model ollama/NAME, --model claude-cli',
  ]);
}

/**
 * Returns the base URL of a provider from the options or, if absent, from the first variable that is set.
 *
 * @throws ConfigurationError when it is not an http or https URL
 */
export function findBaseUrl(variables: readonly string[], options: ProviderOptions): string | undefined {
  const setting = findSetting(options.env ?? {}, variables);
  const text = options.baseUrl ?? setting?.value;
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    const source = options.baseUrl === undefined ? setting?.variable : 'the base URL';
    throw new ConfigurationError(`${source} is '${text}', which is not an http or https URL.`, [
      'write it whole: http://127.0.0.1:8080/v1',
    ]);
  }
  return text.replace(/\/+$/, '');
}
