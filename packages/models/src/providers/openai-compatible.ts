import { ConfigurationError, type Model } from '@bae/core';
import { lazyAiSdkModel } from '../lazy-ai-sdk-model.ts';
import { readableFetch } from '../readable-fetch.ts';
import { firstSetting } from '../environment.ts';
import { baseUrlOf, type ProviderOptions } from './provider-settings.ts';

/** How a service that speaks OpenAI's chat format is presented. */
export interface CompatibleOptions extends ProviderOptions {
  /** What people see before the model's name. Default: `openai-compatible`. */
  readonly provider?: string;
}

const OWN_KEY = 'OPENAI_COMPATIBLE_API_KEY';

/**
 * A model behind any service that speaks OpenAI's chat format. A key is optional.
 *
 * The base URL is the one given, else OPENAI_COMPATIBLE_BASE_URL, else OPENAI_BASE_URL. OPENAI_API_KEY
 * is sent only where OPENAI_BASE_URL points, so that it does not reach a stranger.
 *
 * @throws ConfigurationError without a base URL, or with a malformed one
 */
export function openaiCompatibleModel(model: string, options: CompatibleOptions = {}): Model {
  const { provider = 'openai-compatible', env = {} } = options;
  const own = baseUrlOf(['OPENAI_COMPATIBLE_BASE_URL'], options);
  const baseURL = own ?? baseUrlOf(['OPENAI_BASE_URL'], options);
  if (baseURL === undefined) throw noBaseUrl(provider, model);
  const variables = own === undefined ? [OWN_KEY, 'OPENAI_API_KEY'] : [OWN_KEY];
  const apiKey = options.apiKey ?? firstSetting(env, variables)?.value;
  const load = async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const settings = {
      name: provider,
      baseURL,
      includeUsage: true,
      fetch: readableFetch,
      ...(apiKey === undefined ? {} : { apiKey }),
    };
    return createOpenAICompatible(settings)(model);
  };
  return lazyAiSdkModel(`${provider}/${model}`, load, { keyVariable: OWN_KEY });
}

function noBaseUrl(provider: string, model: string): ConfigurationError {
  return new ConfigurationError(`${provider}/${model} has no base URL.`, [
    `--model ${provider}/${model} --base-url http://127.0.0.1:8080/v1`,
    'or export OPENAI_COMPATIBLE_BASE_URL=…',
  ]);
}
