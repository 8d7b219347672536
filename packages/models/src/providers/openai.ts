import type { Model } from '@bae/core';
import { lazyAiSdkModel } from '../lazy-ai-sdk-model.ts';
import { readableFetch } from '../readable-fetch.ts';
import { DEFAULT_MODELS } from '../default-models.ts';
import { baseUrlOf, requireKey, type ProviderOptions } from './provider-settings.ts';

/** Variables that may hold an OpenAI key. */
export const OPENAI_KEYS = ['OPENAI_API_KEY'] as const;

const OWN_URL = 'https://api.openai.com/v1';

/**
 * A model of OpenAI's. Asks the service not to store the conversation.
 *
 * At another base URL than OpenAI's own it speaks the older chat format, which every such service knows.
 *
 * @throws ConfigurationError without a key, or with a malformed OPENAI_BASE_URL
 */
export function openaiModel(model: string = DEFAULT_MODELS.openai, options: ProviderOptions = {}): Model {
  const apiKey = requireKey('openai', OPENAI_KEYS, options);
  const baseURL = baseUrlOf(['OPENAI_BASE_URL'], options) ?? OWN_URL;
  const own = baseURL === OWN_URL;
  const load = async () => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    const provider = createOpenAI({ apiKey, baseURL, fetch: readableFetch });
    return own ? provider.responses(model) : provider.chat(model);
  };
  return lazyAiSdkModel(`openai/${model}`, load, {
    keyVariable: OPENAI_KEYS[0],
    ...(own ? { providerOptions: { openai: { store: false } } } : {}),
  });
}
