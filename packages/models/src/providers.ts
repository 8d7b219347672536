import { ConfigurationError, type Model } from '@bae/core';
import { makeLazyModel } from './ai-sdk-model.ts';
import { chatModel } from './chat-model.ts';
import { messagesModel } from './messages-model.ts';
import {
  DEFAULT_MODELS,
  findBaseUrl,
  findSetting,
  KEY_VARIABLES,
  pickSettings,
  requireKey,
  type ProviderOptions,
} from './provider-settings.ts';
import { readableFetch as fetch } from './readable-fetch.ts';

/**
 * Makes a model of Anthropic. The unchanged beginning of a conversation is cached by the provider.
 *
 * The base URL may be given with or without `/v1`, because tools for this provider differ in that.
 *
 * @throws ConfigurationError without a key, or with a malformed ANTHROPIC_BASE_URL
 */
export function anthropicModel(model: string = DEFAULT_MODELS.anthropic, options: ProviderOptions = {}): Model {
  const apiKey = requireKey('anthropic', options);
  const url = findBaseUrl(['ANTHROPIC_BASE_URL'], options) ?? 'https://api.anthropic.com';
  const baseURL = url.endsWith('/v1') ? url : `${url}/v1`;
  const name = `anthropic/${model}`;
  const keyVariable = KEY_VARIABLES.anthropic[0];
  const { accepts = ['image', 'file'] } = options;
  const settings = pickSettings(options);
  if (options.protocol !== 'tools')
    return messagesModel({ name, model, baseUrl: baseURL, apiKey, keyVariable, accepts, ...settings });
  const load = async () => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ apiKey, baseURL, fetch })(model);
  };
  return makeLazyModel(name, load, {
    ...settings,
    keyVariable,
    accepts,
    protocol: options.protocol,
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  });
}

const GOOGLE_URL = 'https://generativelanguage.googleapis.com/v1beta';

/**
 * Makes a Gemini model of Google.
 *
 * @throws ConfigurationError without a key, or with a malformed GOOGLE_GENERATIVE_AI_BASE_URL
 */
export function googleModel(model: string = DEFAULT_MODELS.google, options: ProviderOptions = {}): Model {
  const apiKey = requireKey('google', options);
  const baseURL = findBaseUrl(['GOOGLE_GENERATIVE_AI_BASE_URL'], options) ?? GOOGLE_URL;
  const load = async () => {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle({ apiKey, baseURL, fetch })(model);
  };
  return makeLazyModel(`google/${model}`, load, {
    ...pickSettings(options),
    keyVariable: KEY_VARIABLES.google[0],
    accepts: options.accepts ?? ['image', 'audio', 'file'],
    protocol: options.protocol,
  });
}

const OPENAI_URL = 'https://api.openai.com/v1';

/**
 * Makes a model of OpenAI. Asks the service not to store the conversation.
 *
 * At a base URL other than OpenAI's own, it uses the older chat format, which every such service supports.
 *
 * @throws ConfigurationError without a key, or with a malformed OPENAI_BASE_URL
 */
export function openaiModel(model: string = DEFAULT_MODELS.openai, options: ProviderOptions = {}): Model {
  const apiKey = requireKey('openai', options);
  const baseURL = findBaseUrl(['OPENAI_BASE_URL'], options) ?? OPENAI_URL;
  const isOwn = baseURL === OPENAI_URL;
  const name = `openai/${model}`;
  const keyVariable = KEY_VARIABLES.openai[0];
  const { protocol, accepts = isOwn ? ['image', 'file'] : [] } = options;
  const settings = { keyVariable, accepts, ...pickSettings(options) };
  if (!isOwn && protocol !== 'tools') return chatModel({ name, model, baseUrl: baseURL, apiKey, ...settings });
  const load = async () => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    const provider = createOpenAI({ apiKey, baseURL, fetch });
    return isOwn ? provider.responses(model) : provider.chat(model);
  };
  return makeLazyModel(name, load, {
    ...settings,
    protocol,
    ...(isOwn && { providerOptions: { openai: { store: false } } }),
  });
}

/** Options for a service with OpenAI's chat format. */
export interface CompatibleOptions extends ProviderOptions {
  /** Name shown to people before the model's name. Default: `openai-compatible`. */
  readonly provider?: string;
}

const COMPATIBLE_KEY = 'OPENAI_COMPATIBLE_API_KEY';

/**
 * Makes a model of any service with OpenAI's chat format. A key is optional.
 *
 * The base URL is the given one, then OPENAI_COMPATIBLE_BASE_URL, then OPENAI_BASE_URL. OPENAI_API_KEY is sent only to
 * OPENAI_BASE_URL, so that no other service receives it.
 *
 * @throws ConfigurationError without a base URL, or with a malformed one
 */
export function openaiCompatibleModel(model: string, options: CompatibleOptions = {}): Model {
  const { provider = 'openai-compatible', env = {}, accepts } = options;
  const own = findBaseUrl(['OPENAI_COMPATIBLE_BASE_URL'], options);
  const baseURL = own ?? findBaseUrl(['OPENAI_BASE_URL'], options);
  if (baseURL === undefined) {
    throw new ConfigurationError(`${provider}/${model} has no base URL.`, [
      `--model ${provider}/${model} --base-url http://127.0.0.1:8080/v1`,
      'export OPENAI_COMPATIBLE_BASE_URL=…',
    ]);
  }
  const variables = own === undefined ? [COMPATIBLE_KEY, ...KEY_VARIABLES.openai] : [COMPATIBLE_KEY];
  const apiKey = options.apiKey ?? findSetting(env, variables)?.value;
  const name = `${provider}/${model}`;
  if (options.protocol !== 'tools')
    return chatModel({
      name,
      model,
      baseUrl: baseURL,
      apiKey,
      keyVariable: COMPATIBLE_KEY,
      accepts,
      ...pickSettings(options),
    });
  const load = async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const settings = { name: provider, baseURL, includeUsage: true, fetch, ...(apiKey !== undefined && { apiKey }) };
    return createOpenAICompatible(settings)(model);
  };
  return makeLazyModel(name, load, {
    ...pickSettings(options),
    keyVariable: COMPATIBLE_KEY,
    accepts,
    protocol: options.protocol,
  });
}
