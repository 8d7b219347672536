import type { Model } from '@bae/core';
import { lazyAiSdkModel } from '../lazy-ai-sdk-model.ts';
import { readableFetch } from '../readable-fetch.ts';
import { DEFAULT_MODELS } from '../default-models.ts';
import { baseUrlOf, requireKey, type ProviderOptions } from './provider-settings.ts';

/** Variables that may hold a Gemini key, the AI SDK's own first. */
export const GOOGLE_KEYS = ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'] as const;

const OWN_URL = 'https://generativelanguage.googleapis.com/v1beta';

/**
 * A Gemini model of Google's.
 *
 * @throws ConfigurationError without a key, or with a malformed GOOGLE_GENERATIVE_AI_BASE_URL
 */
export function googleModel(model: string = DEFAULT_MODELS.google, options: ProviderOptions = {}): Model {
  const apiKey = requireKey('google', GOOGLE_KEYS, options);
  const baseURL = baseUrlOf(['GOOGLE_GENERATIVE_AI_BASE_URL'], options) ?? OWN_URL;
  const load = async () => {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle({ apiKey, baseURL, fetch: readableFetch })(model);
  };
  return lazyAiSdkModel(`google/${model}`, load, { keyVariable: GOOGLE_KEYS[0] });
}
