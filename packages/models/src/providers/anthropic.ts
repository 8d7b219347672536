import type { Model } from '@bae/core';
import { lazyAiSdkModel } from '../lazy-ai-sdk-model.ts';
import { readableFetch } from '../readable-fetch.ts';
import { DEFAULT_MODELS } from '../default-models.ts';
import { baseUrlOf, requireKey, type ProviderOptions } from './provider-settings.ts';

/** Variables that may hold an Anthropic key. */
export const ANTHROPIC_KEYS = ['ANTHROPIC_API_KEY'] as const;

/**
 * A model of Anthropic's. Keeps the unchanged beginning of a conversation in the provider's cache.
 *
 * The base URL may be given with or without its `/v1`; tools of this provider differ in that.
 *
 * @throws ConfigurationError without a key, or with a malformed ANTHROPIC_BASE_URL
 */
export function anthropicModel(model: string = DEFAULT_MODELS.anthropic, options: ProviderOptions = {}): Model {
  const apiKey = requireKey('anthropic', ANTHROPIC_KEYS, options);
  const url = baseUrlOf(['ANTHROPIC_BASE_URL'], options) ?? 'https://api.anthropic.com';
  const baseURL = url.endsWith('/v1') ? url : `${url}/v1`;
  const load = async () => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ apiKey, baseURL, fetch: readableFetch })(model);
  };
  return lazyAiSdkModel(`anthropic/${model}`, load, {
    keyVariable: ANTHROPIC_KEYS[0],
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  });
}
