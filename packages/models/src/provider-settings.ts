import { ConfigurationError } from '@bae/core';
import type { CallProtocol } from './native-tools.ts';
import type { Accepted } from './wire-model.ts';

/**
 * The model that a provider's bare name stands for: the balanced one of its current line.
 *
 * Change it here when a provider brings out a new line. Checked in November 2026.
 */
export const DEFAULT_MODELS = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.1-sol',
  google: 'gemini-3.8-flash',
} as const;

/** Variables that may hold the key of a provider, by provider, in the order in which they count. */
export const KEY_VARIABLES = {
  anthropic: ['ANTHROPIC_API_KEY'],
  openai: ['OPENAI_API_KEY'],
  // The AI SDK's own name first.
  google: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
} as const;

/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The first of some variables that is not blank; undefined when there is none. */
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

/** How a model is asked. What a service does not know it refuses, or leaves out. */
export interface ModelSettings {
  /** 0 for the most likely words, higher for others. Default: that of the service. */
  readonly temperature?: number | undefined;
  /** Tokens a response may have. Default: as many as the service allows. */
  readonly maxOutputTokens?: number | undefined;
  /** Texts that end a response. Default: none. */
  readonly stop?: readonly string[] | undefined;
  /** How long it thinks before it responds. Default: that of the service. */
  readonly reasoning?: 'none' | 'low' | 'medium' | 'high' | undefined;
  /** Added to those of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Where a provider's model is reached, and with which key. */
export interface ProviderOptions extends ModelSettings {
  /** Environment variables for whatever is not given here. Default: none. */
  readonly env?: Environment;
  /** Default: the provider's variable in `env`. */
  readonly apiKey?: string;
  /** URL of the API with its version: `https://api.openai.com/v1`. Default: the provider's own. */
  readonly baseUrl?: string | undefined;
  /** How the model calls tools: with tags in its text, or with function calls. Default: `auto`, which is `tags`. */
  readonly protocol?: CallProtocol | undefined;
  /**
   * What the model takes in besides text. Default: images and documents of Anthropic, OpenAI and Google, sounds of
   * Google; nothing of another service, which may refuse it.
   */
  readonly accepts?: readonly Accepted[] | undefined;
}

/** The settings among other options. */
export function pickSettings({ temperature, maxOutputTokens, stop, reasoning, headers }: ModelSettings): ModelSettings {
  return { temperature, maxOutputTokens, stop, reasoning, headers };
}

/**
 * The key of a provider, from the options or the environment.
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
 * The base URL of a provider: from the options, else the first of the variables that is set.
 *
 * @throws ConfigurationError when it is no http or https URL
 */
export function findBaseUrl(variables: readonly string[], options: ProviderOptions): string | undefined {
  const setting = findSetting(options.env ?? {}, variables);
  const text = options.baseUrl ?? setting?.value;
  if (text === undefined) return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    const source = options.baseUrl === undefined ? setting?.variable : 'the base URL';
    throw new ConfigurationError(`${source} is '${text}', which is no http or https URL.`, [
      'write it whole: http://127.0.0.1:8080/v1',
    ]);
  }
  return text.replace(/\/+$/, '');
}
