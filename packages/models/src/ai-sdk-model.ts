import type { Model } from '@bae/core';
import { lazyAiSdkModel, type AiSdkLanguageModel, type AiSdkModelOptions } from './lazy-ai-sdk-model.ts';

/**
 * Makes a bae model of an AI SDK language model.
 *
 * The guard: a stream is passed on only up to its first error, whatever the SDK reports after it, and
 * one that closes without a finish is an error, not an end.
 */
export function aiSdkModel(model: AiSdkLanguageModel, options: AiSdkModelOptions = {}): Model {
  const name = options.name ?? `${model.provider.split('.')[0]}/${model.modelId}`;
  return lazyAiSdkModel(name, () => Promise.resolve(model), options);
}
