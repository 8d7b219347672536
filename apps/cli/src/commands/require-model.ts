import { ConfigurationError, type Model } from '@bae/core';
import type { ModelChoice } from '@bae/models';
import { WAYS_TO_A_MODEL } from './no-model.ts';

/**
 * The chosen model, and why it was chosen.
 *
 * @throws ConfigurationError when there is none
 */
export function requireModel({ model, reason }: ModelChoice): { readonly model: Model; readonly reason: string } {
  if (model === undefined) throw new ConfigurationError('there is no model to ask.', [WAYS_TO_A_MODEL]);
  return { model, reason };
}
