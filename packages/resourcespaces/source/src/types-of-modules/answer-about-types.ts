import { ResourceError } from '@bae/core';
import { TypeServiceError } from '../type-service/type-service-error.ts';

/**
 * Waits for an answer about types.
 *
 * @param next what can be tried when there is none, as a tag
 * @throws ResourceError when there can be none, with the reason; else what the answer fails with
 */
export async function answerAboutTypes<T>(answer: Promise<T>, next: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof TypeServiceError)) throw error;
    throw new ResourceError(`nothing is known of types: ${error.message}.`, [next], error);
  }
}
